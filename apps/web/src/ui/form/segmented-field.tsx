import { SegmentedControl, Text } from '@mantine/core'
import { useId } from 'react'

type Props<Value extends string> = {
  label: string
  data: { value: Value; label: string }[]
  value: Value
  onChange: (value: Value) => void
  disabled?: boolean
}

/** A labelled choice among few values that are all visible. */
export function SegmentedField<Value extends string>({ label, data, value, onChange, disabled }: Props<Value>) {
  const id = useId()
  return (
    <div>
      <Text fw={500} size="sm" id={id}>
        {label}
      </Text>
      <SegmentedControl
        aria-labelledby={id}
        data={data}
        value={value}
        onChange={onChange}
        {...(disabled !== undefined && { disabled })}
      />
    </div>
  )
}
