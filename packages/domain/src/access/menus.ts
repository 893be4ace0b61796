import type { Localized } from '#entities/define/language.ts'

/** Tabler icons a menu entry may have, drawn by `shell/menu-icons.tsx`. */
export type MenuIconName =
  | 'bell'
  | 'calendar-event'
  | 'calendar-star'
  | 'cash'
  | 'chart-bar'
  | 'chart-dots'
  | 'circle-check'
  | 'clipboard-list'
  | 'coins'
  | 'credit-card'
  | 'database'
  | 'door-enter'
  | 'file-import'
  | 'file-spreadsheet'
  | 'files'
  | 'hash'
  | 'id'
  | 'layout-dashboard'
  | 'mail-forward'
  | 'mail-share'
  | 'map-pin'
  | 'message'
  | 'pencil'
  | 'photo-down'
  | 'point'
  | 'receipt'
  | 'school'
  | 'send'
  | 'settings'
  | 'shirt'
  | 'speakerphone'
  | 'switch-horizontal'
  | 'user'
  | 'users'
  | 'users-group'

type Heading = {
  /** Position among the headings and entries beside it. */
  order: number
  name: Localized
  icon: MenuIconName
  under?: string
}

/** Menu headings of a new database; pages declare the entries below them. */
const headings = {
  tests: { order: 50, name: { en: 'Tests', id: 'Tes' }, icon: 'pencil' },
  students: { order: 60, name: { en: 'Students', id: 'Mahasiswa' }, icon: 'users-group' },
  payments: { order: 70, name: { en: 'Payments', id: 'Pembayaran' }, icon: 'cash' },
  messages: { order: 80, name: { en: 'Send information', id: 'Kirim informasi' }, icon: 'send' },
  marketing: { order: 90, name: { en: 'Marketing', id: 'Marketing' }, icon: 'speakerphone' },
  master: { order: 100, name: { en: 'Master data', id: 'Data master' }, icon: 'database' },
  'master-academic': { under: 'master', order: 10, name: { en: 'Academic', id: 'Akademik' }, icon: 'school' },
  'master-admission': { under: 'master', order: 20, name: { en: 'Admission', id: 'Penerimaan' }, icon: 'door-enter' },
  'master-finance': { under: 'master', order: 30, name: { en: 'Fees', id: 'Biaya' }, icon: 'coins' },
  'master-people': {
    under: 'master',
    order: 40,
    name: { en: 'Schools and people', id: 'Sekolah dan data diri' },
    icon: 'users',
  },
  'master-other': {
    under: 'master',
    order: 50,
    name: { en: 'Regions and others', id: 'Wilayah dan lainnya' },
    icon: 'map-pin',
  },
  reports: { order: 110, name: { en: 'Reports', id: 'Laporan' }, icon: 'chart-bar' },
  settings: { order: 120, name: { en: 'Settings', id: 'Pengaturan' }, icon: 'settings' },
  'style-guide': { order: 150, name: { en: 'Style guide', id: 'Panduan gaya' }, icon: 'layout-dashboard' },
} as const satisfies Record<string, Heading>

/** A page's place in the menu of a new database; administrators change menus under settings afterwards. */
export type MenuEntry = Omit<Heading, 'under'> & {
  under?: keyof typeof headings
  /** Permission that shows the entry, if the page itself requires none. */
  permission?: string
}

export type DefaultMenu = {
  /** Stable key; unchanged when the menu is renamed. */
  code: string
  name: Localized
  order: number
  /** Empty for a heading that only groups entries. */
  path?: string
  icon: MenuIconName
  permission?: string
  children?: readonly DefaultMenu[]
}

type PageWithEntry = { path: string; access: string; menu?: MenuEntry }

const entryOf = ({ path, access, menu }: PageWithEntry): (DefaultMenu & { under?: string })[] =>
  menu
    ? [
        {
          ...menu,
          code: path.slice(1).replaceAll('/', '-'),
          path,
          ...(access !== 'public' && access !== 'signed-in' && { permission: access }),
        },
      ]
    : []

/** Tree of headings and entries; an entry requires its page's permission. */
export function defaultMenusOf(pages: readonly PageWithEntry[]): DefaultMenu[] {
  const entries = pages.flatMap(entryOf)
  const below = (parent?: string): DefaultMenu[] =>
    [
      ...entries,
      ...Object.entries<Heading>(headings)
        .filter(([, { under }]) => under === parent)
        .map(([code, heading]) => ({ ...heading, code, children: below(code) })),
    ]
      .filter(({ under }) => under === parent)
      .map(({ under: _, ...menu }) => menu)
      .sort((one, other) => one.order - other.order)
  return below()
}
