import { ActionIcon, Tooltip } from '@mantine/core'
import { IconCalendarDollar, IconCalendarOff } from '@tabler/icons-react'

type SwitchProps = {
  allowed: boolean
  label: string
  quiet?: boolean
  readOnly?: boolean
  onChange: (allowed: boolean) => void
}

/** Allows instalments for an amount. With `quiet`, Tab skips it, because the letter I in the cell does the same. */
export function InstallmentSwitch({ allowed, label, quiet, readOnly, onChange }: SwitchProps) {
  const Icon = allowed ? IconCalendarDollar : IconCalendarOff
  return (
    <Tooltip label={label} events={{ hover: true, focus: true, touch: true }}>
      <ActionIcon
        variant="subtle"
        size={28}
        color={allowed ? 'primary' : 'gray'}
        tabIndex={quiet ? -1 : 0}
        aria-label={label}
        aria-pressed={allowed}
        onClick={() => !readOnly && onChange(!allowed)}
      >
        <Icon size={18} aria-hidden="true" />
      </ActionIcon>
    </Tooltip>
  )
}
