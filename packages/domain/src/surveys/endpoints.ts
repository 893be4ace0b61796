import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { time } from '#entities/define/answer-time.ts'
import { languages } from '#entities/define/language.ts'
import { typedDay, typedMoment } from '#entities/define/typed-dates.ts'
import { typedLine, typedText } from '#entities/define/typed-text.ts'
import { questionKinds } from './definition.ts'
import { surveyDefinition } from './definition-schema.ts'
import { openSurvey } from './public-endpoints.ts'
import { linkStates, slugPattern, surveyStates } from './surveys.ts'

export const listPermission = 'marketing-data-survey-siswa'
export const createPermission = 'marketing-data-survey-siswa-create'
export const viewPermission = 'marketing-data-survey-siswa-view'

const base = '/marketing/data-survey-siswa'
const one = `${base}/:id` as const
const byId = z.object({ id: z.uuid() })
const name = typedLine().min(1).max(150)
const reason = typedText().min(3).max(500)
const versioned = z.strictObject({ version: z.int() })

const words = z.object({ id: z.string(), en: z.string() })

const survey = z.object({
  id: z.uuid(),
  name: z.string(),
  status: z.enum(surveyStates),
  /** Row version for stale-write checks. `published` is the version of the questionnaire. */
  version: z.int(),
  /** Edited in the builder, and published as the next version. */
  draft: surveyDefinition,
  /** Number of the newest version; null before the first is published. */
  published: z.int().nullable(),
  /** Whether the draft differs from the newest version. */
  changed: z.boolean(),
  responses: z.int(),
  /** Questions of all versions. Those of the newest version come first. */
  questions: z.array(z.object({ key: z.string(), kind: z.enum(questionKinds), label: words })),
  links: z.array(z.object({ id: z.uuid(), name: z.string() })),
  createdAt: time,
  updatedAt: time,
})
export type Survey = z.output<typeof survey>
const surveyAnswer = z.object({ data: survey })

export const createSurvey = endpoint({
  method: 'POST',
  path: base,
  access: createPermission,
  summary: 'Create a survey as a draft',
  body: z.strictObject({ name, draft: surveyDefinition }),
  response: surveyAnswer,
})

export const readSurvey = endpoint({
  method: 'GET',
  path: one,
  access: createPermission,
  alsoFor: [viewPermission],
  summary: 'A survey with its draft',
  params: byId,
  response: surveyAnswer,
})

export const saveSurvey = endpoint({
  method: 'PUT',
  path: one,
  access: createPermission,
  summary: 'Change name and draft of a survey; published versions do not change',
  params: byId,
  body: z.strictObject({ name, draft: surveyDefinition, version: z.int() }),
  response: surveyAnswer,
})

export const publishSurvey = endpoint({
  method: 'POST',
  path: `${one}/publish`,
  access: createPermission,
  summary: 'Make the draft the next version and open the survey; the first time it gets a link for everybody',
  params: byId,
  body: versioned,
  response: surveyAnswer,
})

export const closeSurvey = endpoint({
  method: 'POST',
  path: `${one}/close`,
  access: createPermission,
  summary: 'Close a survey; answers given before are still accepted',
  params: byId,
  body: versioned,
  response: surveyAnswer,
})

export const reopenSurvey = endpoint({
  method: 'POST',
  path: `${one}/reopen`,
  access: createPermission,
  summary: 'Reopen a survey',
  params: byId,
  body: versioned,
  response: surveyAnswer,
})

export const duplicateSurvey = endpoint({
  method: 'POST',
  path: `${one}/duplicate`,
  access: createPermission,
  summary: 'Create a draft with the questions of a survey',
  params: byId,
  body: z.strictObject({ name }),
  response: surveyAnswer,
})

export const deleteSurvey = endpoint({
  method: 'DELETE',
  path: one,
  access: createPermission,
  summary: 'Delete a survey that was never published',
  params: byId,
  response: z.object({ data: z.object({ id: z.uuid() }) }),
})

export const previewSurvey = endpoint({
  method: 'GET',
  path: `${one}/preview`,
  access: createPermission,
  summary: 'The draft as data of the public page',
  params: byId,
  response: z.object({ data: openSurvey }),
})

const slug = typedLine().min(3).max(60).regex(slugPattern, 'survey_slug_format')
const linkLimits = {
  /** Maximum number of responses; null for no limit. */
  budget: z.int().min(1).max(1_000_000).nullable(),
  endsAt: typedMoment.nullable(),
}

const link = z.object({
  id: z.uuid(),
  surveyId: z.uuid(),
  name: z.string(),
  slug: z.string(),
  url: z.string(),
  /** Width of the QR code, and an SVG path of its dark areas. The unit is a module, the smallest square. */
  qr: z.object({ size: z.int(), path: z.string() }),
  schoolId: z.uuid().nullable(),
  school: z.string().nullable(),
  eventId: z.uuid().nullable(),
  event: words.nullable(),
  affiliateId: z.uuid().nullable(),
  affiliate: z.string().nullable(),
  budget: z.int().nullable(),
  taken: z.int(),
  endsAt: time.nullable(),
  state: z.enum(linkStates),
  version: z.int(),
})
export type SurveyLink = z.output<typeof link>
const linkAnswer = z.object({ data: link })

export const createSurveyLink = endpoint({
  method: 'POST',
  path: `${one}/links`,
  access: createPermission,
  summary: 'Create a link to a survey, for a school, an event or an affiliate',
  params: byId,
  body: z.strictObject({
    name,
    /** Last part of the URL; generated if null. */
    slug: slug.nullable(),
    schoolId: z.uuid().nullable(),
    eventId: z.uuid().nullable(),
    affiliateId: z.uuid().nullable(),
    ...linkLimits,
  }),
  response: linkAnswer,
})

const byLink = z.object({ id: z.uuid(), linkId: z.uuid() })

export const readSurveyLink = endpoint({
  method: 'GET',
  path: `${one}/links/:linkId`,
  access: viewPermission,
  alsoFor: [createPermission],
  summary: 'A link with its address and QR code',
  params: byLink,
  response: linkAnswer,
})

export const changeSurveyLink = endpoint({
  method: 'PUT',
  path: `${one}/links/:linkId`,
  access: createPermission,
  summary: 'Change name, limit and end of a link, or close it; closed links accept no more answers',
  params: byLink,
  body: z.strictObject({ name, ...linkLimits, closed: z.boolean(), version: z.int() }),
  response: linkAnswer,
})

export const downloadSurveyPoster = endpoint({
  method: 'GET',
  path: `${one}/links/:linkId/poster`,
  access: viewPermission,
  alsoFor: [createPermission],
  summary: 'A page to print with the title of the survey and the QR code of a link',
  params: byLink,
  response: z.any(),
})

export const resultFilters = z.strictObject({
  linkId: z.uuid().optional(),
  schoolId: z.uuid().optional(),
  language: z.enum(languages).optional(),
  version: z.coerce.number().int().min(1).max(1_000_000).optional(),
  from: typedDay.optional(),
  to: typedDay.optional(),
})
export type ResultFilters = z.output<typeof resultFilters>

/** A value, range or month, and how often it was given. Charts show `value` if `label` is null. */
const counted = z.object({ value: z.string(), label: words.nullable(), count: z.int() })

const questionResult = z.object({
  key: z.string(),
  kind: z.enum(questionKinds),
  label: words,
  /** Newest version that has the question. */
  version: z.int(),
  answered: z.int(),
  /** Empty for texts, contacts and photos. */
  values: z.array(counted),
  /** Null without answers, and for questions that are neither number nor scale. */
  numbers: z.object({ mean: z.number(), median: z.number(), least: z.number(), most: z.number() }).nullable(),
})
export type QuestionResult = z.output<typeof questionResult>

export const readSurveyResults = endpoint({
  method: 'GET',
  path: `${one}/results`,
  access: viewPermission,
  summary: 'Responses by day, and counts of every answer to every question',
  params: byId,
  query: resultFilters,
  response: z.object({
    data: z.object({
      responses: z.int(),
      lastAt: time.nullable(),
      /** Median duration of the newest 1,000 responses; null without responses. */
      medianSeconds: z.int().nullable(),
      leads: z.int(),
      days: z.array(z.object({ day: z.string(), count: z.int() })),
      questions: z.array(questionResult),
      versions: z.array(z.int()),
    }),
  }),
})
export type SurveyResults = z.output<typeof readSurveyResults.response>['data']

export const readSurveyCross = endpoint({
  method: 'GET',
  path: `${one}/cross`,
  access: viewPermission,
  summary: 'How often answers of two questions were given together',
  params: byId,
  query: resultFilters.extend({ row: z.string().min(1).max(40), column: z.string().min(1).max(40) }),
  response: z.object({
    data: z.object({
      rows: z.array(counted),
      columns: z.array(counted),
      /** Pairs of answers that were given together. Other pairs count 0. */
      cells: z.array(z.object({ row: z.string(), column: z.string(), count: z.int() })),
      /** Number of responses that answer both questions. */
      both: z.int(),
    }),
  }),
})
export type SurveyCross = z.output<typeof readSurveyCross.response>['data']

const photo = z.object({ responseId: z.uuid(), at: time, url: z.string(), thumbnail: z.string() })

export const readSurveyPhotos = endpoint({
  method: 'GET',
  path: `${one}/photos`,
  access: viewPermission,
  summary: 'Photos of a question, newest first, with URLs valid for 15 minutes',
  params: byId,
  query: resultFilters.extend({
    question: z.string().min(1).max(40),
    page: z.coerce.number().int().min(1).max(10_000).default(1),
  }),
  response: z.object({ data: z.array(photo), meta: z.object({ total: z.int(), perPage: z.int() }) }),
})

export const exportSurveyAnswers = endpoint({
  method: 'GET',
  path: `${one}/answers/export`,
  access: viewPermission,
  summary: 'Every response as XLSX or CSV, with one column for a question or for each option of several',
  params: byId,
  query: resultFilters.extend({ format: z.enum(['xlsx', 'csv']).default('xlsx') }),
  response: z.any(),
})

const byResponse = z.object({ id: z.uuid(), responseId: z.uuid() })

const shownAnswer = z.object({
  key: z.string(),
  kind: z.enum(questionKinds),
  label: words,
  /** Answer as text in the reader's language; null for a photo or without an answer. */
  text: z.string().nullable(),
  photo: z.object({ url: z.string(), thumbnail: z.string() }).nullable(),
})

export const readSurveyResponse = endpoint({
  method: 'GET',
  path: `${one}/responses/:responseId`,
  access: viewPermission,
  summary: 'A response with the questions of its version',
  params: byResponse,
  response: z.object({
    data: z.object({
      id: z.uuid(),
      version: z.int(),
      language: z.enum(languages),
      link: z.string(),
      school: z.string().nullable(),
      startedAt: time,
      finishedAt: time,
      receivedAt: time,
      leadId: z.uuid().nullable(),
      /** Whether contact and photos were erased with the lead. */
      erased: z.boolean(),
      answers: z.array(shownAnswer),
    }),
  }),
})
export type SurveyResponse = z.output<typeof readSurveyResponse.response>['data']

export const removeSurveyResponse = endpoint({
  method: 'POST',
  path: `${one}/responses/:responseId/remove`,
  access: createPermission,
  summary: 'Delete a response for a reason; the device cannot send it again',
  params: byResponse,
  body: z.strictObject({ reason }),
  response: z.object({ data: z.object({ id: z.uuid() }) }),
})
