import type { SearchHit } from '#domain/search/endpoints.ts'
import type { SearchKind } from '#domain/search/kinds.ts'

type May = (permission: string) => boolean

const listed = (path: string, { code, title }: SearchHit) => `${path}?q=${encodeURIComponent(code ?? title)}`
const record = (path: string, permission: string) => (hit: SearchHit, may: May) =>
  may(permission) ? `${path}/${hit.id}` : listed(path, hit)
const ofRegistration = (tab: string, fallbackPermission: string) => (hit: SearchHit, may: May) =>
  may('pendaftaran-view')
    ? `/pendaftaran/${hit.registrationId}${tab}`
    : listed(fallbackPermission, tab ? { ...hit, code: hit.title } : hit)

/** Path of the screen for a hit, according to the reader's permissions. */
const paths: Record<SearchKind, (hit: SearchHit, may: May) => string> = {
  registration: ofRegistration('', '/pendaftaran'),
  student: ofRegistration('', '/npm-mahasiswa'),
  bill: (hit, may) =>
    may('pembayaran-mahasiswa-view')
      ? `/pembayaran-mahasiswa/tagihan/${hit.id}`
      : ofRegistration('/pembayaran', '/pembayaran-mahasiswa')(hit, may),
  virtualAccount: (hit, may) =>
    may('transaksi-va-view')
      ? `/transaksi-va/${hit.id}`
      : ofRegistration('/pembayaran', '/pembayaran-mahasiswa')(hit, may),
  payment: (hit) => `/pembayaran-mahasiswa/${hit.id}`,
  letter: ({ title }) => `/surat/terbit?q=${encodeURIComponent(title)}`,
  programme: record('/master/prodi', 'master-prodi-update'),
  wave: record('/master/periode', 'master-periode-update'),
  school: record('/master/sma-nama', 'master-sma-nama-update'),
  affiliate: record('/master/afiliator', 'master-afiliator-update'),
  account: record('/settings/accounts', 'settings-accounts-update'),
}

export const pathOfHit = (kind: SearchKind, hit: SearchHit, may: May) => paths[kind](hit, may)
