/** Lines of the checklist, in the order of the page. Registration opens when no `must` line is missing. */
export const checklistLines = {
  identity: 'must',
  look: 'advisable',
  privacy: 'must',
  letters: 'advisable',
  people: 'must',
  programmes: 'must',
  tracks: 'must',
  files: 'advisable',
  waves: 'must',
  fees: 'must',
  tuition: 'must',
  plans: 'advisable',
  tests: 'must',
  bank: 'must',
  mail: 'must',
  address: 'advisable',
  whatsapp: 'advisable',
} as const

export type ChecklistLine = keyof typeof checklistLines
export const checklistLineNames = Object.keys(checklistLines) as ChecklistLine[]

export const lineStates = ['missing', 'advisable', 'done', 'waived'] as const

/** What a line may lack; each code has a sentence in `locales/opening`. */
export const gapCodes = [
  'university_name',
  'university_short_name',
  'university_address',
  'university_phone',
  'university_email',
  'university_website',
  'logo',
  'colour',
  'notice_id',
  'notice_en',
  'signatory',
  'second_administrator',
  'admissions_staff',
  'finance_staff',
  'faculty',
  'programme',
  'class_programme',
  'entry_level',
  'track',
  'after_tracks',
  'track_files',
  'wave',
  'wave_windows',
  'wave_programmes',
  'window_programmes',
  'programme_window',
  'after_waves',
  'registration_fee',
  'tuition',
  'tuition_of_track',
  'plan',
  'plan_terms',
  'test_session',
  'bank',
  'bank_approval',
  'smtp',
  'mail_from',
  'public_url',
  'whatsapp',
] as const
export type GapCode = (typeof gapCodes)[number]
