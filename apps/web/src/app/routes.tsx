import type { PageImport } from './lazy-page.tsx'

/**
 * Which page each path shows. Paths, names, titles, breadcrumbs and permissions are in
 * packages/domain/src/navigation/screens.ts; a path stands either here or in unbuilt-paths.ts.
 */
export const pages: Record<string, PageImport | undefined> = {
  // Public
  '/404': () => import('../modules/errors/not-found-page.tsx'),
  '/500': () => import('../modules/errors/server-error-page.tsx'),
  '/outbox': () => import('../modules/outbox/outbox-page.tsx'),
}
