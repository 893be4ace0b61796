import { Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import {
  releaseLine,
  releaseLines,
  type StatementLineRow,
  type StatementRow,
} from '#domain/payments/reconciliation/endpoints.ts'
import { useForm } from '#web/api/use-form.ts'
import { DialogForm } from '#web/ui/form/form.tsx'
import { About, Reason } from './line-dialogs.tsx'
import classes from './reconciliation.module.css'
import { useReconciliationWords } from './words.ts'

/** Decides whether a held line is a separate transfer or repeats the similar line. */
export function ReleaseDialog({ line, onClose }: { line: StatementLineRow; onClose: () => void }) {
  const { t } = useReconciliationWords()
  const [both, setBoth] = useState<boolean | null>(null)
  const [reason, setReason] = useState('')
  const form = useForm({
    call: releaseLine,
    params: { id: line.id },
    body: { both: both ?? false, reason: reason.trim() },
    done: t('release.done'),
    onDone: onClose,
  })
  return (
    <DialogForm
      form={form}
      title={t('release.title')}
      submit={t('action.release')}
      button={{ disabled: both === null }}
      onClose={onClose}
    >
      <About line={line} />
      {line.similar && (
        <div>
          <Text size="sm" c="dimmed">
            {t('release.kept')}
          </Text>
          <pre className={classes.raw}>{line.similar.raw}</pre>
        </div>
      )}
      <Answer both={both} onChange={setBoth} />
      <Reason value={reason} form={form} onChange={setReason} />
    </DialogForm>
  )
}

/** Makes the same decision for all held lines of a statement. */
export function ReleaseManyDialog({ statement, onClose }: { statement: StatementRow; onClose: () => void }) {
  const { t } = useReconciliationWords()
  const [both, setBoth] = useState<boolean | null>(null)
  const [reason, setReason] = useState('')
  const form = useForm({
    call: releaseLines,
    params: { id: statement.id },
    body: { both: both ?? false, reason: reason.trim() },
    done: t('release.done'),
    onDone: onClose,
  })
  return (
    <DialogForm
      form={form}
      title={t('release.titleMany', { count: statement.held })}
      submit={t('action.release')}
      button={{ disabled: both === null }}
      onClose={onClose}
    >
      <Text>{t('release.textMany')}</Text>
      <Answer both={both} onChange={setBoth} />
      <Reason value={reason} form={form} onChange={setReason} />
    </DialogForm>
  )
}

function Answer({ both, onChange }: { both: boolean | null; onChange: (both: boolean) => void }) {
  const { t } = useReconciliationWords()
  return (
    <Radio.Group
      label={t('release.question')}
      withAsterisk
      value={both === null ? '' : both ? 'both' : 'same'}
      onChange={(value) => onChange(value === 'both')}
    >
      <Stack gap="xs" mt="xs">
        <Radio value="both" label={t('release.both')} description={t('release.bothHelp')} />
        <Radio value="same" label={t('release.same')} description={t('release.sameHelp')} />
      </Stack>
    </Radio.Group>
  )
}
