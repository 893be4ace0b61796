import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { IconBrandWhatsapp, IconPhone } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatPhone } from '#domain/accounts/phone.ts'
import { universityCalendar } from '#domain/calendar.ts'
import { type FullLead, recordCall } from '#domain/leads/endpoints.ts'
import { type CallResult, callResults, firstNameOf, whatsappAddress } from '#domain/leads/leads.ts'
import { useForm } from '#web/api/use-form.ts'
import { useBranding } from '#web/shell/branding.ts'
import { useLanguage } from '#web/shell/language.ts'
import { Card } from '#web/ui/card.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { DatePickerInput } from '#web/ui/form/dates.ts'
import { Failure } from '#web/ui/states/failure.tsx'
import { myCallsPath } from './tones.ts'

/** Buttons to call a lead by phone or WhatsApp, and to record the result with one tap. */
export function CallCard({ lead: { id, name, phone, link } }: { lead: FullLead }) {
  const { t } = useTranslation('leads')
  const language = useLanguage()
  const { name: university } = useBranding()
  const [sent, setSent] = useState<CallResult | null>(null)
  const form = useForm({
    call: recordCall,
    params: { id },
    start: { nextContactOn: null as string | null, text: '' },
    body: (values) => ({ ...values, result: 'reached' as CallResult }),
    opensAgain: true,
    done: (_, { result }) => t('call.recorded', { result: t(`call.result.${result as CallResult}`) }),
  })
  const record = (result: CallResult) => {
    setSent(result)
    return form.send({ ...form.values, result })
  }
  const words = { name: firstNameOf(name), university, link: link?.address ?? '' }
  return (
    <Card
      title={t('call.title')}
      actions={
        <Button component={Link} to={myCallsPath} variant="subtle" size="compact-md">
          {t('call.next')}
        </Button>
      }
    >
      <Stack gap="sm">
        {phone ? (
          <Group gap="xs">
            <Button
              component="a"
              href={`tel:${phone}`}
              variant="default"
              mih={44}
              leftSection={<IconPhone size={18} aria-hidden />}
            >
              {t('call.phone', { phone: formatPhone(phone) })}
            </Button>
            <Button
              component="a"
              href={whatsappAddress(phone, t(link ? 'call.greetingLink' : 'call.greeting', words))}
              target="_blank"
              rel="noreferrer"
              variant="default"
              mih={44}
              leftSection={<IconBrandWhatsapp size={18} aria-hidden />}
            >
              {t('call.whatsapp')}
            </Button>
          </Group>
        ) : (
          <Text>{t('call.noPhone')}</Text>
        )}
        <div {...form.form}>
          <Stack gap="sm">
            <Textarea label={t('call.text')} autosize minRows={1} {...form.text('text')} />
            <DatePickerInput
              label={t('call.day')}
              description={t('call.dayHelp')}
              locale={language}
              minDate={universityCalendar().dayOf(new Date())}
              clearable
              maw={320}
              {...form.value('nextContactOn')}
            />
          </Stack>
        </div>
        <Group gap="xs">
          {callResults.map((result) => {
            const label = t(`call.result.${result}`)
            if (result === 'declined')
              return (
                <ConfirmButton
                  key={result}
                  variant="default"
                  mih={44}
                  danger
                  message={t('detail.declineText')}
                  onConfirm={() => record(result)}
                >
                  {label}
                </ConfirmButton>
              )
            return (
              <Button
                key={result}
                mih={44}
                variant={result === 'reached' ? 'filled' : 'default'}
                loading={form.busy && sent === result}
                disabled={form.busy}
                onClick={() => record(result).catch(() => undefined)}
              >
                {label}
              </Button>
            )
          })}
        </Group>
        <Failure>{form.formError}</Failure>
      </Stack>
    </Card>
  )
}
