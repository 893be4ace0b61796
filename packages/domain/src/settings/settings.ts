import { z } from 'zod'
import { checkModes } from '#domain/admissions/decision-checks.ts'
import { touchRules } from '#domain/affiliates/affiliates.ts'
import { typedLine, typedText } from '#entities/define/typed-text.ts'
import { monthNames, numberIssues, type SettingsSection, timeZones, unlocks } from './sections.ts'

/** Local time such as `08:00`. */
const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)
const line = (max: number) => typedLine().min(1).max(max)
const template = line(60)
const percent = (min: number) => z.int().min(min).max(100)
const notice = typedText().max(8_000)
const days = (min: number, max = 3650) => z.int().min(min).max(max)

/** Used instead of a university's name until one is entered. */
export const productName = 'PMB Online'

/** `univ.ac.id` → `https://univ.ac.id`; a text with a scheme passes unchanged. */
const withScheme = (address: string) => (/^[a-z][a-z\d+.-]*:\/\//i.test(address) ? address : `https://${address}`)

/** General settings by the card that edits them; each card is saved separately. */
export const settingsSections = {
  identity: {
    universityName: line(120).default(productName),
    universityShortName: line(20).default('PMB'),
    address: line(300).default(''),
    phone: typedLine().max(40).default(''),
    email: typedText().max(254).pipe(z.email()).default(''),
    website: typedLine()
      .max(200)
      .transform(withScheme)
      .pipe(z.url({ protocol: /^https?$/ }))
      .default(''),
  },
  look: {
    primaryColour: typedLine().max(7).default('#009EF7'),
  },
  place: {
    timeZone: z.enum(timeZones).default('Asia/Jakarta'),
    /** Month names in dates: Indonesian in both languages, or in the reader's language. */
    monthNames: z.enum(monthNames).default('indonesian'),
  },
  numbers: {
    registrationNumber: template.default('{YY}{wave}{SEQ:5}'),
    billNumber: template.default('INV-{YYYY}-{SEQ:6}'),
    receiptNumber: template.default('KW-{YYYY}-{SEQ:6}'),
    studentNumber: template.default('{YY}{prodi}{SEQ:4}'),
  },
  enrolment: {
    /** Whether the number is issued automatically once unlocked. */
    studentNumberIssue: z.enum(numberIssues).default('automatic'),
    enrolmentUnlock: z.enum(unlocks).default('first-instalment'),
    /** Percent of the re-registration bill that unlocks the number, if a share unlocks it. */
    enrolmentUnlockShare: percent(1).default(100),
    /** Whether a pending promise to pay unlocks the number. */
    promiseUnlocks: z.boolean().default(false),
    /** Percent of the registration fee that must be paid for the registration card. */
    cardShare: percent(0).default(100),
  },
  /** Whether each reason against accepting an applicant warns or refuses. */
  decisions: {
    acceptWithoutTest: z.enum(checkModes).default('warn'),
    acceptBelowGrade: z.enum(checkModes).default('warn'),
    acceptWithOpenDocuments: z.enum(checkModes).default('block'),
    acceptWithOpenFee: z.enum(checkModes).default('block'),
  },
  payments: {
    /** Hours in which the finance office usually answers a proof of transfer. */
    proofAnswerHours: z.int().min(1).max(240).default(24),
  },
  offers: {
    /** Days to answer an offer from the reserve list, or one published after its wave's deadline. */
    offerDays: days(1, 60).default(3),
    /** Whether applicants may request another study programme. */
    programmeChangeRequests: z.boolean().default(false),
    /** Whether the public page says how many places are left. A full programme is always named. */
    placesOnPublicPage: z.boolean().default(false),
  },
  tests: {
    /** Hours an applicant has to accept a seat offered from a waiting list. */
    testOfferHours: z.int().min(1).max(168).default(24),
    /** Hours before a session in which no seats are offered. */
    testOfferStopHours: z.int().min(0).max(336).default(12),
    /** Hours before a test at which people with a seat are reminded. */
    testReminderHours: z.array(z.int().min(1).max(336)).max(6).default([72, 24]),
  },
  scores: {
    /** Percent of the highest score by which two assessors may differ before a third decides. */
    assessorDifference: percent(0).default(20),
  },
  affiliates: {
    /** Which visit through an affiliate's link counts: the first or the last within 30 days. */
    touchRule: z.enum(touchRules).default('last'),
    /** Percent of a payout withheld as income tax. */
    commissionTax: z.number().min(0).max(50).multipleOf(0.01).default(2.5),
  },
  chat: {
    /** Weekdays on which the office answers; 1 is Monday. */
    chatDays: z.array(z.int().min(1).max(7)).max(7).default([1, 2, 3, 4, 5]),
    chatFrom: clock.default('08:00'),
    chatUntil: clock.default('16:00'),
    /** Minutes of office hours within which a first answer is due. */
    chatAnswerMinutes: z.int().min(5).max(2880).default(60),
    /** Minutes of office hours after which an unanswered conversation returns to the queue. */
    chatReturnMinutes: z.int().min(5).max(2880).default(30),
    /** Minutes after which an unread answer is also sent by mail and WhatsApp. */
    chatTellMinutes: z.int().min(1).max(1440).default(10),
  },
  sending: {
    /** Recipients above which a campaign needs a second person's approval. */
    secondPersonAbove: z.int().min(0).max(1_000_000).default(500),
    mailsPerMinute: z.int().min(1).max(100_000).default(600),
    /** Limit per recipient domain, because mail servers refuse more from unknown senders. */
    mailsPerMinutePerDomain: z.int().min(1).max(100_000).default(120),
    mailsPerDay: z.int().min(1).max(10_000_000).default(20_000),
    /** Whether campaigns pause from 20.00 to 07.00 by each recipient's local time. */
    quietHours: z.boolean().default(true),
  },
  documents: {
    /** Days for which applicants may let a document follow; with 0, only staff allow it. */
    documentFollowDays: days(0, 365).default(0),
    signatoryName: line(100).default('Panitia PMB'),
    signatoryTitle: line(100).default('Ketua Panitia Penerimaan Mahasiswa Baru'),
    simLabel: z.object({ en: line(40), id: line(40) }).default({ en: 'Driving licence (SIM)', id: 'SIM' }),
  },
  privacy: {
    /** Shown beside the consent at sign-up; empty for the built-in notice. */
    privacyNotice: z.object({ en: notice, id: notice }).default({ en: '', id: '' }),
    /** Increased when the privacy notice changes; stored with each consent. */
    consentVersion: line(20).default('2026-1'),
    /** Whether the code on a registration card shows the stage without signing in. */
    publicStage: z.boolean().default(false),
    /** Days to keep ended sessions and used links. */
    keepSessionsDays: days(7).default(30),
    /** Days to keep the bytes of a replaced file, which can be restored until then. */
    keepDiscardedFilesDays: days(1, 365).default(7),
    /** Days to keep messages after sending. */
    keepMessagesDays: days(30).default(1095),
    /** Months without activity after which leads are deleted. */
    keepLeadsMonths: z.int().min(1).max(120).default(24),
  },
} as const satisfies Record<SettingsSection, z.ZodRawShape>

const { address, email, website } = settingsSections.identity
const orNotEntered = (entered: z.ZodType<string>) => z.literal('').or(entered).default('')

/** All general settings with their defaults; a changed setting is stored as one row. */
export const settingsSchema = z.object({
  ...settingsSections.identity,
  address: orNotEntered(address),
  email: orNotEntered(email),
  website: orNotEntered(website),
  ...settingsSections.look,
  ...settingsSections.place,
  ...settingsSections.numbers,
  ...settingsSections.enrolment,
  ...settingsSections.decisions,
  ...settingsSections.payments,
  ...settingsSections.offers,
  ...settingsSections.tests,
  ...settingsSections.scores,
  ...settingsSections.affiliates,
  ...settingsSections.chat,
  ...settingsSections.sending,
  ...settingsSections.documents,
  ...settingsSections.privacy,
  logoFileId: z.uuid().nullable().default(null),
})

export type Settings = z.output<typeof settingsSchema>
