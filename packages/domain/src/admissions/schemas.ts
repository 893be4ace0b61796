import { z } from 'zod'
import { billStatuses } from '#domain/payments/bills/bill-status.ts'
import { time } from '#entities/define/answer-time.ts'
import { checkModes, decisionChecks } from './decision-checks.ts'
import { donationRule, windowDates, windowStates } from './intake-schemas.ts'
import { registrationStatuses, shownResults } from './registration-status.ts'
import { registrationActions } from './requested-actions.ts'
import { stageKeys, stageStates } from './stages.ts'
import { todoActors, todoKeys, todoStates } from './todo.ts'

const text = z.string().nullable()
const instant = time.nullable()
const rupiah = z.int()
const named = z.object({ id: z.uuid(), code: z.string(), name: z.string() })

export const todoItem = z.object({
  key: z.enum(todoKeys),
  state: z.enum(todoStates),
  /** Rule that blocks the step; sentence under `admissions:blocked.<code>`. */
  blockedBy: text,
  /** Who takes the step. */
  actor: z.enum(todoActors),
  dueAt: instant,
  /** Screen of the step. */
  path: text,
  /** Parameters of the sentence, such as an amount or a count. */
  params: z.record(z.string(), z.union([z.string(), z.number()])),
})
export type TodoItem = z.output<typeof todoItem>

export const stage = z.object({ key: z.enum(stageKeys), state: z.enum(stageStates), at: instant })
export type Stage = z.output<typeof stage>

export const billBrief = z.object({
  id: z.uuid(),
  number: z.string(),
  status: z.enum(billStatuses),
  total: rupiah,
  paid: rupiah,
  dueAt: instant,
  next: z.object({ installmentId: z.uuid().nullable(), amount: rupiah, dueAt: instant }).nullable(),
})

export const seatBrief = z.object({
  id: z.uuid(),
  status: z.string(),
  testSessionId: z.uuid(),
  name: z.string(),
  date: z.string(),
  startTime: z.string(),
  endTime: z.string(),
  mode: z.string(),
  location: z.string(),
})
export type SeatBrief = z.output<typeof seatBrief>

export const choice = named.extend({ position: z.int(), facultyName: z.string() })

export const allowedAction = z.object({
  action: z.enum(registrationActions),
  allowed: z.boolean(),
  /** Why it is not allowed, as a code under `admissions:blocked.<code>`; null if allowed. */
  reason: text,
  params: z.record(z.string(), z.union([z.string(), z.number()])),
})

export const registrationDetail = z.object({
  id: z.uuid(),
  code: z.string(),
  /** Status the reader may know: `verified` for an applicant with an unpublished decision. */
  status: z.enum(registrationStatuses),
  version: z.int(),
  applicant: z.object({
    id: z.uuid(),
    accountId: z.uuid(),
    name: z.string(),
    email: z.string(),
    phone: text,
    schoolName: text,
    photoUrl: text,
  }),
  wave: named.extend({ academicYear: z.string() }),
  track: named.extend({
    kind: z.string(),
    hasTest: z.boolean(),
    maxChoices: z.int(),
    asksDonation: z.boolean(),
  }),
  entryLevel: named,
  classProgramme: named,
  choices: z.array(choice),
  donationAmount: rupiah.nullable(),
  donation: donationRule.nullable(),
  referralCode: text,
  result: z.enum(shownResults),
  /** Whether the applicant has seen the current result. */
  resultSeen: z.boolean(),
  /** Programme of a published acceptance. */
  acceptedProgramme: named.nullable(),
  /** Reason of a published refusal. */
  resultReason: text,
  /** Staff only. */
  decision: z
    .object({
      decision: z.enum(['accepted', 'not_accepted']),
      programme: named.nullable(),
      reason: text,
      decidedAt: instant,
      decidedBy: text,
      published: z.boolean(),
      publishAt: instant,
    })
    .nullable(),
  documentsState: z.string(),
  window: z.object({ state: z.enum(windowStates), ...windowDates }),
  createdAt: time,
  submittedAt: instant,
  paidAt: instant,
  verifiedAt: instant,
  decidedAt: instant,
  confirmedAt: instant,
  enrolledAt: instant,
  closedAt: instant,
  closedReason: text,
  /** Whether the fee is due again, because its payment was reversed or the fee rose. */
  feeOwed: z.boolean(),
  stages: z.array(stage),
  todo: z.array(todoItem),
  actions: z.array(allowedAction),
  bills: z.object({ registrationFee: billBrief.nullable(), reRegistration: billBrief.nullable() }),
  seat: seatBrief.nullable(),
  installmentPlanId: z.uuid().nullable(),
  studentNumber: text,
  /** Whether the registration card can be printed. */
  cardReady: z.boolean(),
  /** Rupiah of the registration fee still missing for the card. */
  untilCard: rupiah,
})
export type RegistrationDetail = z.output<typeof registrationDetail>

export const note = z.object({ id: z.uuid(), author: z.string(), body: z.string(), createdAt: time })

export const timelineEntry = z.object({
  id: z.string(),
  at: time,
  kind: z.enum(['action', 'message']),
  /** `registration.submit`, `document.approve`, …; the sentence is under `admissions:timeline.<name>` (dots as `-`). */
  name: z.string(),
  /** `you`: the reader's own action as an applicant. */
  actor: z.enum(['you', 'applicant', 'staff', 'system']),
  /** Staff only. */
  actorName: text,
  reason: text,
  /** Subject of a message, or name of a document. */
  title: text,
})

export const dashboardRegistration = z.object({
  id: z.uuid(),
  code: z.string(),
  status: z.enum(registrationStatuses),
  result: z.enum(shownResults),
  wave: z.string(),
  track: z.string(),
  programme: text,
  feeOwed: z.boolean(),
  stages: z.array(stage),
  todo: z.array(todoItem),
  /** First step the applicant can take, otherwise the step that waits for someone else. */
  nextStep: todoItem.nullable(),
  seat: seatBrief.nullable(),
  studentNumber: text,
  cardReady: z.boolean(),
  createdAt: time,
})
export type DashboardRegistration = z.output<typeof dashboardRegistration>

export const inboxMessage = z.object({
  id: z.uuid(),
  event: z.string(),
  subject: z.string(),
  body: z.string(),
  link: text,
  createdAt: time,
  readAt: instant,
})

export const dashboard = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('applicant'),
    name: z.string(),
    hasProfile: z.boolean(),
    missingProfileFields: z.array(z.string()),
    /** Whether a study programme or track was chosen before sign-up and no registration exists yet. */
    hasStudyIntent: z.boolean(),
    registrations: z.array(dashboardRegistration),
    messages: z.array(inboxMessage),
    unread: z.int(),
  }),
  z.object({
    kind: z.literal('staff'),
    name: z.string(),
    /** Empty for staff who may not see registrations. */
    byStatus: z.array(z.object({ status: z.enum(registrationStatuses), count: z.int() })),
    newToday: z.int(),
    documentsToReview: z.int(),
    waitingForDecision: z.int(),
    waitingForConfirmation: z.int(),
    /** Time of the counts: at most a minute old, unless computing newer ones takes long. */
    asOf: time,
    openWaves: z.array(z.object({ id: z.uuid(), name: z.string(), academicYear: z.string(), closesAt: time })),
    messages: z.array(inboxMessage),
    unread: z.int(),
  }),
])
export type Dashboard = z.output<typeof dashboard>

const decisionProblem = z.object({
  check: z.enum(decisionChecks),
  mode: z.enum(checkModes),
  sentence: z.string(),
})
export const decisionBasis = z.object({
  hasTest: z.boolean(),
  seatStatus: text,
  tests: z.array(
    z.object({
      name: z.string(),
      score: z.number().nullable(),
      maxScore: z.number(),
      passingGrade: z.number().nullable(),
    }),
  ),
  /** Weighted mean out of 100. */
  total: z.number().nullable(),
  documentsState: z.string(),
  openDocuments: z.array(z.string()),
  fee: z.object({ status: z.string(), total: rupiah, paid: rupiah }).nullable(),
  /** Decisions are public at once. */
  published: z.boolean(),
  /** Whether the decision replaces an unpublished one, and waits for publication too. */
  waits: z.boolean(),
  programmes: z.array(
    z.object({
      id: z.uuid(),
      name: z.string(),
      position: z.int().nullable(),
      passingGrade: z.number().nullable(),
      capacity: z.int(),
      placesLeft: z.int(),
      problems: z.array(decisionProblem),
    }),
  ),
})
export type DecisionBasis = z.output<typeof decisionBasis>

export const bulkItem = z.object({
  id: z.uuid(),
  code: text,
  name: text,
  done: z.boolean(),
  /** Why not: a code under `admissions:blocked.<code>`, or an error code. */
  reason: text,
  params: z.record(z.string(), z.union([z.string(), z.number()])),
  /** Reasons against the action, as sentences; it runs anyway. */
  warnings: z.array(z.string()).optional(),
})
export type BulkItem = z.output<typeof bulkItem>
/** In a preview, `done` lists what would be done. */
export const bulkAnswer = z.object({
  done: z.int(),
  refused: z.int(),
  items: z.array(bulkItem),
  /** Waves and tracks of the decided registrations, each with its number of undecided ones. */
  intakes: z
    .array(
      z.object({
        waveId: z.uuid(),
        trackId: z.uuid(),
        name: z.string(),
        undecided: z.int(),
        /** Whether results are already public; the decisions then wait for a new publication. */
        published: z.boolean(),
      }),
    )
    .optional(),
})
export type BulkAnswer = z.output<typeof bulkAnswer>

export const publication = z.object({
  waveId: z.uuid(),
  wave: z.string(),
  trackId: z.uuid(),
  track: z.string(),
  /** Last publication; null before the first. */
  publishedAt: instant,
  /** Time of the next publication; null if none is set. */
  publishAt: instant,
  announcedAt: instant,
  /** Day announced in the calendar of the track or wave. */
  plannedAt: instant,
  accepted: z.int(),
  notAccepted: z.int(),
  /** Decisions that the next publication makes public. */
  waiting: z.int(),
  /** Paid or verified registrations without a decision. */
  undecided: z.int(),
  /** Why the reader may not publish these results; null if allowed. Counts include only rows the reader sees. */
  refusal: z.string().nullable(),
  version: z.int(),
})
export type Publication = z.output<typeof publication>
