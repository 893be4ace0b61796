import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { HealthLine } from '#domain/health/endpoints.ts'
import { healthStates } from '#domain/health/lines.ts'
import { Card } from '#web/ui/card.tsx'
import classes from './health.module.css'
import { StateDot } from './state-dot.tsx'
import { useFacts } from './use-facts.ts'

/** All lines with their state; those with problems first, with what to do. */
export function LinesCard({ lines, title }: { lines: readonly HealthLine[]; title: string }) {
  const { t } = useTranslation('health')
  const { facts } = useFacts()
  const worstFirst = lines.toSorted((a, b) => healthStates.indexOf(b.state) - healthStates.indexOf(a.state))
  return (
    <Card title={title}>
      <ul className={classes.lines}>
        {worstFirst.map((line) => (
          <li key={line.name} id={line.name} className={classes.line}>
            <div className={classes.head}>
              <Text fw={600}>{t(`lines.${line.name}`)}</Text>
              <StateDot state={line.state} />
            </div>
            <Text size="sm" className={classes.says}>
              {t(`says.${line.code}`, facts(line.facts))}
            </Text>
            <Text size="sm" c="dimmed">
              {t(`means.${line.name}`)}
            </Text>
            {line.state !== 'ok' && (
              <Text size="sm" className={classes.says}>
                <strong>{t('whatToDo')}:</strong> {t(`todo.${line.name}`)}{' '}
                {t('runbook', { file: `docs/runbooks/health.md#${line.name}` })}
              </Text>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
