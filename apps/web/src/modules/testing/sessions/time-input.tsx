import { TimePicker } from '@mantine/dates'
import type { CheckedField } from '#web/api/use-checks.ts'

type Props = {
  label: string
  /** `09:00`; empty if there is none. */
  value: string
  checked: CheckedField
  onChange: (time: string) => void
}

/** Input for a time of day. Omits the limits for numbers and texts, which its control does not have. */
export function TimeInput({ label, value, checked, onChange }: Props) {
  const { error, wrapperProps } = checked
  return (
    <TimePicker
      label={label}
      format="24h"
      withDropdown
      maw={160}
      withAsterisk
      value={value}
      error={error}
      wrapperProps={wrapperProps}
      onChange={(time) => onChange(time.slice(0, 5))}
    />
  )
}
