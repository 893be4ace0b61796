import { Textarea, type TextareaProps } from '@mantine/core'

/** Why somebody does something, in a few lines. */
export const ReasonInput = (field: TextareaProps) => <Textarea withAsterisk autosize minRows={2} {...field} />
