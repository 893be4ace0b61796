import { Button, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { wholeNumber } from '#locales/format.ts'
import classes from '#web/list/list.module.css'
import { DisabledReason } from '#web/ui/disabled-reason.tsx'
import { reasonAgainst } from './row-action.ts'
import type { StartedActions } from './use-row-actions.ts'

type Props<Row> = { rows: Row[]; actionState: StartedActions<Row>; onClear: () => void }

/** Actions for the selected rows; an action refused for all of them shows the reason. */
export function SelectionBar<Row>({ rows, actionState, onClear }: Props<Row>) {
  const { t } = useTranslation('list')
  return (
    <div className={classes.bar} data-selection role="region" aria-label={t('selection')}>
      <Text size="sm" fw={600} role="status">
        {t('selected', { count: rows.length, formatted: wholeNumber(rows.length) })}
      </Text>
      {actionState.actions
        .filter(({ many }) => many)
        .map((action) => (
          <DisabledReason
            key={action.key}
            size="compact-md"
            variant="default"
            c={action.danger ? 'var(--mantine-color-error)' : undefined}
            leftSection={action.icon}
            reason={reasonAgainst(action, rows)}
            onClick={() => actionState.start(action, rows)}
          >
            {action.label}
          </DisabledReason>
        ))}
      <Button size="compact-md" variant="transparent" onClick={onClear} children={t('clearSelection')} />
    </div>
  )
}
