import { PasswordInput as MantinePasswordInput, type PasswordInputProps } from '@mantine/core'
import { useSurroundings } from '#web/ui/text/words.tsx'

/** A password field whose button is labelled in the reader's language and reached by keyboard. */
export function PasswordInput(props: PasswordInputProps) {
  const { say } = useSurroundings()
  return (
    <MantinePasswordInput
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ 'aria-label': say('showTyped') }}
      {...props}
    />
  )
}
