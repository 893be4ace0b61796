import { permissionOf } from '#entities/define/entity.ts'
import { entities } from '#entities/index.ts'

/**
 * Permissions without effect for a role limited to some study programmes: their calls answer 403. Such a role is not told
 * of them, so that pages offer no button, menus have no entry and the page itself says that it may not be opened.
 */
const wholeViewPermissions: ReadonlySet<string> = new Set([
  ...entities
    .filter(({ scope }) => !scope)
    .flatMap((entity) => (['create', 'update', 'delete'] as const).map((action) => permissionOf(entity, action))),
  ...['settings-providers-view', 'settings-providers-create', 'settings-providers-update', 'settings-approval-limits'],
  ...['rekonsiliasi-view', 'rekonsiliasi-update', 'audit-view', 'ops-invariants'],
  ...['komisi-view', 'komisi-update', 'komisi-approve'],
  ...['marketing-data-survey-siswa', 'marketing-data-survey-siswa-create', 'marketing-data-survey-siswa-view'],
  ...['marketing-prospek-view', 'marketing-prospek-update'],
  'import-nilai-cbt-view',
  ...['settings-health-view', 'settings-health-update', 'settings-opening-view', 'settings-opening-update'],
  ...['settings-campus-view', 'settings-campus-create', 'settings-campus-delete'],
  ...['settings-feeder-view', 'settings-feeder-update'],
  'jadwal-test-create',
])

/** The permissions that have an effect for a role; `isLimited`: the role is limited to some study programmes. */
export const effectivePermissions = (slugs: Iterable<string>, isLimited: boolean): ReadonlySet<string> =>
  new Set([...slugs].filter((slug) => !(isLimited && wholeViewPermissions.has(slug))))
