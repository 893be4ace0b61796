import { TimePicker } from '@mantine/dates'
import type { CheckedField } from '#web/api/use-checks.ts'

type Props = {
  label: string
  /** `09:00`; empty without a time. */
  value: string
  checked: CheckedField
  onChange: (time: string) => void
}

/** A time of the day, without the limits of numbers and texts that its control does not know. */
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
