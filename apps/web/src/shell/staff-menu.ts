import type { MenuItem } from '#domain/access/endpoints.ts'
import { pageAt } from './page-table.ts'

/** Drops the entries of pages for applicants, whatever permissions a role of staff has, and headings that held no other entry. */
export const withoutApplicantPages = (items: readonly MenuItem[]): MenuItem[] =>
  items
    .filter(({ path }) => !path || pageAt(path)?.audience !== 'applicants')
    .map((item) => ({ ...item, children: withoutApplicantPages(item.children) }))
    .filter(({ path, children }) => path || children.length > 0)
