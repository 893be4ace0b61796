import { Button, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { wholeNumber } from '#locales/format.ts'
import classes from '#web/list/list.module.css'
import { DisabledReason } from '#web/ui/disabled-reason.tsx'
import { reasonAgainst } from './row-action.ts'
import type { StartedActions } from './use-row-actions.ts'

type Props<Row> = { rows: Row[]; started: StartedActions<Row>; onClear: () => void }

/** What can be done to the selected rows; what can be done to none of them says why. */
export function SelectionBar<Row>({ rows, started, onClear }: Props<Row>) {
  const { t } = useTranslation('list')
  return (
    <div className={classes.bar} data-selection role="region" aria-label={t('selection')}>
      <Text size="sm" fw={600} role="status">
        {t('selected', { count: rows.length, formatted: wholeNumber(rows.length) })}
      </Text>
      {started.actions
        .filter(({ many }) => many)
        .map((action) => (
          <DisabledReason
            key={action.key}
            size="compact-md"
            variant="default"
            c={action.danger ? 'var(--mantine-color-error)' : undefined}
            leftSection={action.icon}
            reason={reasonAgainst(action, rows)}
            onClick={() => started.start(action, rows)}
          >
            {action.label}
          </DisabledReason>
        ))}
      <Button size="compact-md" variant="transparent" onClick={onClear} children={t('clearSelection')} />
    </div>
  )
}
