export const timeZones = ['Asia/Jakarta', 'Asia/Makassar', 'Asia/Jayapura'] as const
export const monthNames = ['indonesian', 'interface'] as const
export const numberIssues = ['automatic', 'by_staff'] as const
export const unlocks = ['none', 'first-instalment', 'share'] as const

/** Settings edited together; a test compares them with the schemas, which pages need not load. */
const sectionKeys = {
  identity: ['universityName', 'universityShortName', 'address', 'phone', 'email', 'website'],
  look: ['primaryColour'],
  place: ['timeZone', 'monthNames'],
  numbers: ['registrationNumber', 'billNumber', 'receiptNumber', 'studentNumber'],
  enrolment: ['studentNumberIssue', 'enrolmentUnlock', 'enrolmentUnlockShare', 'promiseUnlocks', 'cardShare'],
  decisions: ['acceptWithoutTest', 'acceptBelowGrade', 'acceptWithOpenDocuments', 'acceptWithOpenFee'],
  payments: ['proofAnswerHours'],
  offers: ['offerDays', 'programmeChangeRequests', 'placesOnPublicPage'],
  tests: ['testReminderHours', 'testOfferHours', 'testOfferStopHours'],
  scores: ['assessorDifference'],
  affiliates: ['touchRule', 'commissionTax'],
  chat: ['chatDays', 'chatFrom', 'chatUntil', 'chatAnswerMinutes', 'chatReturnMinutes', 'chatTellMinutes'],
  sending: ['secondPersonAbove', 'mailsPerMinute', 'mailsPerMinutePerDomain', 'mailsPerDay', 'quietHours'],
  documents: ['documentFollowDays', 'signatoryName', 'signatoryTitle', 'simLabel'],
  privacy: [
    'privacyNotice',
    'consentVersion',
    'publicStage',
    'keepSessionsDays',
    'keepDiscardedFilesDays',
    'keepMessagesDays',
    'keepLeadsMonths',
  ],
} as const

export type SettingsSection = keyof typeof sectionKeys
export const settingsSectionNames = Object.keys(sectionKeys) as SettingsSection[]

type Key = (typeof sectionKeys)[SettingsSection][number]

export const keysOf = (section: SettingsSection): readonly Key[] => sectionKeys[section]
