import { Button, Stack, Text } from '@mantine/core'
import { useEffect } from 'react'
import classes from './door.module.css'
import { type DoorTone, signal } from './signal.ts'

type Props = {
  /** Each new scan is signalled. */
  scanId: string
  tone: DoorTone
  name: string | null | undefined
  sentence: string
  note: string | null | undefined
  action: { label: string; onClick: () => void } | null
}

/** Result of the last scan, readable at arm's length. */
export function VerdictCard({ scanId, tone, name, sentence, note, action }: Props) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a second scan with the same tone is signalled too
  useEffect(() => signal(tone), [scanId, tone])
  return (
    <div className={classes.verdict} data-tone={tone} role="status">
      <Stack gap={4} align="flex-start">
        {name && (
          <Text fw={650} size="lg">
            {name}
          </Text>
        )}
        <Text>{sentence}</Text>
        {note && (
          <Text size="sm" c="dimmed">
            {note}
          </Text>
        )}
        {action && (
          <Button variant="default" mt="xs" mih={44} onClick={action.onClick}>
            {action.label}
          </Button>
        )}
      </Stack>
    </div>
  )
}
