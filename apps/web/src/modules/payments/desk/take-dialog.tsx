import { Checkbox, Textarea } from '@mantine/core'
import { useState } from 'react'
import { takeWaiting, type WaitingRow } from '#domain/payments/desk-endpoints.ts'
import { rupiah } from '#locales/format.ts'
import { useSend } from '#web/api/send.ts'
import { useChecks } from '#web/api/use-checks.ts'
import { useSession } from '#web/app/session.tsx'
import { AskDialog } from './ask-dialog.tsx'
import { useDeskWords } from './words.ts'

/** Who looks after waiting money, and what was found out. */
export function TakeDialog({ row, onClose }: { row: WaitingRow; onClose: () => void }) {
  const take = useSend(takeWaiting)
  const { t } = useDeskWords()
  const { user } = useSession()
  const [mine, setMine] = useState(row.owner === null || row.owner.id === user?.id)
  const [note, setNote] = useState(row.note ?? '')
  const body = { mine, ...(note.trim() && { note: note.trim() }) }
  const checks = useChecks(takeWaiting, body)
  return (
    <AskDialog
      title={rupiah(row.waitingAmount)}
      submit={t('common:actions.save')}
      checks={checks}
      done={t('waiting.saved')}
      send={() => take({ params: { id: row.id }, body })}
      onClose={onClose}
    >
      <Checkbox label={t('waiting.mine')} checked={mine} onChange={(event) => setMine(event.currentTarget.checked)} />
      <Textarea
        label={t('waiting.note')}
        description={t('waiting.noteHelp')}
        autosize
        minRows={2}
        maxLength={500}
        data-autofocus
        {...checks.field('note')}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </AskDialog>
  )
}
