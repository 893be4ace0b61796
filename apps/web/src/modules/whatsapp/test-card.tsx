import { Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getAccount } from '#domain/accounts/endpoints.ts'
import { formatPhone } from '#domain/accounts/phone.ts'
import { testConnection, type WhatsappConnection } from '#domain/whatsapp/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useSend } from '#web/api/send.ts'
import { useChecks } from '#web/api/use-checks.ts'
import { useSession } from '#web/app/session.tsx'
import { Card } from '#web/ui/card.tsx'
import { DisabledReason } from '#web/ui/disabled-reason.tsx'
import { Failure } from '#web/ui/failure.tsx'
import { useMissing } from '#web/ui/missing.tsx'
import { useConnectionActions } from './use-connection-actions.ts'

/** A few words to a phone, one's own at first. */
export function TestCard({ connection: { id, kind, active } }: { connection: WhatsappConnection }) {
  const sendTestConnection = useSend(testConnection)
  const { t } = useTranslation('whatsapp')
  const { may } = useSession()
  const { act, running } = useConnectionActions(id)
  const account = useEndpoint(getAccount)
  const missing = useMissing()
  const [typed, setTyped] = useState<string>()
  const own = account.data?.data.phone
  const phone = typed ?? (own ? formatPhone(own) : '')
  const body = phone.trim() ? { phone: phone.trim() } : {}
  const checks = useChecks(testConnection, body)
  if (!may('settings-whatsapp-update')) return null
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (!active || running || !checks.isReady()) return
    await act(
      'test',
      () => sendTestConnection({ params: { id }, body }),
      ({ data }) => t('testSent', { to: formatPhone(data.to) }),
      checks,
    ).catch(() => {})
  }
  return (
    <Card title={t('testTitle')}>
      <form {...checks.form} onSubmit={send} noValidate>
        <Stack gap="md" align="flex-start">
          <Text>
            {t('testText')} {kind === 'cloud' && t('testCloudNote')}
          </Text>
          <TextInput
            size="sm"
            w="100%"
            maw={320}
            label={t('testPhone')}
            placeholder="0812 3456 7890"
            type="tel"
            autoComplete="off"
            value={phone}
            {...checks.field('phone')}
            error={checks.errorOf('phone') ?? missing(t('testPhone'), account.error)}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Failure>{checks.unsaid}</Failure>
          <DisabledReason
            type="submit"
            variant="default"
            reason={active ? null : t('state.inactive')}
            loading={running === 'test'}
          >
            {t('testButton')}
          </DisabledReason>
        </Stack>
      </form>
    </Card>
  )
}
