import { Group, type GroupProps } from '@mantine/core'
import { Link } from 'react-router'
import { DisabledReason } from '#web/ui/disabled-reason.tsx'
import { actionsOn, type RowAction } from './row-action.ts'
import { type StartedActions, useRowActions } from './use-row-actions.ts'

const look = ({ main, danger }: RowAction<never>) => ({
  variant: main ? 'filled' : 'default',
  ...(danger && { c: 'var(--mantine-color-error)' }),
})

type ButtonsProps<Row> = { started: StartedActions<Row>; row: Row; size?: 'sm' | 'compact-md' } & GroupProps

/** What can be done to one row, as buttons; nothing where nothing can. */
export function ButtonsOfRow<Row>({ started, row, size = 'compact-md', ...group }: ButtonsProps<Row>) {
  const offered = actionsOn(started.actions, row)
  if (offered.length === 0) return null
  return (
    <Group gap="xs" {...group}>
      {offered.map(({ action, reason }) => (
        <DisabledReason
          key={action.key}
          size={size}
          leftSection={action.icon}
          {...look(action)}
          reason={reason}
          loading={started.running === action.key}
          onClick={() => started.start(action, [row])}
          {...(action.href && !reason && ({ component: Link, to: action.href(row), onClick: undefined } as object))}
        >
          {action.label}
        </DisabledReason>
      ))}
    </Group>
  )
}

type RecordProps<Row> = Omit<ButtonsProps<Row>, 'started'> & { actions: readonly RowAction<Row>[] }

/** The actions of a record outside a list, as buttons with the dialogs they open. */
export function RecordButtons<Row>({ actions, ...buttons }: RecordProps<Row>) {
  const started = useRowActions(actions)
  return (
    <>
      <ButtonsOfRow started={started} {...buttons} />
      {started.dialog}
    </>
  )
}
