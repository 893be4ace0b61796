import type { MenuItem } from '#domain/access/session-endpoints.ts'
import { pageAt } from '#web/shell/page-table.ts'

/** Drops entries of applicants' pages, whatever permissions a staff role has, and headings left without entries. */
export const withoutApplicantPages = (items: readonly MenuItem[]): MenuItem[] =>
  items
    .filter(({ path }) => !path || pageAt(path)?.audience !== 'applicants')
    .map((item) => ({ ...item, children: withoutApplicantPages(item.children) }))
    .filter(({ path, children }) => path || children.length > 0)
