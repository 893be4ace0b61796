import { Checkbox, Textarea } from '@mantine/core'
import { takeWaiting, type WaitingRow } from '#domain/payments/money/endpoints.ts'
import { rupiah } from '#locales/format.ts'
import { useForm } from '#web/api/use-form.ts'
import { useMoneyWords } from '#web/modules/payments/approvals/words.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { DialogForm } from '#web/ui/form/form.tsx'

/** Assigns waiting money to a staff member, with a note on the search for its owner. */
export function TakeDialog({ row, onClose }: { row: WaitingRow; onClose: () => void }) {
  const { t } = useMoneyWords()
  const { user } = useSession()
  const form = useForm({
    call: takeWaiting,
    params: { id: row.id },
    start: { mine: row.owner === null || row.owner.id === user?.id, note: row.note ?? '' },
    body: ({ mine, note }) => ({ mine, ...(note.trim() && { note: note.trim() }) }),
    done: t('waiting.saved'),
    onDone: onClose,
  })
  return (
    <DialogForm form={form} title={rupiah(row.waitingAmount)} submit={t('common:actions.save')} onClose={onClose}>
      <Checkbox label={t('waiting.mine')} {...form.box('mine')} />
      <Textarea
        label={t('waiting.note')}
        description={t('waiting.noteHelp')}
        autosize
        minRows={2}
        data-autofocus
        {...form.text('note')}
      />
    </DialogForm>
  )
}
