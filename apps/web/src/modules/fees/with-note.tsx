import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** Content of a table cell with a small note below it. */
export const withNote = (content: ReactNode, note: string | false) => (
  <>
    {content}
    {note && <Text size="xs" c="dimmed" children={note} />}
  </>
)
