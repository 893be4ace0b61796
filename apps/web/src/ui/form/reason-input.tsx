import { Textarea, type TextareaProps } from '@mantine/core'

/** Required text area for the reason of an action. */
export const ReasonInput = (field: TextareaProps) => <Textarea withAsterisk autosize minRows={2} {...field} />
