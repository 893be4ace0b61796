import type { MenuItem } from '#domain/access/session-endpoints.ts'
import { pageAt } from '#web/shell/page-table.ts'

/** Drops entries for applicants' pages, whatever permissions a staff role has, and headings left empty. */
export const withoutApplicantPages = (items: readonly MenuItem[]): MenuItem[] =>
  items
    .filter(({ path }) => !path || pageAt(path)?.audience !== 'applicants')
    .map((item) => ({ ...item, children: withoutApplicantPages(item.children) }))
    .filter(({ path, children }) => path || children.length > 0)

/**
 * Drops entries for staff pages, which an applicant's permission may name too: the one for the chat opens their own
 * side. Applicants load no staff pages, so an address without a page belongs to one.
 */
export const withoutStaffPages = (items: readonly MenuItem[]): MenuItem[] =>
  items
    .filter(({ path }) => !path?.startsWith('/') || (pageAt(path)?.audience ?? 'staff') !== 'staff')
    .map((item) => ({ ...item, children: withoutStaffPages(item.children) }))
    .filter(({ path, children }) => path || children.length > 0)
