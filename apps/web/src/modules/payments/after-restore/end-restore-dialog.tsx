import { Checkbox, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { endRestored } from '#domain/payments/restore-endpoints.ts'
import { useSend } from '#web/api/send.ts'
import { useChecks } from '#web/api/use-checks.ts'
import { ReasonInput } from '#web/ui/reason-input.tsx'
import { AskDialog } from '../desk/ask-dialog.tsx'

/** Somebody says that everything a restore lost is entered again. */
export function EndRestoreDialog({ unanswered, onClose }: { unanswered: number; onClose: () => void }) {
  const { t } = useTranslation('ops')
  const send = useSend(endRestored)
  const [note, setNote] = useState('')
  const [accepts, setAccepts] = useState(false)
  const body = { note: note.trim(), ...(accepts && { acceptUnanswered: true }) }
  const checks = useChecks(endRestored, body)
  return (
    <AskDialog
      title={t('restored.end')}
      submit={t('restored.end')}
      done={t('restored.done')}
      checks={checks}
      disabled={unanswered > 0 && !accepts}
      send={() => send({ body })}
      onClose={onClose}
    >
      <Text size="sm">{t('restored.endText')}</Text>
      <ReasonInput
        label={t('restored.note')}
        data-autofocus
        {...checks.field('note')}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      {unanswered > 0 && (
        <Checkbox
          label={t('restored.unanswered', { count: unanswered })}
          checked={accepts}
          onChange={(event) => setAccepts(event.currentTarget.checked)}
        />
      )}
    </AskDialog>
  )
}
