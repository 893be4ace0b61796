import { Button, Group, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { PasswordInput } from './password-input.tsx'

type Props = {
  label: string
  help: string
  /** Text about the stored secret; null if there is none. */
  stored: string | null
  words: { replace: string; keep: string }
  value: string
  error: string | undefined
  onChange: (value: string) => void
  /** For multi-line keys, which a single-line field would spoil. */
  lines?: boolean
}

/** A secret that can be set and replaced, never read. */
export function SecretField({ label, help, stored, words, value, error, onChange, lines }: Props) {
  const [replacing, setReplacing] = useState(false)
  if (stored && !replacing && !error)
    return (
      <div>
        <Text size="sm" fw={500}>
          {label}
        </Text>
        <Group gap="sm">
          <Text size="sm">{stored}</Text>
          <Button
            size="compact-md"
            variant="default"
            aria-label={`${words.replace}: ${label}`}
            onClick={() => setReplacing(true)}
          >
            {words.replace}
          </Button>
        </Group>
      </div>
    )
  const Field = lines ? Textarea : PasswordInput
  return (
    <Field
      {...(lines && { autosize: true, minRows: 3, maxRows: 8, spellCheck: false })}
      size="sm"
      label={label}
      description={
        <>
          {help}
          {stored && (
            <>
              {' '}
              <Button
                size="compact-xs"
                variant="transparent"
                onClick={() => {
                  onChange('')
                  setReplacing(false)
                }}
              >
                {words.keep}
              </Button>
            </>
          )}
        </>
      }
      value={value}
      error={error}
      // Browsers must neither save it nor fill in the user's password.
      autoComplete="off"
      data-1p-ignore
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
