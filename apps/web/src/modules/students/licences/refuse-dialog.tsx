import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { reviewLicence, type StudentLicence } from '#domain/students/licences/endpoints.ts'
import { useForm } from '#web/api/use-form.ts'
import { DialogForm } from '#web/ui/form/form.tsx'
import { QuickTexts } from '#web/ui/form/quick-texts.tsx'
import { ReasonInput } from '#web/ui/form/reason-input.tsx'

/** Quick reasons; sent as their key, so that applicants read them in their own language. */
const quickReasons = ['blurred', 'cut_off', 'wrong_document', 'name_differs', 'expired'] as const

/** Refuses a licence with a reason the applicant reads. */
export function RefuseDialog({ licence, onClose }: { licence: StudentLicence; onClose: () => void }) {
  const { t } = useTranslation(['licences', 'documents'])
  const quickReasonOf = (reason: string) => quickReasons.find((key) => t(`documents:reasons.${key}`) === reason.trim())
  const form = useForm({
    call: reviewLicence,
    params: { id: licence.id },
    start: { reason: '' },
    body: ({ reason }) => ({
      version: licence.version,
      verdict: 'rejected',
      reason: quickReasonOf(reason) ?? reason.trim(),
    }),
    done: t('refuse.done'),
    onDone: onClose,
  })
  return (
    <DialogForm title={t('refuse.title')} form={form} submit={t('refuse.open')} onClose={onClose}>
      <Text size="sm">{t('refuse.text')}</Text>
      <QuickTexts
        label={t('refuse.reason')}
        texts={quickReasons.map((key) => t(`documents:reasons.${key}`))}
        value={form.values.reason}
        onPick={(reason) => form.set({ reason })}
      />
      <ReasonInput label={t('refuse.reason')} data-autofocus {...form.text('reason')} />
    </DialogForm>
  )
}
