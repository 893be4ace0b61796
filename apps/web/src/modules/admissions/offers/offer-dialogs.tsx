import { Card, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { confirmRegistration, declineOffer } from '#domain/admissions/endpoints.ts'
import type { OfferRow } from '#domain/admissions/lists.ts'
import { extendOffer, previewOfferReminders, remindOffers, reopenOffer } from '#domain/admissions/offer-endpoints.ts'
import { universityCalendar } from '#domain/calendar.ts'
import { call } from '#web/api/client.ts'
import { sendOnce } from '#web/api/send.ts'
import { useForm } from '#web/api/use-form.ts'
import { BulkDialog } from '#web/list/actions/bulk-dialog.tsx'
import { ReasonDialog } from '#web/list/actions/reason-dialog.tsx'
import type { DialogEnds } from '#web/list/actions/row-action.ts'
import { DateTimePicker } from '#web/ui/form/dates.ts'
import { DialogForm } from '#web/ui/form/form.tsx'
import { ReasonInput } from '#web/ui/form/reason-input.tsx'

type Props = { offer: Pick<OfferRow, 'id' | 'name' | 'dueAt'> } & DialogEnds

type PickerProps = {
  registrationId: string
  value: string | null
  onChange: (id: string | null) => void
  disabled?: boolean
}

/** Confirms an offer for the applicant, with an instalment plan and a logged reason. */
export function ConfirmDialog({
  offer,
  planPicker,
  onDone,
  onClose,
}: Props & { planPicker: (props: PickerProps) => ReactNode }) {
  const { t } = useTranslation('offers')
  const form = useForm({
    call: confirmRegistration,
    params: { id: offer.id },
    start: { installmentPlanId: null as string | null, reason: '' },
    body: ({ reason, ...plan }) => ({ ...plan, reason: reason.trim() }),
    done: t('done.confirm', { name: offer.name }),
    onDone: () => {
      onDone()
      onClose()
    },
  })
  return (
    <DialogForm form={form} title={`${t('act.confirm')}: ${offer.name}`} submit={t('act.confirm')} onClose={onClose}>
      <Text>{t('confirmText')}</Text>
      {planPicker({ registrationId: offer.id, disabled: form.busy, ...form.value('installmentPlanId') })}
      <ReasonInput label={t('reason')} description={t('reasonHelp')} {...form.text('reason')} />
    </DialogForm>
  )
}

/** Declines an offered place for the applicant, with a reason the applicant reads. */
export function DeclineDialog({ offer, ...ends }: Props) {
  const { t } = useTranslation('offers')
  const { id, name } = offer
  return (
    <ReasonDialog
      call={declineOffer}
      params={{ id }}
      title={`${t('act.decline')}: ${name}`}
      submit={t('act.decline')}
      danger
      label={t('reason')}
      description={t('reasonHelp')}
      done={t('done.decline', { name })}
      {...ends}
    >
      <Text>{t('declineText')}</Text>
    </ReasonDialog>
  )
}

const deadlineCalls = { extend: extendOffer, reopen: reopenOffer }

/** Sets another deadline for one applicant, who is notified; `reopen` does so for an expired offer. */
export function DeadlineDialog({ act, offer, onDone, onClose }: Props & { act: keyof typeof deadlineCalls }) {
  const { t } = useTranslation('offers')
  const calendar = universityCalendar()
  const form = useForm({
    call: deadlineCalls[act] as typeof extendOffer,
    params: { id: offer.id },
    // `dueAt` is a time on the university's clock.
    start: () => ({
      dueAt: calendar.wallTime(
        calendar.endOfDayAfter(new Date(Math.max(Date.parse(offer.dueAt ?? ''), Date.now()) || Date.now()), 3),
      ) as string | null,
      reason: '',
    }),
    body: ({ dueAt, reason }) => ({
      dueAt: dueAt ? calendar.momentOf(dueAt).toISOString() : undefined,
      reason: reason.trim(),
    }),
    done: t(`done.${act}`, { name: offer.name }),
    onDone: () => {
      onDone()
      onClose()
    },
  })
  return (
    <DialogForm form={form} title={`${t(`act.${act}`)}: ${offer.name}`} submit={t(`act.${act}`)} onClose={onClose}>
      {act === 'reopen' && <Text>{t('reopenText')}</Text>}
      <DateTimePicker
        label={t('newDeadline')}
        description={t('newDeadlineHelp')}
        valueFormat="DD MMM YYYY HH:mm"
        withAsterisk
        {...form.value('dueAt')}
      />
      <ReasonInput label={t('reason')} description={t('reasonTold')} {...form.text('reason')} />
    </DialogForm>
  )
}

/** Reminds the selected applicants to answer, after showing each message. */
export function RemindOffersDialog({ rows, ...ends }: { rows: readonly { id: string }[] } & DialogEnds) {
  const { t } = useTranslation('offers')
  const ids = rows.map(({ id }) => id)
  return (
    <BulkDialog
      title={t('act.remind')}
      preview={async () => {
        const { sample, ...preview } = (await call(previewOfferReminders, { body: { ids } })).data
        return {
          ...preview,
          note: sample && (
            <Card withBorder padding="sm">
              <Text size="sm" c="dimmed">
                {t('remind.sample')}
              </Text>
              <Text size="sm" fw={600}>
                {sample.subject}
              </Text>
              <Text size="sm">{sample.body}</Text>
            </Card>
          ),
        }
      }}
      will={(count) => t('remind.will', { count })}
      run={async (allowed, skippedCount) => {
        const { data } = await sendOnce(remindOffers, { body: { ids: allowed } })
        const left = data.left + skippedCount
        return { message: t('remind.done', { ...data, left }), partly: left > 0 }
      }}
      button={(count) => t('remind.button', { count })}
      {...ends}
    />
  )
}
