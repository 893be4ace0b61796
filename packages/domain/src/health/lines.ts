/** `soon` needs attention within days; `red` means applicants are affected or will be soon. */
export const healthStates = ['ok', 'soon', 'red'] as const
export type HealthState = (typeof healthStates)[number]

/** Worst state of several. */
export const worstOf = (states: readonly HealthState[]): HealthState =>
  healthStates[Math.max(0, ...states.map((state) => healthStates.indexOf(state)))]!

/**
 * Lines of /settings/health, in display order. `shared` lines are equal on all servers; `server` lines describe the
 * answering server.
 */
export const healthLines = {
  failures: 'server',
  answers: 'server',
  mail: 'shared',
  banks: 'shared',
  whatsapp: 'shared',
  'jobs-waiting': 'shared',
  'jobs-failed': 'shared',
  seeds: 'shared',
  books: 'shared',
  backup: 'shared',
  'restore-test': 'shared',
  'data-disk': 'server',
  'backup-disk': 'server',
  database: 'shared',
  connections: 'shared',
  certificate: 'server',
  clock: 'server',
  version: 'server',
} as const satisfies Record<string, 'shared' | 'server'>

export type HealthLineName = keyof typeof healthLines
export const healthLineNames = Object.keys(healthLines) as [HealthLineName, ...HealthLineName[]]

/** Sentences under `health:says`; each names its facts with their unit as suffix (`Bytes`, `Ms`, `Seconds`, `Share`, `At`). */
export const healthCodes = [
  'answers',
  'answers-none',
  'failures',
  'mail-rates',
  'mail-none',
  'mail-outbox',
  'bank-rates',
  'bank-none',
  'bank-missing',
  'whatsapp-none',
  'whatsapp-understood',
  'whatsapp-problems',
  'jobs-waiting',
  'jobs-none-waiting',
  'jobs-failed',
  'jobs-none-failed',
  'seeds-done',
  'seeds-failed',
  'books-right',
  'books-differ',
  'books-never',
  'backup-done',
  'backup-failed',
  'backup-never',
  'restore-done',
  'restore-failed',
  'restore-never',
  'disk',
  'disk-unreadable',
  'database-size',
  'database-grows',
  'connections',
  'certificate-none',
  'certificate-days',
  'certificate-refused',
  'certificate-unreachable',
  'clock',
  'clock-unsynchronised',
  'version',
  'version-updated',
  'version-update-failed',
] as const
export type HealthCode = (typeof healthCodes)[number]
