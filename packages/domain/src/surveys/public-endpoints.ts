import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { errorCodes } from '#domain/errors.ts'
import { time } from '#entities/define/answer-time.ts'
import { languages } from '#entities/define/language.ts'
import { typedMoment } from '#entities/define/typed-dates.ts'
import { typedLine } from '#entities/define/typed-text.ts'
import { surveyDefinition } from './definition-schema.ts'
import { linkRefusals, responsesPerCall } from './surveys.ts'

const bySlug = z.object({ slug: z.string().min(1).max(60) })
const named = z.object({ id: z.uuid(), name: z.string() }).nullable()

export const openSurvey = z.object({
  slug: z.string(),
  /** Version number of the definition; null for a draft in preview. */
  version: z.int().nullable(),
  definition: surveyDefinition,
  school: named,
  event: z.object({ id: z.uuid(), name: z.object({ id: z.string(), en: z.string() }) }).nullable(),
  /**
   * Why the link takes no new responses. Responses finished before the survey closed or the link ended are still
   * stored, unless the link is full.
   */
  refusal: z.enum(linkRefusals).nullable(),
  endsAt: time.nullable(),
  /** The server's time, because the device's clock may be wrong. */
  now: time,
})
export type OpenSurvey = z.output<typeof openSurvey>

export const readOpenSurvey = endpoint({
  method: 'GET',
  path: '/survei/:slug',
  access: 'public',
  summary: 'The survey behind a link: its newest version, and whether it accepts answers',
  params: bySlug,
  response: z.object({ data: openSurvey }),
})

/**
 * A response as a device sends it. Responses are checked one by one, so that an invalid one does not block the rest.
 */
export const sentResponse = z.strictObject({
  /** Generated on the device. The server stores one response per id. */
  id: z.uuid().toLowerCase(),
  version: z.int().min(1).max(1_000_000),
  language: z.enum(languages),
  /** By the device's clock, like `finishedAt`. */
  startedAt: typedMoment,
  finishedAt: typedMoment,
  answers: z.record(z.string().max(40), z.unknown()),
})
export type SentResponse = z.input<typeof sentResponse>

const responseProblem = z.object({
  /** Key of the question; null for the response as a whole. */
  question: z.string().nullable(),
  part: z.string().nullable(),
  code: z.enum(errorCodes),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
})
export type ResponseProblem = z.output<typeof responseProblem>

const responseOutcome = z.object({
  id: z.string(),
  /** `known`: stored before, even if deleted since. The device does not retry after `refused`, unless someone asks. */
  outcome: z.enum(['stored', 'known', 'refused']),
  problems: z.array(responseProblem),
})
export type ResponseOutcome = z.output<typeof responseOutcome>

export const sendResponses = endpoint({
  method: 'POST',
  path: '/survei/:slug/responses',
  access: 'public',
  summary: 'Responses of a device, each stored once however often it is sent; one outcome for each, in their order',
  params: bySlug,
  body: z.strictObject({
    /**
     * Time of sending by the device's clock. The server corrects `startedAt` and `finishedAt` by the difference from
     * its own clock.
     */
    sentAt: typedMoment,
    responses: z
      .array(z.looseObject({ id: z.string().max(100) }))
      .min(1)
      .max(responsesPerCall),
  }),
  response: z.object({ data: z.array(responseOutcome) }),
})

export const sendSurveyPhoto = endpoint({
  method: 'POST',
  path: '/survei/:slug/responses/:id/photos/:photoId',
  access: 'public',
  summary: 'Upload a photo of a stored response, stored once however often it is sent; at most 8 MB, JPG, PNG or WebP',
  params: bySlug.extend({ id: z.uuid(), photoId: z.uuid() }),
  upload: true,
  response: z.object({ data: z.object({ id: z.uuid(), outcome: z.enum(['stored', 'known']) }) }),
})

export const searchSurveySchools = endpoint({
  method: 'GET',
  path: '/survei/:slug/schools',
  access: 'public',
  summary: 'Schools for the school question of a survey, best match first',
  params: bySlug,
  query: z.strictObject({ q: typedLine().min(2).max(100) }),
  response: z.object({ data: z.array(z.object({ id: z.uuid(), name: z.string(), city: z.string() })) }),
})
