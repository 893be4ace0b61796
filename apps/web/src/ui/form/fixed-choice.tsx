import { Radio, Stack, Text } from '@mantine/core'

type Props<Value extends string> = {
  label: string
  value: Value
  choices: readonly { value: Value; label: string; description: string }[]
  /** Text below the value once it is stored and can no longer be changed; undefined for a new record. */
  fixed: string | undefined
  onChange: (value: Value) => void
}

/** A choice made once, in a new record: radio buttons, later only the chosen value. */
export function FixedChoice<Value extends string>({ label, value, choices, fixed, onChange }: Props<Value>) {
  if (fixed !== undefined)
    return (
      <div>
        <Text size="sm" fw={500}>
          {label}
        </Text>
        <Text>{choices.find((choice) => choice.value === value)?.label}</Text>
        <Text size="sm" c="dimmed">
          {fixed}
        </Text>
      </div>
    )
  return (
    <Radio.Group label={label} value={value} onChange={(chosen) => onChange(chosen as Value)}>
      <Stack gap="sm" mt="xs">
        {choices.map((choice) => (
          <Radio key={choice.value} {...choice} />
        ))}
      </Stack>
    </Radio.Group>
  )
}
