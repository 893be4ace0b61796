/** Record kinds: the part of an action before the dot. Master data adds its slugs. */
export const auditKinds = {
  registrations: ['registration', 'results', 'questionnaire', 'programme-change', 'reserve-list'],
  documents: ['document', 'driving-licence', 'card', 'data-sheet', 'photo', 'paper', 'evidence'],
  tests: ['test-seat', 'test-score', 'test-session', 'test-waiting', 'score-import', 'score-run', 'selection', 'quota'],
  payments: [
    'invariants',
    'restore',
    'bill',
    'payment',
    'virtual-account',
    'refund',
    'approval',
    'bank-account',
    'statement',
    'statement-line',
    'reconciliation',
    'transfer-proof',
  ],
  students: ['student', 'student-card', 'jacket', 'enrolment-data', 'feeder'],
  affiliates: ['affiliate', 'commission', 'payout'],
  marketing: ['lead', 'event', 'survey', 'chat'],
  sending: ['campaign', 'campaign-sheet', 'campaign-template', 'suppression', 'opt-out'],
  letters: ['letter', 'letter-kind', 'letter-batch', 'letter-certificate'],
  accounts: ['account', 'profile'],
  access: ['role', 'permission', 'menu'],
  master: ['school', 'admission-year', 'season'],
  settings: ['settings', 'whatsapp', 'provider', 'message', 'opening', 'campus', 'job', 'connection', 'trial'],
  transfer: ['export', 'import', 'workbook', 'report-mail'],
} as const satisfies Record<string, readonly string[]>

export type AuditKind = keyof typeof auditKinds
export const auditKindNames = Object.keys(auditKinds) as [AuditKind, ...AuditKind[]]

/** Actions that log reading, not a change. */
export const readingActions = [
  'document.view',
  'document.download',
  'document.zip',
  'evidence.download',
  'enrolment-data.read',
  'feeder.read',
  'card.download',
  'student-card.download',
  'letter.download',
  'letter-batch.download',
  'driving-licence.view',
  'data-sheet.download',
  'photo.download',
  'profile.view',
  'test-session.print',
] as const
