import { reportNames } from '#domain/reports/report-names.ts'
import { type EntityAction, permissionOf } from '#entities/define/entity.ts'
import type { Localized } from '#entities/define/language.ts'
import { entities } from '#entities/index.ts'

export type Permission = {
  slug: string
  name: Localized
  /** Heading above the permission in the role form. */
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
  approve: { en: 'Approve', id: 'Setujui' },
  delete: { en: 'Delete', id: 'Hapus' },
} as const
type Verb = keyof typeof verbs

const definePermission = (group: PermissionGroup, slug: string, en: string, id: string): Permission => ({
  slug,
  name: { en, id },
  group,
})

/** One permission per verb, with the slug `{prefix}-{verb}`. */
const defineVerbPermissions = (
  group: PermissionGroup,
  prefix: string,
  en: string,
  id: string,
  ...actions: Verb[]
): Permission[] =>
  actions.map((verb) =>
    definePermission(group, `${prefix}-${verb}`, `${verbs[verb].en}: ${en}`, `${verbs[verb].id}: ${id}`),
  )

const admissions = [
  definePermission('admissions', 'pendaftaran-view', 'View registrations', 'Lihat pendaftaran'),
  definePermission('admissions', 'pendaftaran-create', 'Create registrations', 'Buat pendaftaran'),
  definePermission('admissions', 'pendaftaran-counter', 'Register people at the counter', 'Daftarkan orang di loket'),
  definePermission('admissions', 'pendaftaran-edit', 'Change and submit a registration', 'Ubah dan kirim pendaftaran'),
  definePermission('admissions', 'pendaftaran-voucher', 'Use a voucher', 'Pakai voucher'),
  definePermission(
    'admissions',
    'pendaftaran-verify',
    'Verify documents of registrations',
    'Verifikasi berkas pendaftaran',
  ),
  definePermission('admissions', 'pendaftaran-decide', 'Decide on registrations', 'Putuskan penerimaan'),
  definePermission('admissions', 'pendaftaran-publish', 'Publish results', 'Umumkan hasil'),
  definePermission(
    'admissions',
    'pendaftaran-confirm',
    'Confirm on behalf of applicants',
    'Konfirmasi atas nama pendaftar',
  ),
  definePermission(
    'admissions',
    'pendaftaran-profile-view',
    'See the full data of applicants',
    'Lihat data lengkap pendaftar',
  ),
  definePermission(
    'admissions',
    'pendaftaran-profile-identity',
    'See the NIK of applicants in full',
    'Lihat NIK pendaftar utuh',
  ),
  definePermission(
    'admissions',
    'pendaftaran-profile-update',
    'Correct the data of applicants',
    'Perbaiki data pendaftar',
  ),
  definePermission('admissions', 'pendaftaran-note', 'Write notes on registrations', 'Tulis catatan pendaftaran'),
  definePermission('admissions', 'konfirmasi-kelulusan-view', 'Confirmation of admission', 'Konfirmasi kesediaan'),
  definePermission('admissions', 'pindah-prodi-view', 'See changes of study programme', 'Lihat pindah prodi'),
  definePermission(
    'admissions',
    'pindah-prodi-update',
    'Change the study programme of applicants',
    'Pindahkan program studi pendaftar',
  ),
  definePermission(
    'admissions',
    'kirim-informasi-view',
    'Send information to registrations',
    'Kirim informasi ke pendaftar',
  ),
  definePermission(
    'admissions',
    'kirim-informasi-file-excel',
    'Send information from an Excel file',
    'Kirim informasi dari berkas Excel',
  ),
  definePermission('admissions', 'import-nilai-cbt-view', 'Import CBT scores', 'Impor nilai CBT'),
  definePermission(
    'admissions',
    'seleksi-view',
    'See selections and reserve lists',
    'Lihat seleksi dan daftar cadangan',
  ),
  definePermission(
    'admissions',
    'seleksi-update',
    'Run selections, offer reserve places',
    'Jalankan seleksi, tawarkan kursi cadangan',
  ),
  ...defineVerbPermissions(
    'admissions',
    'jadwal-test',
    'test schedule of applicants',
    'jadwal tes pendaftar',
    'view',
    'create',
    'update',
  ),
  ...defineVerbPermissions('admissions', 'seleksi', 'selection of applicants', 'seleksi pendaftar', 'view', 'update'),
  definePermission('admissions', 'private-chat', 'Private chat', 'Percakapan dengan pendaftar'),
]

const students = [
  ...defineVerbPermissions('students', 'berkas-mahasiswa', 'student documents', 'berkas mahasiswa', 'view', 'update'),
  ...defineVerbPermissions('students', 'sim-mahasiswa', 'student driving licences', 'SIM mahasiswa', 'view', 'update'),
  ...defineVerbPermissions(
    'students',
    'mahasiswa-feeder',
    'students in Neo Feeder',
    'mahasiswa di Neo Feeder',
    'view',
    'update',
  ),
  definePermission(
    'students',
    'download-mahasiswa-feeder',
    'Download students with identity numbers for the ministry',
    'Unduh mahasiswa beserta nomor identitas untuk kementerian',
  ),
  definePermission('students', 'download-foto-mahasiswa', 'Download student photos', 'Unduh foto mahasiswa'),
  ...defineVerbPermissions('students', 'npm-mahasiswa', 'student numbers', 'NPM mahasiswa', 'view', 'update'),
  ...defineVerbPermissions(
    'students',
    'jaket-mahasiswa',
    'student jackets',
    'jaket mahasiswa',
    'view',
    'create',
    'update',
  ),
]

const letters = defineVerbPermissions('students', 'surat', 'letters', 'surat', 'view', 'create', 'update')

const finance = [
  ...defineVerbPermissions(
    'finance',
    'pembayaran-mahasiswa',
    'student payments',
    'pembayaran mahasiswa',
    'view',
    'create',
    'update',
  ),
  ...defineVerbPermissions(
    'finance',
    'persetujuan',
    'requests for approval',
    'permintaan persetujuan',
    'view',
    'update',
  ),
  ...defineVerbPermissions(
    'finance',
    'rekonsiliasi',
    'bank statements and reconciliation',
    'rekening koran dan rekonsiliasi',
    'view',
    'update',
  ),
  ...defineVerbPermissions(
    'finance',
    'transaksi-va',
    'virtual account transactions',
    'transaksi VA',
    'view',
    'create',
    'update',
  ),
]

const marketing = [
  ...defineVerbPermissions(
    'marketing',
    'event-afiliator',
    'affiliate events',
    'acara afiliator',
    'view',
    'create',
    'update',
  ),
  definePermission('marketing', 'marketing-data-survey-siswa', 'Student surveys', 'Data survei siswa'),
  ...defineVerbPermissions(
    'marketing',
    'marketing-data-survey-siswa',
    'student surveys',
    'data survei siswa',
    'create',
    'view',
  ),
  definePermission(
    'marketing',
    'marketing-kirim-informasi-view',
    'Send marketing messages',
    'Kirim informasi ke prospek dan mitra',
  ),
  ...defineVerbPermissions('marketing', 'marketing-prospek', 'leads', 'prospek', 'view', 'update'),
]

const commission = [
  ...defineVerbPermissions('marketing', 'komisi', 'commission', 'komisi', 'view', 'update', 'approve'),
  definePermission('marketing', 'afiliator-saya', 'Own affiliate page', 'Halaman afiliator sendiri'),
]

const master: Permission[] = [
  ...entities.flatMap((entity) =>
    (['view', 'create', 'update', 'delete'] as const satisfies EntityAction[]).map((action) =>
      definePermission(
        'master',
        permissionOf(entity, action),
        `${verbs[action].en}: ${entity.label.one.en.toLowerCase()}`,
        `${verbs[action].id}: ${entity.label.one.id.toLowerCase()}`,
      ),
    ),
  ),
]

const reports = Object.entries<Localized>(reportNames).map(([slug, { en, id }]) =>
  definePermission('reports', `laporan-${slug}`, `Report: ${en}`, `Laporan ${id}`),
)

const settings = [
  ...defineVerbPermissions(
    'settings',
    'settings-url',
    'menu addresses',
    'alamat menu',
    'view',
    'create',
    'update',
    'delete',
  ),
  ...defineVerbPermissions('settings', 'settings-accounts', 'accounts', 'akun', 'view', 'create', 'update'),
  definePermission(
    'settings',
    'settings-accounts-impersonate',
    'See PMB Online as another account',
    'Lihat PMB Online sebagai akun lain',
  ),
  ...defineVerbPermissions(
    'settings',
    'settings-permissions',
    'permissions',
    'izin',
    'view',
    'create',
    'update',
    'delete',
  ),
  ...defineVerbPermissions('settings', 'settings-roles', 'roles', 'peran', 'view', 'create', 'update', 'delete'),
  definePermission('settings', 'settings-roles-menus', 'Role menus', 'Menu peran'),
  definePermission('settings', 'settings-roles-permissions', 'Role permissions', 'Izin peran'),
  ...defineVerbPermissions(
    'settings',
    'settings-whatsapp',
    'WhatsApp connection',
    'koneksi WhatsApp',
    'view',
    'create',
    'update',
    'delete',
  ),
  ...defineVerbPermissions(
    'settings',
    'settings-providers',
    'banks and gateways',
    'bank dan payment gateway',
    'view',
    'create',
    'update',
  ),
  definePermission('settings', 'settings-approval-limits', 'Approval limits', 'Batas persetujuan'),
  ...defineVerbPermissions('settings', 'settings-general', 'general settings', 'pengaturan umum', 'view', 'update'),
  ...defineVerbPermissions(
    'settings',
    'settings-opening',
    'opening of registration',
    'pembukaan pendaftaran',
    'view',
    'update',
  ),
  ...defineVerbPermissions('settings', 'settings-health', 'system health', 'kesehatan sistem', 'view', 'update'),
  ...defineVerbPermissions(
    'settings',
    'settings-campus',
    'campus system access',
    'akses sistem kampus',
    'view',
    'create',
    'delete',
  ),
  ...defineVerbPermissions(
    'settings',
    'settings-feeder',
    'connection to Neo Feeder',
    'koneksi Neo Feeder',
    'view',
    'update',
  ),
  definePermission('settings', 'settings-imports-view', 'Data imports', 'Impor data'),
  definePermission('settings', 'audit-view', 'View the audit log', 'Lihat log audit'),
  definePermission('settings', 'ops-invariants', 'Check the books for contradictions', 'Periksa kejanggalan pembukuan'),
]

const all: Permission[] = [
  ...admissions,
  ...students,
  ...letters,
  ...finance,
  ...marketing,
  ...commission,
  ...master,
  ...reports,
  ...settings,
]

/**
 * Every permission the code knows. Roles may also hold permissions created in the back office; no route checks those.
 */
export const permissions: readonly Permission[] = [
  ...new Map(all.map((permission) => [permission.slug, permission])).values(),
]

/** Names of these permissions by slug. */
export const permissionNames: ReadonlyMap<string, Localized> = new Map(
  permissions.map(({ slug, name }) => [slug, name]),
)

export const permissionSlugs: ReadonlySet<string> = new Set(permissions.map((permission) => permission.slug))
