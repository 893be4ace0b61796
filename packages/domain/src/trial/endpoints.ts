import { z } from 'zod'
import { signedIn } from '#domain/accounts/endpoints.ts'
import { endpoint } from '#domain/endpoint.ts'
import { time } from '#entities/define/answer-time.ts'
import { trialStepStates, trialSteps } from './trial.ts'

const named = z.object({ id: z.uuid(), name: z.string() })

const trialChoices = z.object({
  waves: z.array(named),
  /** Dates between which a track accepts registrations at an entry level. */
  windows: z.array(z.object({ waveId: z.uuid(), track: named, entryLevel: named, opensAt: time, closesAt: time })),
  places: z.array(z.object({ waveId: z.uuid(), entryLevelId: z.uuid(), classProgramme: named, programme: named })),
})
export type TrialChoices = z.output<typeof trialChoices>

const trialView = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  startedAt: time,
  /** When the trial is removed automatically. */
  removedAt: time,
  /** Time on the trial's clock, if it is ahead of the real one. */
  clock: time.nullable(),
  wave: z.string(),
  track: z.string(),
  entryLevel: z.string(),
  classProgramme: z.string(),
  programme: z.string(),
  steps: z.array(z.object({ step: z.enum(trialSteps), state: z.enum(trialStepStates) })),
  registrationCode: z.string().nullable(),
  studentNumber: z.string().nullable(),
  /** Mails and WhatsApp messages, newest first; none of them was sent. */
  messages: z.array(z.object({ id: z.uuid(), channel: z.string(), subject: z.string(), body: z.string(), at: time })),
})
export type TrialView = z.output<typeof trialView>

/** Sentence that stops an applicant, and sentences beside fields. */
const refusal = z.object({ message: z.string(), sentences: z.array(z.string()) })
export type TrialRefusal = z.output<typeof refusal>

const path = '/settings/opening/trial'
const update = 'settings-opening-update'
const answer = z.object({ data: trialView })

export const readTrial = endpoint({
  method: 'GET',
  path,
  access: 'settings-opening-view',
  summary: 'The reader’s own trial; null if none is open',
  response: z.object({ data: trialView.nullable() }),
})

export const readTrialChoices = endpoint({
  method: 'GET',
  path: `${path}/choices`,
  access: 'settings-opening-view',
  summary: 'Waves, tracks and study programmes that can be tried, also before they open',
  response: z.object({ data: trialChoices }),
})

export const startTrial = endpoint({
  method: 'POST',
  path,
  access: update,
  summary: 'Make a test applicant that tries these settings; 409 if the caller has a trial already',
  body: z.strictObject({
    waveId: z.uuid(),
    trackId: z.uuid(),
    entryLevelId: z.uuid(),
    classProgrammeId: z.uuid(),
    programmeId: z.uuid(),
  }),
  response: answer,
})

export const takeTrialStep = endpoint({
  method: 'POST',
  path: `${path}/steps`,
  access: update,
  summary: 'Take the next step with sample data; a step that is not the next one changes nothing',
  body: z.strictObject({ step: z.enum(trialSteps) }),
  response: z.object({ data: trialView, meta: z.object({ refusal: refusal.nullable() }) }),
})

export const seeTrial = endpoint({
  method: 'POST',
  path: `${path}/see`,
  access: update,
  summary: 'A session of the test applicant; it reaches the trial alone and ends with it or with the own session',
  response: signedIn,
})

export const leaveTrial = endpoint({
  method: 'POST',
  path: `${path}/leave`,
  access: update,
  summary: 'End the session of the test applicant',
  response: z.object({ data: z.null() }),
})

export const removeTrial = endpoint({
  method: 'DELETE',
  path,
  access: update,
  summary: 'Remove the own trial with everything of it; also when there is none',
  response: z.object({ data: z.null() }),
})
