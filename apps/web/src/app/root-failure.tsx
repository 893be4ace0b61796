import type { ReactNode } from 'react'
import { PageBoundary } from './lazy-page.tsx'

/** When not even the frame can be drawn. */
export const RootBoundary = ({ children }: { children: ReactNode }) => (
  <PageBoundary onRetry={() => location.reload()}>{children}</PageBoundary>
)
