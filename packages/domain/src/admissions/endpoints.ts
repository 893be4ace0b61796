import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { registrationStatuses, registrationTransitions, shownResults } from './registration-status.ts'
import {
  bulkInput,
  bulkOutcome,
  dashboard,
  documentsStates,
  intakeOptions,
  intakeWave,
  publication,
  registrationDetail,
  registrationEdit,
  registrationId,
  registrationInput,
  registrationNote,
  registrationRow,
  timelineEntry,
} from './schemas.ts'

const time = z.iso.datetime()
const detail = z.object({ data: registrationDetail })
const reason = z.string().trim().min(1).max(500)

export const getIntake = endpoint({
  method: 'GET',
  path: '/intake',
  access: 'public',
  summary: 'Waves and tracks that are open or open soon, with dates, fees and requirements',
  response: z.object({ data: z.array(intakeWave) }),
})

export const getIntakeOptions = endpoint({
  method: 'GET',
  path: '/intake/options',
  access: 'public',
  summary: 'What can be chosen in one wave and track',
  query: z.strictObject({ waveId: z.uuid(), trackId: z.uuid() }),
  response: z.object({ data: intakeOptions }),
})

export const listRegistrations = endpoint({
  method: 'GET',
  path: '/pendaftaran',
  access: 'pendaftaran-view',
  summary: 'Registrations one may see, newest first',
  query: z.strictObject({
    after: z.string().max(200).optional(),
    per_page: z.coerce.number().int().min(1).max(100).default(25),
    q: z.string().trim().max(100).optional(),
    sort: z.enum(['-createdAt', 'createdAt', 'code', '-code']).default('-createdAt'),
    waveId: z.uuid().optional(),
    trackId: z.uuid().optional(),
    programmeId: z.uuid().optional(),
    status: z.enum(registrationStatuses).optional(),
    result: z.enum(shownResults).optional(),
    documents: z.enum(documentsStates).optional(),
  }),
  response: z.object({
    data: z.array(registrationRow),
    meta: z.object({ total: z.int(), total_is_estimate: z.boolean(), next: z.string().nullable() }),
  }),
})

export const createRegistration = endpoint({
  method: 'POST',
  path: '/pendaftaran',
  access: 'pendaftaran-create',
  summary: 'Start a registration',
  body: registrationInput,
  response: detail,
})

export const getRegistration = endpoint({
  method: 'GET',
  path: '/pendaftaran/:id',
  access: 'pendaftaran-view',
  summary: 'One registration with all that is known about it',
  params: registrationId,
  response: detail,
})

export const editRegistration = endpoint({
  method: 'PUT',
  path: '/pendaftaran/:id',
  access: 'pendaftaran-edit',
  summary: 'Change a draft',
  params: registrationId,
  body: registrationEdit,
  response: detail,
})

const step = <A extends keyof typeof registrationTransitions, B extends z.ZodType>(
  action: A,
  summary: string,
  body: B,
) =>
  endpoint({
    method: 'POST',
    path: `/pendaftaran/:id/${action}`,
    access: registrationTransitions[action].access as string,
    summary,
    params: registrationId,
    body,
    response: detail,
  })

const nothing = z.strictObject({})
const withReason = z.strictObject({ reason })

/** One call for every step of the process that a person may take. */
export const registrationSteps = {
  submit: step('submit', 'Submit: locks the choices and issues the fee bill', nothing),
  verify: step('verify', 'Mark all documents as checked', nothing),
  accept: step(
    'accept',
    'Accept for one of the chosen programmes, or for another with the consent of the applicant',
    z.strictObject({ programmeId: z.uuid(), consent: z.boolean().default(false), reason: reason.optional() }),
  ),
  reject: step('reject', 'Do not accept', withReason),
  revertDecision: step('revertDecision', 'Take a decision back', withReason),
  confirm: step('confirm', 'Take the place and choose how to pay', z.strictObject({ installmentPlanId: z.uuid() })),
  revertConfirmation: step('revertConfirmation', 'Take a confirmation back', withReason),
  withdraw: step('withdraw', 'Withdraw the registration', withReason),
  cancel: step('cancel', 'Cancel the registration', withReason),
  revertWithdrawal: step('revertWithdrawal', 'Take a withdrawal back', withReason),
} as const

export const listTimeline = endpoint({
  method: 'GET',
  path: '/pendaftaran/:id/timeline',
  access: 'pendaftaran-view',
  summary: 'What has happened, newest first',
  params: registrationId,
  response: z.object({ data: z.array(timelineEntry) }),
})

export const listNotes = endpoint({
  method: 'GET',
  path: '/pendaftaran/:id/notes',
  access: 'pendaftaran-note',
  summary: 'Notes of staff',
  params: registrationId,
  response: z.object({ data: z.array(registrationNote) }),
})

export const addNote = endpoint({
  method: 'POST',
  path: '/pendaftaran/:id/notes',
  access: 'pendaftaran-note',
  summary: 'Add a note for staff',
  params: registrationId,
  body: z.strictObject({ body: z.string().trim().min(1).max(2000) }),
  response: z.object({ data: registrationNote }),
})

const outcomes = z.object({ data: z.array(bulkOutcome) })

export const previewBulk = endpoint({
  method: 'POST',
  path: '/pendaftaran/bulk/preview',
  access: 'pendaftaran-decide',
  summary: 'What an action would do to each of many registrations',
  body: bulkInput,
  response: outcomes,
})

export const runBulk = endpoint({
  method: 'POST',
  path: '/pendaftaran/bulk',
  access: 'pendaftaran-decide',
  summary: 'Take an action on many registrations, each on its own',
  body: bulkInput,
  response: outcomes,
})

export const listPublications = endpoint({
  method: 'GET',
  path: '/publications',
  access: 'pendaftaran-publish',
  summary: 'When the results of each wave and track are shown, and how many are decided',
  response: z.object({ data: z.array(publication) }),
})

export const publishResults = endpoint({
  method: 'PUT',
  path: '/publications',
  access: 'pendaftaran-publish',
  summary:
    'Set when the results of a wave and track are shown; null takes a publication back that has not happened yet',
  body: z.strictObject({
    waveId: z.uuid(),
    trackId: z.uuid(),
    publishAt: time.nullable(),
    version: z.int().optional(),
  }),
  response: z.object({ data: publication }),
})

export const getDashboard = endpoint({
  method: 'GET',
  path: '/dashboard',
  access: 'signed-in',
  summary: 'What the start page shows',
  response: z.object({ data: dashboard }),
})

export const downloadCard = endpoint({
  method: 'GET',
  path: '/pendaftaran/:id/card.pdf',
  access: 'pendaftaran-view',
  summary: 'Registration card (PDF)',
  params: registrationId,
  query: z.object({ language: z.enum(['en', 'id']).optional() }),
  response: z.any(),
})

export const verifyCard = endpoint({
  method: 'GET',
  path: '/verifikasi/:code',
  access: 'public',
  summary: 'Check a registration card by the code in its QR',
  params: z.object({ code: z.string().min(4).max(120) }),
  response: z.object({
    data: z.object({
      valid: z.boolean(),
      initials: z.string().nullable(),
      code: z.string().nullable(),
      wave: z.string().nullable(),
    }),
  }),
})
