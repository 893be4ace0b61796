import { ActionIcon, Menu, Text } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { actionsOn } from './row-action.ts'
import type { StartedActions } from './use-row-actions.ts'

type Props<Row> = { actionState: StartedActions<Row>; row: Row; name: string }

/** Menu with the actions of one row; refused ones show the reason. */
export function RowMenu<Row>({ actionState, row, name }: Props<Row>) {
  const { t } = useTranslation('list')
  const offered = actionsOn(actionState.actions, row)
  if (offered.length === 0) return null
  return (
    <Menu position="bottom-end" width="max-content">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('actionsOf', { name })}>
          <IconDots size={18} aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown maw={320}>
        {offered.map(({ action, reason }) => (
          <Menu.Item
            key={action.key}
            leftSection={action.icon}
            color={action.danger ? 'var(--mantine-color-error)' : undefined}
            {...(reason
              ? { 'aria-disabled': true, c: 'dimmed', closeMenuOnClick: false }
              : action.href
                ? ({ component: Link, to: action.href(row) } as object)
                : { onClick: () => actionState.start(action, [row]) })}
          >
            {action.label}
            {reason && (
              <Text size="xs" c="dimmed" style={{ whiteSpace: 'normal' }}>
                {reason}
              </Text>
            )}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
