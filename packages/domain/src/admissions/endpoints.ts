import { z } from 'zod'
import { endpoint, type Problems, type Schema } from '#domain/endpoint.ts'
import { languages } from '#entities/define/language.ts'
import { typedMoment } from '#entities/define/typed-dates.ts'
import { typedLine, typedText } from '#entities/define/typed-text.ts'
import { intakeChoices, intakeWave } from './intake-schemas.ts'
import { registrationTransitions } from './registration-status.ts'
import { actionPaths, bulkActions, type RequestedAction } from './requested-actions.ts'
import {
  bulkAnswer,
  dashboard,
  decisionBasis,
  note,
  publication,
  registrationDetail,
  timelineEntry,
} from './schemas.ts'

const byId = z.object({ id: z.uuid() })
const registrationAnswer = z.object({ data: registrationDetail })
const reason = typedText().min(3).max(500)
const choices = z.array(z.uuid()).max(5)
const donationAmount = z.int().min(0).max(100_000_000_000)

export const readIntake = endpoint({
  method: 'GET',
  path: '/intake',
  access: 'public',
  summary: 'Open and upcoming waves with their tracks, dates, fees, requirements and study programmes',
  response: z.object({ data: z.array(intakeWave) }),
})

export const readIntakeOptions = endpoint({
  method: 'GET',
  path: '/intake/options',
  access: 'public',
  summary: 'What can be chosen for a registration in one wave and track',
  query: z.object({ waveId: z.uuid(), trackId: z.uuid() }),
  response: z.object({ data: intakeChoices }),
})

export const createRegistration = endpoint({
  method: 'POST',
  path: '/pendaftaran',
  access: 'pendaftaran-create',
  summary: 'Start a registration',
  body: z.strictObject({
    waveId: z.uuid(),
    trackId: z.uuid(),
    entryLevelId: z.uuid(),
    classProgrammeId: z.uuid(),
    /** In order of preference. Missing: the choice made before sign-up. */
    choices: choices.optional(),
    donationAmount: donationAmount.nullable().optional(),
    referralCode: typedLine().max(30).nullable().optional(),
    /** Staff only: the applicant's account. */
    accountId: z.uuid().optional(),
  }),
  response: registrationAnswer,
})

export const readRegistration = endpoint({
  method: 'GET',
  path: '/pendaftaran/:id',
  access: 'pendaftaran-view',
  summary: 'One registration with what to do next and what is allowed',
  params: byId,
  response: registrationAnswer,
})

export const updateRegistration = endpoint({
  method: 'PUT',
  path: '/pendaftaran/:id',
  access: 'pendaftaran-edit',
  summary: 'Change a draft',
  params: byId,
  body: z.strictObject({
    version: z.int().min(1),
    entryLevelId: z.uuid().optional(),
    classProgrammeId: z.uuid().optional(),
    choices: choices.optional(),
    donationAmount: donationAmount.nullable().optional(),
    referralCode: typedLine().max(30).nullable().optional(),
  }),
  response: registrationAnswer,
})

const action = <const A extends RequestedAction, const B extends Schema>(name: A, summary: string, body: B) =>
  endpoint({
    method: 'POST',
    path: `/pendaftaran/:id/${actionPaths[name]}` as const,
    access: registrationTransitions[name].access,
    summary,
    params: byId,
    body,
    response: registrationAnswer,
  })
const withReason = z.strictObject({ reason })
const emptyBody = z.strictObject({})

/** One endpoint per action a person takes. */
export const actionEndpoints = {
  submit: action('submit', 'Submit: locks the choices and issues the registration fee', emptyBody),
  verify: action('verify', 'Verify a paid registration whose documents are complete', emptyBody),
  accept: action(
    'accept',
    'Accept for one of the chosen programmes, or another one with consent',
    z.strictObject({
      programmeId: z.uuid(),
      /** Whether the applicant agreed to a programme outside the choices. */
      consent: z.boolean().default(false),
      reason: typedText().max(500).optional(),
    }),
  ),
  reject: action('reject', 'Do not accept', withReason),
  revertDecision: action('revertDecision', 'Take a decision back', withReason),
  confirm: action(
    'confirm',
    'Confirm the place: issues the re-registration bill',
    z.strictObject({
      installmentPlanId: z.uuid().nullable().default(null),
      /** Why staff confirm for the applicant. */
      reason: reason.optional(),
    }),
  ),
  decline: action('decline', 'Give the offered place back: ends the registration', withReason),
  revertConfirmation: action('revertConfirmation', 'Take a confirmation back while nothing was paid', withReason),
  withdraw: action('withdraw', 'Withdraw', withReason),
  cancel: action('cancel', 'Cancel a registration', withReason),
  revertWithdrawal: action('revertWithdrawal', 'Open a withdrawn registration again where it was', withReason),
} as const satisfies Record<RequestedAction, unknown>

export const readDecisionBasis = endpoint({
  method: 'GET',
  path: '/pendaftaran/:id/decision-basis',
  access: 'pendaftaran-decide',
  summary: 'Tests, scores, places, documents and fee, and what of it speaks against accepting for each programme',
  params: byId,
  /** A programme outside the choices. */
  query: z.object({ programmeId: z.uuid().optional() }),
  response: z.object({ data: decisionBasis }),
})

export const submitRegistration = actionEndpoints.submit
export const confirmRegistration = actionEndpoints.confirm
export const declineOffer = actionEndpoints.decline
export const withdrawRegistration = actionEndpoints.withdraw

const bulkBody = z.strictObject({
  action: z.enum(bulkActions),
  ids: z.array(z.uuid()).min(1).max(500),
  /** Only for `accept`: one programme for all. Missing: each applicant's first choice with a free place. */
  programmeId: z.uuid().optional(),
  consent: z.boolean().default(false),
  /** Only for `reject`. */
  // As a call of `z`, which the build removes.
  reason: z.optional(reason),
  /** Only for `confirm`. */
  installmentPlanId: z.uuid().nullable().default(null),
})

const rejectionProblems = ({ action, reason }: { action?: string; reason?: string }): Problems => ({
  reason: action === 'reject' && !reason ? 'field_required' : null,
})

/** The route requires only permission to view; each action also checks its own. */
export const previewBulk = endpoint({
  method: 'POST',
  path: '/pendaftaran/bulk/preview',
  access: 'pendaftaran-view',
  reads: true,
  summary: 'Which of the chosen registrations a step can be taken for, and why not for the others',
  body: bulkBody,
  response: z.object({ data: bulkAnswer }),
})

export const runBulk = endpoint({
  method: 'POST',
  path: '/pendaftaran/bulk',
  access: 'pendaftaran-view',
  summary: 'Take a step for many registrations; answers for each',
  body: bulkBody,
  rules: rejectionProblems,
  response: z.object({ data: bulkAnswer }),
})

export const listNotes = endpoint({
  method: 'GET',
  path: '/pendaftaran/:id/notes',
  access: 'pendaftaran-note',
  summary: 'Notes of staff on a registration',
  params: byId,
  response: z.object({ data: z.array(note) }),
})

export const addNote = endpoint({
  method: 'POST',
  path: '/pendaftaran/:id/notes',
  access: 'pendaftaran-note',
  summary: 'Write a note on a registration',
  params: byId,
  body: z.strictObject({ body: typedText().min(1).max(2000) }),
  response: z.object({ data: note }),
})

export const readTimeline = endpoint({
  method: 'GET',
  path: '/pendaftaran/:id/timeline',
  access: 'pendaftaran-view',
  summary: 'What happened to a registration, newest first',
  params: byId,
  response: z.object({ data: z.array(timelineEntry) }),
})

export const readDashboard = endpoint({
  method: 'GET',
  path: '/dashboard',
  access: 'signed-in',
  summary: 'What the reader should look at first',
  response: z.object({ data: dashboard }),
})

export const listPublications = endpoint({
  method: 'GET',
  path: '/publications',
  access: 'pendaftaran-publish',
  summary: 'When the results of each wave and track are shown, and how many there are',
  query: z.object({ waveId: z.uuid().optional() }),
  response: z.object({ data: z.array(publication) }),
})

export const setPublication = endpoint({
  method: 'PUT',
  path: '/publications',
  access: 'pendaftaran-publish',
  summary: 'Set the time from which the waiting results of a wave and track are shown, or take it back before that',
  body: z.strictObject({
    waveId: z.uuid(),
    trackId: z.uuid(),
    publishAt: typedMoment.nullable(),
    /** Number of unpublished decisions the publisher saw; checked if they are published at once. */
    waiting: z.int().min(0).optional(),
    /** 0 if no publication time was set before. */
    version: z.int().min(0),
  }),
  rules: ({ publishAt }, now) => ({
    // A minute of grace, because "now" on the screen has passed when the request arrives.
    publishAt: publishAt && Date.parse(publishAt) < now.getTime() - 60_000 ? 'publish_time_past' : null,
  }),
  response: z.object({ data: publication }),
})

export const downloadCard = endpoint({
  method: 'GET',
  path: '/pendaftaran/:id/card.pdf',
  access: 'pendaftaran-view',
  summary: 'Registration card (PDF), once the fee is settled',
  params: byId,
  query: z.object({ language: z.enum(languages).optional(), size: z.enum(['a4', 'a6']).default('a4') }),
  response: z.any(),
})
