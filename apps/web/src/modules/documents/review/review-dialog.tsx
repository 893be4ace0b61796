import { Text, Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { shiftDay, universityCalendar } from '#domain/calendar.ts'
import type { ReviewAction } from '#domain/documents/document-status.ts'
import {
  type DocumentSlot,
  deferDocument,
  rejectDocument,
  reopenDocument,
  waiveDocument,
} from '#domain/documents/endpoints.ts'
import { rejectReasons } from '#domain/documents/reject-reasons.ts'
import type { ApiError } from '#web/api/client.ts'
import { useForm } from '#web/api/use-form.ts'
import { DatePickerInput } from '#web/ui/form/dates.ts'
import { DialogForm } from '#web/ui/form/form.tsx'
import { QuickTexts } from '#web/ui/form/quick-texts.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

type Props = {
  action: Exclude<ReviewAction, 'approve'>
  slot: DocumentSlot
  onReviewed: () => void
  /** The dialog shows the error and keeps the input for another try. */
  onRefused: (error: ApiError) => void
  onClose: () => void
}

const endpoints = {
  reject: rejectDocument,
  waive: waiveDocument,
  defer: deferDocument,
  reopen: reopenDocument,
} as const

const titles = { reject: 'rejectTitle', waive: 'waiveTitle', defer: 'deferTitle', reopen: 'reopenTitle' } as const

const tomorrow = () => shiftDay(universityCalendar().dayOf(new Date()), 1)

/** Asks for the reason or date a review needs. */
export function ReviewDialog({ action, slot, onReviewed, onRefused, onClose }: Props) {
  const { t } = useTranslation('documents')
  const { language } = useSurroundings()
  const { version } = slot
  const form = useForm({
    call: endpoints[action],
    params: { documentId: slot.id },
    start: { reason: '', until: null as string | null },
    body: ({ reason: typed, until }) => {
      if (action === 'defer') return { version, ...(until && { until }) }
      const reason = typed.trim()
      // Sent as its key, so that applicants read it in their own language.
      const quickReason = action === 'reject' && rejectReasons.find((key) => t(`reasons.${key}`) === reason)
      return { version, ...((reason || action !== 'waive') && { reason: quickReason || reason }) }
    },
    onDone: onReviewed,
    onRefused,
  })

  return (
    <DialogForm form={form} title={`${t(titles[action])} · ${slot.name}`} submit={t(action)} onClose={onClose}>
      {action === 'reject' && (
        <>
          <Text size="sm">{t('rejectHelp')}</Text>
          <QuickTexts
            label={t('reasonLabel')}
            texts={rejectReasons.map((key) => t(`reasons.${key}`))}
            value={form.values.reason}
            onPick={(reason) => form.set({ reason })}
          />
        </>
      )}
      {action === 'waive' && <Text size="sm">{t('waiveHelp')}</Text>}
      {action === 'defer' ? (
        <DatePickerInput
          label={t('until')}
          locale={language}
          minDate={tomorrow()}
          data-autofocus
          {...form.value('until')}
        />
      ) : (
        <Textarea label={t('reasonLabel')} data-autofocus {...form.text('reason')} />
      )}
    </DialogForm>
  )
}
