import { Code, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { FeederStudent } from '#domain/students/feeder/endpoints.ts'
import { dateTime, wholeNumber } from '#locales/format.ts'
import { Card } from '#web/ui/card.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

/** Neo Feeder's answers about a student. */
export function AnswersCard({ answers }: Pick<FeederStudent, 'answers'>) {
  const { t } = useTranslation('feeder')
  const { language } = useSurroundings()
  return (
    <Card title={t('student.answers')}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t(answers.length > 0 ? 'student.answersHint' : 'student.noAnswers')}
        </Text>
        {answers.map(({ id, act, errorCode, answer, error, at, tookMs }) => (
          <div key={id}>
            <Group gap="sm">
              <StatusDot tone={errorCode === 0 ? 'done' : 'stopped'} label={act} />
              <Text size="sm" c="dimmed">
                {[
                  dateTime(at, language),
                  t('student.took', { ms: wholeNumber(tookMs) }),
                  error ?? (errorCode ? `${t('column.errorCode')} ${errorCode}` : null),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </Text>
            </Group>
            {answer && (
              <details>
                <Text component="summary" size="sm">
                  {t('student.showAnswer')}
                </Text>
                <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                  {answer}
                </Code>
              </details>
            )}
          </div>
        ))}
      </Stack>
    </Card>
  )
}
