import { PasswordInput as MantinePasswordInput, type PasswordInputProps } from '@mantine/core'
import { useSurroundings } from '#web/ui/text/words.tsx'

/** A password field whose button says in the reader's language what it does. */
export function PasswordInput(props: PasswordInputProps) {
  const { say } = useSurroundings()
  return <MantinePasswordInput visibilityToggleButtonProps={{ 'aria-label': say('showTyped') }} {...props} />
}
