import { Radio, Stack, Text } from '@mantine/core'
import {
  releaseLine,
  releaseLines,
  type StatementLineRow,
  type StatementRow,
} from '#domain/payments/reconciliation/endpoints.ts'
import { type Bindings, useForm } from '#web/api/use-form.ts'
import { DialogForm } from '#web/ui/form/form.tsx'
import { About, Reason } from './line-dialogs.tsx'
import classes from './reconciliation.module.css'
import { useReconciliationWords } from './words.ts'

type Decision = { both: boolean | null; reason: string }

const undecided: Decision = { both: null, reason: '' }
const bodyOf = ({ both, reason }: Decision) => ({ both: both ?? false, reason: reason.trim() })

/** Decides whether a held line is a separate transfer or repeats the similar line. */
export function ReleaseDialog({ line, onClose }: { line: StatementLineRow; onClose: () => void }) {
  const { t } = useReconciliationWords()
  const form = useForm({
    call: releaseLine,
    params: { id: line.id },
    start: undecided,
    body: bodyOf,
    done: t('release.done'),
    onDone: onClose,
  })
  return (
    <DialogForm
      form={form}
      title={t('release.title')}
      submit={t('action.release')}
      button={{ disabled: form.values.both === null }}
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
      <Answer form={form} />
      <Reason {...form.text('reason')} />
    </DialogForm>
  )
}

/** Makes the same decision for all held lines of a statement. */
export function ReleaseManyDialog({ statement, onClose }: { statement: StatementRow; onClose: () => void }) {
  const { t } = useReconciliationWords()
  const form = useForm({
    call: releaseLines,
    params: { id: statement.id },
    start: undecided,
    body: bodyOf,
    done: t('release.done'),
    onDone: onClose,
  })
  return (
    <DialogForm
      form={form}
      title={t('release.titleMany', { count: statement.held })}
      submit={t('action.release')}
      button={{ disabled: form.values.both === null }}
      onClose={onClose}
    >
      <Text>{t('release.textMany')}</Text>
      <Answer form={form} />
      <Reason {...form.text('reason')} />
    </DialogForm>
  )
}

function Answer({ form: { values, set } }: { form: Bindings<Decision> }) {
  const { t } = useReconciliationWords()
  const { both } = values
  return (
    <Radio.Group
      label={t('release.question')}
      withAsterisk
      value={both === null ? '' : both ? 'both' : 'same'}
      onChange={(value) => set({ both: value === 'both' })}
    >
      <Stack gap="xs" mt="xs">
        <Radio value="both" label={t('release.both')} description={t('release.bothHelp')} />
        <Radio value="same" label={t('release.same')} description={t('release.sameHelp')} />
      </Stack>
    </Radio.Group>
  )
}
