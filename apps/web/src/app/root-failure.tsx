import type { ReactNode } from 'react'
import { PageBoundary } from './lazy-page.tsx'

/** Catches errors of the frame itself. */
export const RootBoundary = ({ children }: { children: ReactNode }) => (
  <PageBoundary onRetry={() => location.reload()}>{children}</PageBoundary>
)
