import { Alert, Button, Group, Text } from '@mantine/core'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { LoadingRows } from './loading-rows.tsx'

type Failed = { error: { message: string; status?: number } | null; onRetry: () => unknown }

/**
 * Replaces a part of a page that could not be read: its name (`what`), the server's sentence and a retry button, except
 * after 404.
 */
export function Missing({ what, error, onRetry }: Failed & { what?: string }) {
  const { say } = useSurroundings()
  if (!error) return null
  return (
    <Alert
      color="red"
      variant="light"
      role="alert"
      title={what ? say('errors.missing', { what }) : say('errors.title')}
      className="no-print"
    >
      <Group justify="space-between" gap="xs">
        <Text size="sm">{error.message}</Text>
        {error.status !== 404 && (
          <Button variant="default" size="compact-md" onClick={() => void onRetry()}>
            {say('actions.retry')}
          </Button>
        )}
      </Group>
    </Alert>
  )
}

type Waiting = Failed & { what?: string; rows?: number; height?: number }

/** Skeleton rows while loading; `Missing` after a failure. */
export function LoadingOrFailed({ rows, height, ...failed }: Waiting) {
  return failed.error ? (
    <Missing {...failed} />
  ) : (
    <LoadingRows {...(rows !== undefined && { rows })} {...(height !== undefined && { height })} />
  )
}

/** Sentence for a select whose options could not be read. */
export function useMissing() {
  const { say } = useSurroundings()
  return (what: string, error: { message: string } | null) =>
    error ? `${say('errors.missing', { what })} ${error.message}` : undefined
}
