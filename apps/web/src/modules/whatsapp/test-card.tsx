import { Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { getAccount } from '#domain/accounts/endpoints.ts'
import { formatPhone } from '#domain/accounts/phone.ts'
import { testConnection, type WhatsappConnection } from '#domain/whatsapp/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useForm } from '#web/api/use-form.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { Card } from '#web/ui/card.tsx'
import { DisabledReason } from '#web/ui/disabled-reason.tsx'
import { PageForm } from '#web/ui/form/form.tsx'
import { useMissing } from '#web/ui/states/missing.tsx'

/** Sends a test message; the reader's own number is prefilled. */
export function TestCard({ connection: { id, kind, active } }: { connection: WhatsappConnection }) {
  const { t } = useTranslation('whatsapp')
  const { may } = useSession()
  const account = useEndpoint(getAccount)
  const missing = useMissing()
  const ownPhone = account.data?.data.phone ? formatPhone(account.data.data.phone) : ''
  const form = useForm({
    call: testConnection,
    params: { id },
    start: { phone: null as string | null },
    body: ({ phone }) => {
      const number = (phone ?? ownPhone).trim()
      return number ? { phone: number } : {}
    },
    done: ({ data }) => t('testSent', { to: formatPhone(data.to) }),
  })
  if (!may('settings-whatsapp-update')) return null
  return (
    <Card title={t('testTitle')}>
      <PageForm
        form={form}
        submit={null}
        button={{ disabled: !active }}
        layOut={() => (
          <div>
            <DisabledReason
              type="submit"
              variant="default"
              reason={active ? null : t('state.inactive')}
              loading={form.busy}
              children={t('testButton')}
            />
          </div>
        )}
      >
        <Text>
          {t('testText')} {kind === 'cloud' && t('testCloudNote')}
        </Text>
        <TextInput
          size="sm"
          w="100%"
          maw={320}
          label={t('testPhone')}
          placeholder="0812-3456-7890"
          type="tel"
          autoComplete="off"
          {...form.field('phone')}
          value={form.values.phone ?? ownPhone}
          onChange={(event) => form.set({ phone: event.currentTarget.value })}
          error={form.errorOf('phone') ?? missing(t('testPhone'), account.error)}
        />
      </PageForm>
    </Card>
  )
}
