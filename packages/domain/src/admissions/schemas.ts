import { z } from 'zod'
import { billStatuses } from '#domain/payments/bills/bill-status.ts'
import { checkModes, decisionChecks } from './decision-checks.ts'
import { donationRule, windowDates, windowStates } from './intake-schemas.ts'
import { registrationActions } from './registration-actions.ts'
import { registrationStatuses, shownResults } from './registration-status.ts'
import { stageKeys, stageStates } from './stages.ts'
import { todoActors, todoKeys, todoStates } from './todo.ts'

const time = z.iso.datetime()
const text = z.string().nullable()
const when = time.nullable()
const rupiah = z.int()
const named = z.object({ id: z.uuid(), code: z.string(), name: z.string() })

export const todoItem = z.object({
  key: z.enum(todoKeys),
  state: z.enum(todoStates),
  /** Rule that stands in the way; its sentence is under `admissions:blocked.<code>`. */
  blockedBy: text,
  /** Who has to act. */
  actor: z.enum(todoActors),
  dueAt: when,
  /** Screen where it is done. */
  path: text,
  /** Values for the sentence: a sum, a number of things. */
  params: z.record(z.string(), z.union([z.string(), z.number()])),
})
export type TodoItem = z.output<typeof todoItem>

export const stage = z.object({ key: z.enum(stageKeys), state: z.enum(stageStates), at: when })
export type Stage = z.output<typeof stage>

export const billBrief = z.object({
  id: z.uuid(),
  number: z.string(),
  status: z.enum(billStatuses),
  total: rupiah,
  paid: rupiah,
  dueAt: when,
  next: z.object({ installmentId: z.uuid().nullable(), amount: rupiah, dueAt: when }).nullable(),
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
  /** Why not, as a code under `admissions:blocked.<code>`; null when allowed. */
  reason: text,
  params: z.record(z.string(), z.union([z.string(), z.number()])),
})

export const registrationDetail = z.object({
  id: z.uuid(),
  code: z.string(),
  /** As the reader may know it: an unpublished decision is `verified` to the applicant. */
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
  /** Programme of a shown acceptance. */
  acceptedProgramme: named.nullable(),
  /** What a shown refusal gives as its reason. */
  resultReason: text,
  /** Staff only. */
  decision: z
    .object({
      decision: z.enum(['accepted', 'not_accepted']),
      programme: named.nullable(),
      reason: text,
      decidedAt: when,
      decidedBy: text,
      published: z.boolean(),
      publishAt: when,
    })
    .nullable(),
  documentsState: z.string(),
  window: z.object({ state: z.enum(windowStates), ...windowDates }),
  createdAt: time,
  submittedAt: when,
  paidAt: when,
  verifiedAt: when,
  decidedAt: when,
  confirmedAt: when,
  enrolledAt: when,
  closedAt: when,
  closedReason: text,
  /** The fee is to be paid again, because its payment was taken back or the fee rose. */
  feeOwed: z.boolean(),
  stages: z.array(stage),
  todo: z.array(todoItem),
  actions: z.array(allowedAction),
  bills: z.object({ registrationFee: billBrief.nullable(), reRegistration: billBrief.nullable() }),
  seat: seatBrief.nullable(),
  installmentPlanId: z.uuid().nullable(),
  studentNumber: text,
  /** The registration card can be printed. */
  cardReady: z.boolean(),
  /** Whole rupiah of the registration fee still to come until then. */
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
  /** `you` is the applicant reading about an own act. */
  actor: z.enum(['you', 'applicant', 'staff', 'system']),
  /** Staff only. */
  actorName: text,
  reason: text,
  /** Subject of a message, name of a document. */
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
  /** First thing the applicant can do, or what is waited for. */
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
  readAt: when,
})

export const dashboard = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('applicant'),
    name: z.string(),
    hasProfile: z.boolean(),
    missingProfileFields: z.array(z.string()),
    /** What was picked on a public page before signing up and not used yet. */
    intent: z
      .object({
        waveId: z.uuid().nullable(),
        trackId: z.uuid().nullable(),
        classProgrammeId: z.uuid().nullable(),
        programmeIds: z.array(z.uuid()),
      })
      .nullable(),
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
  /** A decision is shown to the applicant at once. */
  published: z.boolean(),
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
  /** Why not: a code under `admissions:blocked.<code>` or an error code. */
  reason: text,
  params: z.record(z.string(), z.union([z.string(), z.number()])),
  /** What speaks against it although it will be done, a sentence each. */
  warnings: z.array(z.string()).optional(),
})
export type BulkItem = z.output<typeof bulkItem>
/** In a preview `done` means: would be done. */
export const bulkAnswer = z.object({
  done: z.int(),
  refused: z.int(),
  items: z.array(bulkItem),
  /** Waves and tracks of the registrations that are decided on, with who else has no decision there. */
  intakes: z
    .array(
      z.object({
        waveId: z.uuid(),
        trackId: z.uuid(),
        name: z.string(),
        undecided: z.int(),
        /** Decisions are shown to applicants at once. */
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
  /** Null while no time is set. */
  publishAt: when,
  announcedAt: when,
  /** The day announced in the track's or the wave's calendar. */
  plannedAt: when,
  accepted: z.int(),
  notAccepted: z.int(),
  /** Paid or verified, without a decision. */
  undecided: z.int(),
  /** Why the reader may not publish these results, in words; null when the reader may. The counts are of rows the reader sees. */
  refusal: z.string().nullable(),
  version: z.int(),
})
export type Publication = z.output<typeof publication>
