import { permissionOf } from '#entities/define/entity.ts'
import { entities } from '#entities/index.ts'

const writesOf = (chosen: typeof entities) =>
  chosen.flatMap((entity) => (['create', 'update', 'delete'] as const).map((action) => permissionOf(entity, action)))

/**
 * Permissions whose writes stay within the rows of a role limited to some study programmes, by a row scope or a module
 * check. Under any other permission such a role gets 403 for writes, because the rows apply to all programmes. A new
 * permission opens writes to limited roles only once it is listed here.
 */
const limitedWrites: ReadonlySet<string> = new Set([
  ...writesOf(entities.filter(({ scope }) => scope)),
  ...['pendaftaran-view', 'pendaftaran-create', 'pendaftaran-counter', 'pendaftaran-edit', 'pendaftaran-voucher'],
  ...['pendaftaran-verify'],
  ...['pendaftaran-decide', 'pendaftaran-publish', 'pendaftaran-confirm', 'pendaftaran-profile-update'],
  ...['pendaftaran-note', 'konfirmasi-kelulusan-view', 'pindah-prodi-view', 'pindah-prodi-update'],
  ...['seleksi-view', 'seleksi-update', 'jadwal-test-update', 'import-nilai-cbt-view', 'private-chat'],
  ...['kirim-informasi-view', 'kirim-informasi-file-excel', 'marketing-kirim-informasi-view'],
  ...['berkas-mahasiswa-update', 'sim-mahasiswa-update', 'mahasiswa-feeder-update', 'npm-mahasiswa-update'],
  ...['download-foto-mahasiswa', 'jaket-mahasiswa-create', 'jaket-mahasiswa-update', 'surat-create', 'surat-update'],
  ...['pembayaran-mahasiswa-create', 'pembayaran-mahasiswa-update', 'persetujuan-view', 'persetujuan-update'],
  ...['transaksi-va-create', 'transaksi-va-update', 'event-afiliator-view', 'afiliator-saya'],
  ...['settings-accounts-create', 'settings-accounts-update', 'settings-accounts-impersonate'],
  ...['settings-roles-create', 'settings-roles-update', 'settings-roles-delete'],
  ...['settings-roles-menus', 'settings-roles-permissions'],
])

/** Whether a role limited to some study programmes may write with this permission. */
export const opensLimitedWrites = (slug: string) => limitedWrites.has(slug)

/** Permissions whose pages cover the whole university. */
const wholeViews: ReadonlySet<string> = new Set([
  ...['settings-providers-view', 'settings-approval-limits', 'rekonsiliasi-view', 'audit-view', 'ops-invariants'],
  ...['komisi-view', 'marketing-prospek-view', 'marketing-data-survey-siswa', 'marketing-data-survey-siswa-view'],
  ...['import-nilai-cbt-view', 'settings-health-view', 'settings-opening-view'],
  ...['settings-campus-view', 'settings-feeder-view'],
])

const sharedWrites: ReadonlySet<string> = new Set(writesOf(entities.filter(({ scope }) => !scope)))
const isWrite = (slug: string) => sharedWrites.has(slug) || /-(create|update|edit|delete|approve)$/.test(slug)

/**
 * Permissions that have an effect for a role; `isLimited` means limited to some study programmes. The others are
 * withheld from such a role: pages offer no button, menus have no entry and the page itself refuses to open.
 */
export const effectivePermissions = (slugs: Iterable<string>, isLimited: boolean): ReadonlySet<string> =>
  new Set(
    [...slugs].filter((slug) => !(isLimited && (wholeViews.has(slug) || (isWrite(slug) && !opensLimitedWrites(slug))))),
  )
