import { Button, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { ErrorIcon } from '#web/ui/icons.tsx'

type Props = { title: string; message?: ReactNode; retryLabel?: string; onRetry?: () => void; children?: ReactNode }

/** Replaces the content after an error: the error and the next action. */
export function ErrorState({ title, message, retryLabel, onRetry, children }: Props) {
  return (
    <Stack align="center" gap="sm" py="xl" px="md" maw={520} mx="auto" ta="center" role="alert">
      <ErrorIcon size={48} />
      <Title order={1} size="h2">
        {title}
      </Title>
      {message && <Text c="dimmed">{message}</Text>}
      {onRetry && retryLabel && (
        <Button mt="sm" onClick={onRetry}>
          {retryLabel}
        </Button>
      )}
      {children}
    </Stack>
  )
}
