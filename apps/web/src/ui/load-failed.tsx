import { ErrorState } from './error-state.tsx'
import { useSurroundings } from './words.tsx'

type Props = { error?: { message: string } | null; onRetry: () => unknown }

/** A page whose data did not come: the sentence of the server, and trying again. */
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
