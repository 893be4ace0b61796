import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useSurroundings } from '#web/ui/text/words.tsx'

/** Says that there is nothing to show, and offers the next action. */
export function EmptyState({ title, children }: { title?: ReactNode; children?: ReactNode }) {
  const { say } = useSurroundings()
  return (
    <Stack align="center" gap="sm" py="xl" px="md" ta="center">
      <Text fw={600}>{title ?? say('nothingHere')}</Text>
      {children}
    </Stack>
  )
}
