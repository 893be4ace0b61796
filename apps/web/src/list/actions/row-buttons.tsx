import { Group, type GroupProps } from '@mantine/core'
import { Link } from 'react-router'
import { DisabledReason } from '#web/ui/disabled-reason.tsx'
import { actionsOn, type RowAction } from './row-action.ts'
import { type StartedActions, useRowActions } from './use-row-actions.ts'

const styleOf = ({ main, danger }: RowAction<never>) => ({
  variant: main ? 'filled' : 'default',
  ...(danger && { c: 'var(--mantine-color-error)' }),
})

type ButtonsProps<Row> = { actionState: StartedActions<Row>; row: Row; size?: 'sm' | 'compact-md' } & GroupProps

/** Actions of one row as buttons; renders nothing if there are none. */
export function ButtonsOfRow<Row>({ actionState, row, size = 'compact-md', ...group }: ButtonsProps<Row>) {
  const offered = actionsOn(actionState.actions, row)
  if (offered.length === 0) return null
  return (
    <Group gap="xs" {...group}>
      {offered.map(({ action, reason }) => (
        <DisabledReason
          key={action.key}
          size={size}
          leftSection={action.icon}
          {...styleOf(action)}
          reason={reason}
          showsReason={action.main}
          loading={actionState.runningKey === action.key}
          onClick={() => actionState.start(action, [row])}
          {...(action.href && !reason && ({ component: Link, to: action.href(row), onClick: undefined } as object))}
        >
          {action.label}
        </DisabledReason>
      ))}
    </Group>
  )
}

type RecordProps<Row> = Omit<ButtonsProps<Row>, 'actionState'> & { actions: readonly RowAction<Row>[] }

/** Actions of a record outside a list, as buttons with their dialogs. */
export function RecordButtons<Row>({ actions, ...buttons }: RecordProps<Row>) {
  const actionState = useRowActions(actions)
  return (
    <>
      <ButtonsOfRow actionState={actionState} {...buttons} />
      {actionState.dialog}
    </>
  )
}
