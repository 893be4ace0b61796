import {
  Component,
  type ComponentType,
  type LazyExoticComponent,
  lazy,
  type ReactNode,
  Suspense,
  useReducer,
} from 'react'
import { navigationConstants } from '#domain/navigation/constants.ts'
import { hasNewerBuild } from '#web/api/newer-build.ts'
import type { PageImport } from '#web/shell/page.ts'
import { PageSkeleton } from '#web/shell/page-skeleton.tsx'
import { ChunkFailed, Crashed } from './failed-page.tsx'

class ChunkLoadError extends Error {
  override name = 'ChunkLoadError'
}

/** Loads a script; rejects with `ChunkLoadError` if the load fails or takes longer than two minutes. */
export function arrive<T>(load: () => Promise<T>, timeout: number = navigationConstants.chunkLoadTimeout): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new ChunkLoadError('Loading chunk failed')), timeout)
    load()
      .then(resolve, (cause) => reject(new ChunkLoadError('Loading chunk failed', { cause })))
      .finally(() => clearTimeout(timer))
  })
}

type BoundaryProps = { children: ReactNode; onRetry: (failure: Error) => void }

export class PageBoundary extends Component<BoundaryProps, { failure: Error | null }> {
  override state: { failure: Error | null } = { failure: null }
  static getDerivedStateFromError(failure: Error) {
    return { failure }
  }
  private readonly retry = () => {
    const { failure } = this.state
    this.setState({ failure: null })
    if (failure) this.props.onRetry(failure)
  }
  override render() {
    const { failure } = this.state
    if (!failure) return this.props.children
    return failure instanceof ChunkLoadError ? <ChunkFailed onRetry={this.retry} /> : <Crashed onRetry={this.retry} />
  }
}

const pages = new WeakMap<PageImport, LazyExoticComponent<ComponentType>>()
const failedBefore = new WeakSet<PageImport>()

/** One page of the route table: a skeleton until its script arrives, an error with a retry button if loading fails. */
export function LazyPage({ load }: { load: PageImport }) {
  const [, rerender] = useReducer((count: number) => count + 1, 0)
  let Page = pages.get(load)
  if (!Page) {
    Page = lazy(() => arrive(load))
    pages.set(load, Page)
  }
  const retry = (failure: Error) => {
    // Some browsers cache a failed script until a reload, so the second try reloads the page. Scripts of an older build
    // may no longer exist.
    if (failure instanceof ChunkLoadError && (failedBefore.has(load) || hasNewerBuild())) return location.reload()
    if (failure instanceof ChunkLoadError) failedBefore.add(load)
    pages.delete(load)
    rerender()
  }
  return (
    <PageBoundary onRetry={retry}>
      <Suspense fallback={<PageSkeleton />}>
        <Page />
      </Suspense>
    </PageBoundary>
  )
}
