import { z } from 'zod'
import {
  type RegistrationAction,
  registrationStatuses,
  registrationTransitions,
  shownResults,
} from './registration-status.ts'
import { blockers, stages, todoActors, todoKeys, todoStates } from './what-to-do.ts'

const time = z.iso.datetime()
const rupiah = z.number().int()
const named = z.object({ id: z.uuid(), name: z.string() })

export const documentsStates = ['missing', 'to_review', 'rejected', 'complete'] as const
export const decisions = ['accepted', 'not_accepted'] as const
export const registrationActions = Object.keys(registrationTransitions) as [RegistrationAction, ...RegistrationAction[]]

export const registrationId = z.object({ id: z.uuid() })

export const intakeTrack = z.object({
  id: z.uuid(),
  code: z.string(),
  name: z.string(),
  kind: z.string(),
  description: z.string().nullable(),
  opensAt: time,
  closesAt: time,
  paymentDueAt: time.nullable(),
  resultsAt: time.nullable(),
  confirmationDueAt: time.nullable(),
  state: z.enum(['open', 'upcoming', 'closed']),
  hasTest: z.boolean(),
  maxChoices: z.int(),
  asksDonation: z.boolean(),
  entryLevels: z.array(named),
  /** Lowest and highest registration fee of the track in the wave. */
  fee: z.object({ from: rupiah, to: rupiah }),
  files: z.array(z.object({ name: z.string(), required: z.boolean(), mayDefer: z.boolean() })),
})
export type IntakeTrack = z.output<typeof intakeTrack>

export const intakeWave = z.object({
  id: z.uuid(),
  code: z.string(),
  name: z.string(),
  academicYear: z.string(),
  opensAt: time,
  closesAt: time,
  state: z.enum(['open', 'upcoming', 'closed']),
  tracks: z.array(intakeTrack),
})
export type IntakeWave = z.output<typeof intakeWave>

export const intakeProgramme = z.object({
  id: z.uuid(),
  code: z.string(),
  name: z.string(),
  nameEn: z.string().nullable(),
  faculty: z.string(),
  degreeLevel: z.string(),
  accreditation: z.string().nullable(),
  capacity: z.int(),
  placesLeft: z.int(),
})
export type IntakeProgramme = z.output<typeof intakeProgramme>

/** Everything needed to fill in a registration for one wave, track and entry level. */
export const intakeOptions = z.object({
  wave: z.object({ id: z.uuid(), name: z.string(), academicYear: z.string() }),
  track: intakeTrack,
  classProgrammes: z.array(
    z.object({
      id: z.uuid(),
      name: z.string(),
      description: z.string().nullable(),
      entryLevelId: z.uuid(),
      fee: rupiah,
      programmes: z.array(intakeProgramme),
    }),
  ),
  donation: z.object({ required: z.boolean(), minimum: rupiah, suggested: z.array(rupiah) }).nullable(),
})
export type IntakeOptions = z.output<typeof intakeOptions>

const choiceIds = z.array(z.uuid()).max(5)

export const registrationInput = z.strictObject({
  waveId: z.uuid(),
  trackId: z.uuid(),
  entryLevelId: z.uuid(),
  classProgrammeId: z.uuid(),
  programmeIds: choiceIds.default([]),
  donationAmount: rupiah.min(0).nullable().default(null),
  referralCode: z.string().trim().max(30).nullable().default(null),
})

/** What may change while the registration is a draft. */
export const registrationEdit = z.strictObject({
  version: z.int(),
  classProgrammeId: z.uuid().optional(),
  programmeIds: choiceIds.optional(),
  donationAmount: rupiah.min(0).nullable().optional(),
})

export const todoItem = z.object({
  key: z.enum(todoKeys),
  state: z.enum(todoStates),
  blockedBy: z.array(z.enum(blockers)),
  actor: z.enum(todoActors),
  dueAt: time.nullable(),
  /** Where it is done. */
  path: z.string().nullable(),
  /** Rupiah to pay, where the step is a payment. */
  amount: rupiah.nullable(),
})
export type TodoItem = z.output<typeof todoItem>

export const allowedAction = z.object({
  action: z.enum(registrationActions),
  allowed: z.boolean(),
  /** Error code of the rule that forbids it now. */
  reason: z.string().nullable(),
  needsReason: z.boolean(),
})
export type AllowedAction = z.output<typeof allowedAction>

export const registrationRow = z.object({
  id: z.uuid(),
  code: z.string(),
  applicantName: z.string(),
  phone: z.string().nullable(),
  waveId: z.uuid(),
  wave: z.string(),
  trackId: z.uuid(),
  track: z.string(),
  programmeId: z.uuid().nullable(),
  programme: z.string().nullable(),
  classProgramme: z.string(),
  status: z.enum(registrationStatuses),
  documentsState: z.enum(documentsStates),
  /** Null until staff have decided; applicants see it only once published. */
  decision: z.enum(decisions).nullable(),
  result: z.enum(shownResults),
  studentNumber: z.string().nullable(),
  createdAt: time,
})
export type RegistrationRow = z.output<typeof registrationRow>

export const timelineEntry = z.object({
  at: time,
  /** Audit action such as `registration.submit`; its sentence is under locales `admissions.timeline`. */
  action: z.string(),
  actor: z.string().nullable(),
  byStaff: z.boolean(),
  reason: z.string().nullable(),
  detail: z.string().nullable(),
})
export type TimelineEntry = z.output<typeof timelineEntry>

export const registrationDetail = registrationRow.extend({
  version: z.int(),
  accountId: z.uuid(),
  applicantId: z.uuid(),
  entryLevelId: z.uuid(),
  entryLevel: z.string(),
  classProgrammeId: z.uuid(),
  academicYear: z.string(),
  donationAmount: rupiah.nullable(),
  asksDonation: z.boolean(),
  hasTest: z.boolean(),
  maxChoices: z.int(),
  choices: z.array(
    z.object({ position: z.int(), programmeId: z.uuid(), code: z.string(), name: z.string(), faculty: z.string() }),
  ),
  acceptedProgramme: named.nullable(),
  /** Told to applicants only with a published result. */
  decisionReason: z.string().nullable(),
  resultPublishedAt: time.nullable(),
  opensAt: time.nullable(),
  closesAt: time.nullable(),
  paymentDueAt: time.nullable(),
  resultsAt: time.nullable(),
  confirmationDueAt: time.nullable(),
  submittedAt: time.nullable(),
  paidAt: time.nullable(),
  verifiedAt: time.nullable(),
  decidedAt: time.nullable(),
  confirmedAt: time.nullable(),
  enrolledAt: time.nullable(),
  installmentPlanId: z.uuid().nullable(),
  stage: z.enum(stages),
  todo: z.array(todoItem),
  actions: z.array(allowedAction),
  /** The registration card can be printed. */
  cardAvailable: z.boolean(),
  seat: z.object({ sessionName: z.string(), startsAt: time, location: z.string(), status: z.string() }).nullable(),
  scores: z.array(z.object({ testId: z.uuid(), test: z.string(), score: z.number(), maxScore: z.number() })),
  bills: z.array(
    z.object({
      id: z.uuid(),
      kind: z.string(),
      status: z.string(),
      total: rupiah,
      paid: rupiah,
      dueAt: time.nullable(),
    }),
  ),
  applicant: z.object({
    fullName: z.string(),
    email: z.string(),
    phone: z.string().nullable(),
    birthPlace: z.string().nullable(),
    birthDate: z.string().nullable(),
    gender: z.string().nullable(),
    /** Masked for those who do not review documents. */
    nik: z.string().nullable(),
    nisn: z.string().nullable(),
    address: z.string().nullable(),
    school: z.string().nullable(),
    graduationYear: z.int().nullable(),
    clothesSize: z.string().nullable(),
    photoUrl: z.string().nullable(),
  }),
})
export type RegistrationDetail = z.output<typeof registrationDetail>

export const registrationNote = z.object({ id: z.uuid(), author: z.string(), body: z.string(), createdAt: time })

/** Actions that staff take on many registrations at once. */
export const bulkActions = ['verify', 'accept', 'reject', 'confirm', 'issueStudentNumber'] as const
export type BulkAction = (typeof bulkActions)[number]

export const bulkInput = z.strictObject({
  action: z.enum(bulkActions),
  ids: z.array(z.uuid()).min(1).max(500),
  reason: z.string().trim().min(1).max(500).optional(),
})

/** What would happen to each one: done or refused with the code of the rule. */
export const bulkOutcome = z.object({
  id: z.uuid(),
  code: z.string(),
  applicantName: z.string(),
  ok: z.boolean(),
  reason: z.string().nullable(),
  /** Programme to be accepted for, student number issued … */
  detail: z.string().nullable(),
})
export type BulkOutcome = z.output<typeof bulkOutcome>

export const publication = z.object({
  waveId: z.uuid(),
  wave: z.string(),
  trackId: z.uuid(),
  track: z.string(),
  publishAt: time.nullable(),
  announcedAt: time.nullable(),
  version: z.int(),
  accepted: z.int(),
  notAccepted: z.int(),
  undecided: z.int(),
})
export type Publication = z.output<typeof publication>

/** The applicant's start page: where each registration stands and what comes next. */
export const applicantDashboard = z.object({
  kind: z.literal('applicant'),
  profileComplete: z.boolean(),
  registrations: z.array(
    z.object({
      id: z.uuid(),
      code: z.string(),
      wave: z.string(),
      track: z.string(),
      programme: z.string().nullable(),
      status: z.enum(registrationStatuses),
      result: z.enum(shownResults),
      stage: z.enum(stages),
      todo: z.array(todoItem),
      /** The item to show first, if anything is left to do or to wait for. */
      next: todoItem.nullable(),
      studentNumber: z.string().nullable(),
    }),
  ),
})

/** The staff's start page: how much work waits where. */
export const staffDashboard = z.object({
  kind: z.literal('staff'),
  queues: z.array(
    z.object({
      key: z.enum(['to_review', 'to_decide', 'accepted_unconfirmed', 'to_enrol', 'open_drafts', 'unpaid']),
      count: z.int(),
      isEstimate: z.boolean(),
      path: z.string(),
    }),
  ),
})
export const dashboard = z.discriminatedUnion('kind', [applicantDashboard, staffDashboard])
export type Dashboard = z.output<typeof dashboard>
export type ApplicantDashboard = z.output<typeof applicantDashboard>
