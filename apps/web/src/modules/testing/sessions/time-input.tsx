import { TimePicker } from '#web/ui/form/dates.ts'

type Props = {
  label: string
  /** `09:00`; empty if there is none. */
  value: string
  onChange: (time: string) => void
  error?: string | undefined
  wrapperProps?: { 'data-field': string }
}

/** Input for a time of day. Omits the limits for numbers and texts, which its control does not have. */
export function TimeInput({ label, value, onChange, error, wrapperProps }: Props) {
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
