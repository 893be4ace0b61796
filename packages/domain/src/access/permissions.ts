import { reportNames } from '#domain/reports/report-names.ts'
import { type EntityAction, permissionOf } from '#entities/define/entity.ts'
import type { Localized } from '#entities/define/field.ts'
import { entities } from '#entities/index.ts'

export type Permission = {
  slug: string
  name: Localized
  /** Heading it is listed under where permissions are given to a role. */
  group: PermissionGroup
}

export const permissionGroups = {
  admissions: { en: 'Admissions', id: 'Pendaftaran' },
  students: { en: 'Students', id: 'Mahasiswa' },
  finance: { en: 'Finance', id: 'Keuangan' },
  marketing: { en: 'Marketing', id: 'Marketing' },
  master: { en: 'Master data', id: 'Data master' },
  reports: { en: 'Reports', id: 'Laporan' },
  settings: { en: 'Settings', id: 'Pengaturan' },
} as const satisfies Record<string, Localized>

export type PermissionGroup = keyof typeof permissionGroups

const verbs = {
  view: { en: 'View', id: 'Lihat' },
  create: { en: 'Create', id: 'Tambah' },
  update: { en: 'Edit', id: 'Ubah' },
  edit: { en: 'Edit', id: 'Ubah' },
  delete: { en: 'Delete', id: 'Hapus' },
} as const
type Verb = keyof typeof verbs

const one = (group: PermissionGroup, slug: string, en: string, id: string): Permission => ({
  slug,
  name: { en, id },
  group,
})

/** `{prefix}-{verb}` for each verb, named after the thing. */
const several = (group: PermissionGroup, prefix: string, en: string, id: string, ...actions: Verb[]): Permission[] =>
  actions.map((verb) => one(group, `${prefix}-${verb}`, `${verbs[verb].en}: ${en}`, `${verbs[verb].id}: ${id}`))

const admissions = [
  one('admissions', 'pendaftaran-view', 'View registrations', 'Lihat pendaftaran'),
  one('admissions', 'pendaftaran-create', 'Start a registration', 'Buat pendaftaran'),
  one('admissions', 'pendaftaran-edit', 'Change and submit a registration', 'Ubah dan kirim pendaftaran'),
  one('admissions', 'pendaftaran-voucher', 'Use a voucher', 'Pakai voucher'),
  one('admissions', 'pendaftaran-verify', 'Verify documents of registrations', 'Verifikasi berkas pendaftaran'),
  one('admissions', 'pendaftaran-decide', 'Decide on registrations', 'Putuskan kelulusan'),
  one('admissions', 'pendaftaran-publish', 'Publish results', 'Umumkan hasil'),
  one('admissions', 'pendaftaran-confirm', 'Confirm on behalf of applicants', 'Konfirmasi atas nama pendaftar'),
  one('admissions', 'pendaftaran-profile-view', 'See the whole data of applicants', 'Lihat data lengkap pendaftar'),
  one('admissions', 'pendaftaran-profile-identity', 'See the NIK of applicants in full', 'Lihat NIK pendaftar utuh'),
  one('admissions', 'pendaftaran-profile-update', 'Correct the data of applicants', 'Perbaiki data pendaftar'),
  one('admissions', 'pendaftaran-note', 'Write notes on registrations', 'Tulis catatan pendaftaran'),
  one('admissions', 'konfirmasi-kelulusan-view', 'Graduation confirmation', 'Konfirmasi kelulusan'),
  one('admissions', 'pindah-prodi-view', 'See changes of study programme', 'Lihat pindah program studi'),
  one(
    'admissions',
    'pindah-prodi-update',
    'Change the study programme of applicants',
    'Pindahkan program studi pendaftar',
  ),
  one('admissions', 'kirim-informasi-view', 'Send information to registrations', 'Kirim informasi ke pendaftar'),
  one(
    'admissions',
    'kirim-informasi-file-excel',
    'Send information from an Excel file',
    'Kirim informasi dari berkas Excel',
  ),
  one('admissions', 'import-nilai-cbt-view', 'Import CBT scores', 'Impor nilai CBT'),
  ...several(
    'admissions',
    'jadwal-test',
    'test schedule of applicants',
    'jadwal tes pendaftar',
    'view',
    'create',
    'update',
  ),
  one('admissions', 'private-chat', 'Private chat', 'Obrolan pribadi'),
]

const students = [
  ...several('students', 'berkas-mahasiswa', 'student documents', 'berkas mahasiswa', 'view', 'update'),
  ...several('students', 'sim-mahasiswa', 'student driving licences', 'SIM mahasiswa', 'view', 'update'),
  one('students', 'download-foto-mahasiswa', 'Download student photos', 'Unduh foto mahasiswa'),
  ...several('students', 'npm-mahasiswa', 'student numbers', 'NPM mahasiswa', 'view', 'update'),
  ...several('students', 'jaket-mahasiswa', 'student jackets', 'jaket mahasiswa', 'view', 'create', 'update'),
]

const finance = [
  ...several('finance', 'pembayaran-mahasiswa', 'student payments', 'pembayaran mahasiswa', 'view', 'create', 'update'),
  ...several('finance', 'persetujuan', 'requests for approval', 'permintaan persetujuan', 'view', 'update'),
  ...several(
    'finance',
    'rekonsiliasi',
    'bank statements and reconciliation',
    'rekening koran dan rekonsiliasi',
    'view',
    'update',
  ),
  ...several('finance', 'transaksi-va', 'virtual account transactions', 'transaksi VA', 'view', 'create', 'update'),
]

const marketing = [
  ...several('marketing', 'event-afiliator', 'affiliate events', 'event afiliator', 'view', 'create', 'update'),
  one('marketing', 'marketing-data-survey-siswa', 'Student survey data', 'Data survei siswa'),
  ...several('marketing', 'marketing-data-survey-siswa', 'student survey data', 'data survei siswa', 'create', 'view'),
  one('marketing', 'marketing-kirim-informasi-view', 'Send marketing information', 'Kirim informasi marketing'),
]

const master: Permission[] = [
  ...entities.flatMap((entity) =>
    (['view', 'create', 'update', 'delete'] as const satisfies EntityAction[]).map((action) =>
      one(
        'master',
        permissionOf(entity, action),
        `${verbs[action].en}: ${entity.label.one.en.toLowerCase()}`,
        `${verbs[action].id}: ${entity.label.one.id.toLowerCase()}`,
      ),
    ),
  ),
]

const reports = Object.entries<Localized>(reportNames).map(([slug, { en, id }]) =>
  one('reports', `laporan-${slug}`, `Report: ${en}`, `Laporan ${id}`),
)

const settings = [
  ...several('settings', 'settings-url', 'menu addresses', 'alamat menu', 'view', 'create', 'update', 'delete'),
  ...several('settings', 'settings-accounts', 'accounts', 'akun', 'view', 'create', 'update'),
  one(
    'settings',
    'settings-accounts-impersonate',
    'See PMB Online as another account',
    'Lihat PMB Online sebagai akun lain',
  ),
  ...several('settings', 'settings-permissions', 'permissions', 'izin', 'view', 'create', 'update', 'delete'),
  ...several('settings', 'settings-roles', 'roles', 'peran', 'view', 'create', 'update', 'delete'),
  one('settings', 'settings-roles-menus', 'Menus of a role', 'Menu peran'),
  one('settings', 'settings-roles-permissions', 'Permissions of a role', 'Izin peran'),
  ...several(
    'settings',
    'settings-whatsapp',
    'WhatsApp connection',
    'koneksi WhatsApp',
    'view',
    'create',
    'update',
    'delete',
  ),
  ...several(
    'settings',
    'settings-providers',
    'banks and gateways',
    'bank dan gerbang pembayaran',
    'view',
    'create',
    'update',
  ),
  one('settings', 'settings-approval-limits', 'Limits of approval', 'Batas persetujuan'),
  ...several('settings', 'settings-general', 'general settings', 'pengaturan umum', 'view', 'update'),
  one('settings', 'settings-imports-view', 'Imports of data', 'Impor data'),
  one('settings', 'audit-view', 'View the audit log', 'Lihat log audit'),
  one('settings', 'ops-invariants', 'Check the books for contradictions', 'Periksa kejanggalan pembukuan'),
]

const all: Permission[] = [...admissions, ...students, ...finance, ...marketing, ...master, ...reports, ...settings]

/** Every permission the program knows. A role may hold further ones made in the back office, which guard nothing yet. */
export const permissions: readonly Permission[] = [
  ...new Map(all.map((permission) => [permission.slug, permission])).values(),
]

/** Names of these permissions by slug. */
export const permissionNames: ReadonlyMap<string, Localized> = new Map(
  permissions.map(({ slug, name }) => [slug, name]),
)

export const permissionSlugs: ReadonlySet<string> = new Set(permissions.map((permission) => permission.slug))
