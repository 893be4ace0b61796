import { describe, expect, it } from 'vitest'
import { redirectFor, safeReturnPath, type Visitor } from './redirect.ts'

const visitors = {
  'signed out': null,
  unverified: { emailVerified: false, roleName: 'Mahasiswa', hasProfile: false },
  'verified without profile': { emailVerified: true, roleName: 'Mahasiswa', hasProfile: false },
  'verified with profile': { emailVerified: true, roleName: 'Mahasiswa', hasProfile: true },
  staff: { emailVerified: true, roleName: 'Panitia PMB', hasProfile: false },
} satisfies Record<string, Visitor>

type Row = [route: string, ...to: (string | null)[]]

// One row per route: the redirect for each kind of visitor; null shows the route.
const table: Row[] = [
  //                         signed out   unverified      no profile          with profile  staff
  ['sign-in', null, null, null, null, null],
  ['sign-in-google', null, 'verify-email', 'account-settings', null, null],
  ['sign-up', null, 'verify-email', 'account-settings', null, null],
  ['password-reset', null, 'verify-email', 'account-settings', null, null],
  ['password-reset-submit', null, 'verify-email', 'account-settings', null, null],
  ['afiliator', null, 'verify-email', 'account-settings', null, null],
  ['afiliator-view', null, 'verify-email', 'account-settings', null, null],
  ['404', null, 'verify-email', 'account-settings', null, null],
  ['500', null, 'verify-email', 'account-settings', null, null],
  ['multi-step-sign-up', null, null, null, null, null],
  ['confirm-email', null, null, null, null, null],
  ['verifikasi', null, null, null, null, null],
  ['outbox', null, null, null, null, null],
  ['sandbox-bank', null, null, null, null, null],
  ['verify-email', 'sign-in', null, 'dashboard', 'dashboard', 'dashboard'],
  ['verify-email-proccess', 'sign-in', null, 'account-settings', null, null],
  ['dashboard', 'sign-in', 'verify-email', 'account-settings', null, null],
  ['account-settings', 'sign-in', 'verify-email', null, null, null],
  ['account-overview', 'sign-in', 'verify-email', 'account-settings', null, 'account-settings'],
  ['account-berkas', 'sign-in', 'verify-email', 'account-settings', null, 'account-settings'],
  ['pendaftaran', 'sign-in', 'verify-email', 'account-settings', null, null],
  ['pendaftaran-create', 'sign-in', 'verify-email', 'account-settings', null, null],
  ['settings-roles', 'sign-in', 'verify-email', 'account-settings', null, null],
  ['master-prodi', 'sign-in', 'verify-email', 'account-settings', null, null],
  ['laporan-camaba', 'sign-in', 'verify-email', 'account-settings', null, null],
]

describe('redirect rules', () => {
  const kinds = Object.keys(visitors) as (keyof typeof visitors)[]
  const cases = table.flatMap(([route, ...to]) =>
    kinds.map((kind, column) => ({ route, kind, to: to[column] ?? null })),
  )
  it.each(cases)('$kind at $route goes to $to', ({ route, kind, to }) => {
    expect(redirectFor(route, visitors[kind])).toBe(to)
  })

  it('never redirects in a circle', () => {
    for (const kind of kinds) {
      for (const [route] of table) {
        let currentRoute: string | null = route
        for (let steps = 0; currentRoute && steps < 4; steps++) currentRoute = redirectFor(currentRoute, visitors[kind])
        expect(currentRoute, `${kind} at ${route}`).toBeNull()
      }
    }
  })

  it('shows the recovery codes after set-up until the user has saved them', () => {
    const visitor = { emailVerified: true, roleName: 'Keuangan', hasProfile: false }
    expect(redirectFor('account-totp', visitor)).toBeNull()
    expect(redirectFor('dashboard', { ...visitor, mustSetUpTotp: true })).toBe('account-totp')
  })

  it('only Mahasiswa needs a profile, and unverified staff must verify first', () => {
    expect(redirectFor('dashboard', { emailVerified: true, roleName: 'mahasiswa', hasProfile: false })).toBeNull()
    expect(redirectFor('dashboard', { emailVerified: false, roleName: 'Keuangan', hasProfile: false })).toBe(
      'verify-email',
    )
  })
})

describe('return path', () => {
  it.each([
    ['/pendaftaran/create?wave=1', '/pendaftaran/create?wave=1'],
    ['/verify-email/abc#x', '/verify-email/abc#x'],
    ['/', '/'],
    ['/sign-in', null],
    ['/sign-in?to=/x', null],
    ['/sign-inventory', '/sign-inventory'],
    ['//evil.example', null],
    ['/\\evil.example', null],
    ['/\t/evil.example', null],
    ['https://evil.example', null],
    ['javascript:alert(1)', null],
    ['', null],
    [null, null],
    [undefined, null],
  ])('%j → %j', (path, returnPath) => expect(safeReturnPath(path)).toBe(returnPath))
})
