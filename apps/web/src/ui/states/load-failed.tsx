import { useSurroundings } from '#web/ui/text/words.tsx'
import { ErrorState } from './error-state.tsx'

type Props = { error?: { message: string } | null; onRetry: () => unknown }

/** Error page with the server's sentence and a retry button. */
export function LoadFailed({ error, onRetry }: Props) {
  const { say } = useSurroundings()
  return (
    <ErrorState
      title={say('errors.title')}
      message={error?.message}
      retryLabel={say('actions.retry')}
      onRetry={() => void onRetry()}
    />
  )
}
