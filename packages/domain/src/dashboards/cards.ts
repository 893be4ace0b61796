/** Kinds of work a card serves, in the order for readers without one of the `duties`. */
export const cardSections = ['season', 'work', 'money', 'outreach', 'referrals'] as const
export type CardSection = (typeof cardSections)[number]

/**
 * How the web draws a card: only `figures`, or with a curve, bars, upright bars, a funnel, an ageing list, a table or
 * dates.
 */
export const cardLooks = ['figures', 'curve', 'bars', 'columns', 'funnel', 'ageing', 'table', 'agenda'] as const
export type CardLook = (typeof cardLooks)[number]

type CardDeclaration = {
  section: CardSection
  look: CardLook
  /** Permission that opens the card. */
  access: string
  /** Other permissions that open it. */
  alsoFor?: readonly string[]
  /** Refused to roles limited to some study programmes, because the figures belong to no programme. */
  whole?: true
  /** Whether the wall view shows it. */
  onWall?: true
}

/** All cards of the dashboard, in order within their section; words in locale `dashboards`. */
export const dashboardCards = {
  season: { section: 'season', look: 'curve', access: 'laporan-pendaftaran-prodi', onWall: true },
  funnel: { section: 'season', look: 'funnel', access: 'laporan-pendaftaran-prodi', onWall: true },
  fill: { section: 'season', look: 'bars', access: 'laporan-pendaftaran-prodi', onWall: true },
  forecast: { section: 'season', look: 'table', access: 'laporan-pendaftaran-prodi', onWall: true },
  stuck: { section: 'season', look: 'table', access: 'laporan-camaba' },
  waiting: { section: 'work', look: 'ageing', access: 'pendaftaran-verify', onWall: true },
  'tests-today': { section: 'work', look: 'table', access: 'jadwal-test-view', onWall: true },
  'documents-today': { section: 'work', look: 'columns', access: 'pendaftaran-verify', onWall: true },
  deadlines: { section: 'work', look: 'agenda', access: 'pendaftaran-verify' },
  'money-in': {
    section: 'money',
    look: 'curve',
    access: 'laporan-pembayaran-mahasiswa',
    alsoFor: ['pembayaran-mahasiswa-view'],
    onWall: true,
  },
  receivables: { section: 'money', look: 'ageing', access: 'laporan-piutang-va' },
  'waiting-money': { section: 'money', look: 'ageing', access: 'pembayaran-mahasiswa-update' },
  unreconciled: { section: 'money', look: 'figures', access: 'rekonsiliasi-view', whole: true },
  approvals: { section: 'money', look: 'table', access: 'persetujuan-view' },
  sources: { section: 'outreach', look: 'bars', access: 'laporan-kuesioner-mahasiswa' },
  schools: { section: 'outreach', look: 'table', access: 'laporan-wilayah-asal-sekolah' },
  vouchers: { section: 'outreach', look: 'table', access: 'laporan-voucher-afiliator' },
  'lead-calls': { section: 'outreach', look: 'table', access: 'marketing-prospek-view', whole: true },
  conversion: { section: 'outreach', look: 'table', access: 'laporan-pendaftaran-prodi' },
  referred: { section: 'referrals', look: 'agenda', access: 'event-afiliator-view' },
} as const satisfies Record<string, CardDeclaration>

export type CardKey = keyof typeof dashboardCards
export const cardKeys = Object.keys(dashboardCards) as CardKey[]

export const cardOf = (key: CardKey): CardDeclaration => dashboardCards[key]

/** Permission for the wall view; every role with reports of the specification holds it. */
export const wallAccess = 'laporan-jumlah-pendaftaran'

/** Duties that put their section's cards first. */
const duties: readonly { section: CardSection; permission: string }[] = [
  { section: 'work', permission: 'pendaftaran-verify' },
  { section: 'money', permission: 'pembayaran-mahasiswa-update' },
  { section: 'outreach', permission: 'master-afiliator-update' },
]

/** Cards the permissions open, those for the reader's own work first. */
export function cardsFor(permissions: ReadonlySet<string>): CardKey[] {
  const own = duties.filter(({ permission }) => permissions.has(permission)).map(({ section }) => section)
  const sections = [...new Set([...own, ...cardSections])]
  const open = cardKeys.filter((key) => {
    const { access, alsoFor = [] } = cardOf(key)
    return [access, ...alsoFor].some((slug) => permissions.has(slug))
  })
  return sections.flatMap((section) => open.filter((key) => dashboardCards[key].section === section))
}
