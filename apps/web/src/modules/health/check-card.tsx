import { Alert, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type ConnectionCheck, isProblemResult } from '#domain/health/connection-checks.ts'
import type { CheckOutcome, CheckResult } from '#domain/health/endpoints.ts'
import { dateTime } from '#locales/format.ts'
import { Card } from '#web/ui/card.tsx'
import { Copied } from '#web/ui/text/copied.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './health.module.css'
import { StateDot } from './state-dot.tsx'
import { useFacts } from './use-facts.ts'

type Props = {
  name: ConnectionCheck
  /** Description of the check. */
  text: string
  outcome: CheckOutcome | undefined
  /** The form or button that starts it. */
  children: ReactNode
}

/** One check: description, form to start it, and last results. */
export function CheckCard({ name, text, outcome, children }: Props) {
  const { t } = useTranslation('health')
  const { language } = useSurroundings()
  return (
    <Card title={t(`checkNames.${name}`)}>
      <Stack gap="md" id={`check-${name}`}>
        <Text size="sm" c="dimmed" className={classes.says}>
          {text}
        </Text>
        {children}
        <Stack gap="md" aria-live="polite">
          {outcome?.results.map((result) => (
            <Result key={result.code} result={result} />
          ))}
          <Text size="xs" c="dimmed">
            {outcome
              ? t('checkedBy', { at: dateTime(outcome.checkedAt, language), name: outcome.checkedBy ?? t('unknown') })
              : t('notChecked')}
          </Text>
        </Stack>
      </Stack>
    </Card>
  )
}

function Result({ result: { code, state, facts: values, answer, record } }: { result: CheckResult }) {
  const { t } = useTranslation('health')
  const { facts } = useFacts()
  return (
    <Stack gap={6}>
      <div className={classes.head}>
        <Text className={classes.says}>{t(`results.${code}`, facts(values))}</Text>
        <StateDot state={state} />
      </div>
      {answer && (
        <Text size="sm" component="div">
          {t('answer')}: <code className={classes.answer}>{answer}</code>
        </Text>
      )}
      {isProblemResult(code) && (
        <Text size="sm" className={classes.says}>
          <strong>{t('whatToDo')}:</strong> {t(`helps.${code}`)}
        </Text>
      )}
      {record && (
        <Alert color="gray" variant="light" title={t('recordToAdd')}>
          <Stack gap="xs">
            <Copied label={t('recordName')} value={record.name} />
            <Text size="sm">
              {t('recordType')}: {record.type}
            </Text>
            <Copied label={t('recordValue')} value={record.value} />
          </Stack>
        </Alert>
      )}
    </Stack>
  )
}
