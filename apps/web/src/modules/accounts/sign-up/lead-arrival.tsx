import { Alert, Button, Stack, Text, TextInput } from '@mantine/core'
import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatPhone } from '#domain/accounts/phone.ts'
import { openLeadLink } from '#domain/leads/link-endpoint.ts'
import type { ApiError } from '#web/api/client.ts'
import { sendOnce } from '#web/api/send.ts'
import { useForm } from '#web/api/use-form.ts'
import { rememberReferral } from '#web/modules/accounts/referral.ts'
import { PageForm } from '#web/ui/form/form.tsx'
import { keepLead } from './lead-token.ts'
import { keepSignUp } from './sign-up-draft.ts'

type Greeted = { firstName: string; hasPhone: boolean }

/**
 * Greets a person who came through a link from staff. The form is prefilled only after the last digits of the phone are
 * entered, because a link may have been forwarded.
 */
export default function LeadArrival({ token, onFilled }: { token: string; onFilled: () => void }) {
  const { t } = useTranslation('lead-arrival')
  const [greeted, setGreeted] = useState<Greeted | null>(null)
  const [state, setState] = useState<'open' | 'filled' | 'ended'>('open')
  const endIfGone = useCallback((error: ApiError) => {
    if (error.status !== 409) return
    keepLead(null)
    setState('ended')
  }, [])
  useEffect(() => {
    sendOnce(openLeadLink, { body: { token } }).then(({ data }) => {
      keepLead(token)
      if (data.ref) rememberReferral({ ref: data.ref })
      setGreeted(data)
    }, endIfGone)
  }, [token, endIfGone])
  const form = useForm({
    call: openLeadLink,
    start: { digits: '' },
    body: ({ digits }) => ({ token, digits }),
    onDone: ({ data: { known } }) => {
      if (!known) return
      keepSignUp({ name: known.name, email: known.email ?? '', phone: known.phone ? formatPhone(known.phone) : '' })
      setState('filled')
      onFilled()
    },
    onRefused: endIfGone,
  })
  if (state === 'ended') return <Alert color="yellow">{t('ended')}</Alert>
  if (!greeted) return null
  return (
    <Alert variant="light" color="primary" title={t('hello', { name: greeted.firstName })}>
      {state === 'filled' && <Text>{t('filled')}</Text>}
      {state === 'open' && greeted.hasPhone && (
        <PageForm form={form} submit={null}>
          <Stack gap="sm">
            <TextInput
              label={t('digits')}
              description={t('digitsHelp')}
              inputMode="numeric"
              autoComplete="off"
              maxLength={4}
              maw={240}
              {...form.text('digits')}
            />
            <Button type="submit" variant="default" loading={form.busy} maw={240} mih={44}>
              {t('fill')}
            </Button>
          </Stack>
        </PageForm>
      )}
    </Alert>
  )
}
