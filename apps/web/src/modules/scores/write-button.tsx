import { Button, Checkbox, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { runScoreImport, type ScoreImport } from '#domain/scores/endpoints.ts'
import { wholeNumber } from '#locales/format.ts'
import { useForm } from '#web/api/use-form.ts'
import { DialogForm } from '#web/ui/form/form.tsx'
import { ReasonInput } from '#web/ui/form/reason-input.tsx'

/** Writes a checked file. Asks what to do with problem rows, and for a reason if results are decided. */
export function WriteButton({ record }: { record: ScoreImport }) {
  const { t } = useTranslation('scores')
  const [opened, setOpened] = useState(false)
  const count = record.scores.new + record.scores.changed
  return (
    <>
      <Button onClick={() => setOpened(true)} aria-haspopup="dialog">
        {t('write', { count, formatted: wholeNumber(count) })}
      </Button>
      {opened && <WriteDialog record={record} onClose={() => setOpened(false)} />}
    </>
  )
}

function WriteDialog({ record, onClose }: { record: ScoreImport; onClose: () => void }) {
  const { t } = useTranslation('scores')
  const { id, scores, rows, version } = record
  const written = scores.new + scores.changed
  const leftOut = rows.wrong + rows.unconfirmed
  const form = useForm({
    call: runScoreImport,
    params: { id },
    start: { leavesOut: false, reason: '' },
    body: ({ leavesOut, reason }) => ({ version, leavesOut, reason: reason.trim() || null }),
    onDone: onClose,
  })
  return (
    <DialogForm
      form={form}
      title={t('write', { count: written, formatted: wholeNumber(written) })}
      submit={t('writeNow')}
      onClose={onClose}
    >
      <Text>{t('writeText', { new: wholeNumber(scores.new), changed: wholeNumber(scores.changed) })}</Text>
      {leftOut > 0 && <Checkbox label={t('leaveOut', { count: leftOut })} {...form.box('leavesOut')} />}
      {scores.decided > 0 && (
        <ReasonInput
          label={t('reason')}
          description={t('reasonHelp', { count: scores.decided })}
          {...form.text('reason')}
        />
      )}
    </DialogForm>
  )
}
