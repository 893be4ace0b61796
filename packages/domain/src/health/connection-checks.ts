/** Connection checks an administrator starts on /settings/health. */
export const connectionChecks = ['mail', 'mail-domain', 'storage', 'time', 'backup'] as const
export type ConnectionCheck = (typeof connectionChecks)[number]

/** Results that require no action, each with a sentence under `health:results`. */
export const goodResults = [
  'mail-queued',
  'spf-ok',
  'dkim-ok',
  'dmarc-ok',
  'storage-ok',
  'time-ok',
  'time-synchronised',
  'backup-folder-ok',
] as const

/** Results that require action, each with a sentence under `health:results` and `health:helps`. */
export const problemResults = [
  'mail-outbox',
  'mail-auth',
  'mail-sender',
  'mail-recipient',
  'mail-later',
  'mail-refused',
  'mail-unreachable',
  'mail-unknown-host',
  'mail-timeout',
  'mail-tls',
  'mail-failed',
  'mail-from-local',
  'spf-missing',
  'spf-two',
  'spf-open',
  'dkim-missing',
  'dkim-revoked',
  'dmarc-missing',
  'dmarc-two',
  'dmarc-none',
  'dns-failed',
  'storage-full',
  'storage-forbidden',
  'storage-bucket',
  'storage-key',
  'storage-unreachable',
  'storage-differs',
  'storage-failed',
  'time-differs',
  'time-unsynchronised',
  'time-unknown',
  'backup-folder-missing',
  'backup-folder-forbidden',
  'backup-folder-full',
  'backup-folder-same-disk',
] as const

export type ProblemResult = (typeof problemResults)[number]
export type ResultCode = (typeof goodResults)[number] | ProblemResult

export const isProblemResult = (code: ResultCode): code is ProblemResult =>
  (problemResults as readonly string[]).includes(code)
