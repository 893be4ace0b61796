import { useRouteError } from 'react-router'
import { ChunkFailed, Crashed } from './failed-page.tsx'

/** When not even the frame can be drawn. */
export function RootFailure() {
  const error = useRouteError()
  const chunk = error instanceof Error && error.name === 'ChunkLoadError'
  const retry = () => location.reload()
  return chunk ? <ChunkFailed onRetry={retry} /> : <Crashed onRetry={retry} />
}
