import { z } from 'zod'
import { defineList } from '#domain/list.ts'
import { time } from '#entities/define/answer-time.ts'
import { languages } from '#entities/define/language.ts'
import { linkStates, surveyStates } from './surveys.ts'

const words = (title: string) => ({ title, columns: 'surveys:column', filters: 'surveys:column' })
const base = '/marketing/data-survey-siswa'
const bySurvey = z.object({ id: z.uuid() })
const viewPermission = 'marketing-data-survey-siswa-view'
const createPermission = 'marketing-data-survey-siswa-create'
const languageWords = { en: { en: 'English', id: 'Inggris' }, id: { en: 'Indonesian', id: 'Indonesia' } }

export const listSurveys = defineList({
  name: 'surveys',
  path: base,
  access: 'marketing-data-survey-siswa',
  summary: 'Surveys with their answers and links',
  words: words('staff-titles:marketing-data-survey-siswa'),
  row: z.object({
    id: z.uuid(),
    name: z.string(),
    status: z.enum(surveyStates),
    responses: z.int(),
    lastAt: time.nullable(),
    links: z.int(),
    published: z.int().nullable(),
    updatedAt: time,
    /** Row version for stale-write checks. `published` is the version of the questionnaire. */
    version: z.int(),
  }),
  columns: {
    name: { sort: true },
    status: { words: 'surveys:status' },
    responses: { kind: 'number', sort: true },
    lastAt: { kind: 'dateTime', sort: true, absent: 'surveys:none' },
    links: { kind: 'number' },
    published: { kind: 'number', hidden: true, absent: 'surveys:none' },
    updatedAt: { kind: 'dateTime', sort: true },
  },
  filters: { status: { values: surveyStates, words: 'surveys:status', quick: true } },
  order: '-updatedAt',
})

export const listSurveyLinks = defineList({
  name: 'survey-links',
  path: `${base}/:id/links`,
  access: viewPermission,
  alsoFor: [createPermission],
  summary: 'Links of a survey',
  words: words('surveys:links.title'),
  params: bySurvey,
  row: z.object({
    id: z.uuid(),
    name: z.string(),
    slug: z.string(),
    school: z.string().nullable(),
    affiliate: z.string().nullable(),
    taken: z.int(),
    budget: z.int().nullable(),
    endsAt: time.nullable(),
    state: z.enum(linkStates),
    /** Row version for stale-write checks. */
    version: z.int(),
  }),
  columns: {
    name: { sort: true },
    state: { words: 'surveys:linkState' },
    taken: { kind: 'number', sort: true },
    budget: { kind: 'number', absent: 'surveys:unlimited' },
    endsAt: { kind: 'dateTime', sort: true, absent: 'surveys:unlimited' },
    school: { absent: 'surveys:none' },
    slug: {},
    affiliate: { hidden: true, absent: 'surveys:none' },
  },
  filters: { state: { values: linkStates, words: 'surveys:linkState', quick: true } },
  order: 'name',
})

export const listSurveyResponses = defineList({
  name: 'survey-responses',
  path: `${base}/:id/responses`,
  access: viewPermission,
  summary: 'Responses to a survey, newest first',
  words: words('surveys:responses.title'),
  params: bySurvey,
  row: z.object({
    id: z.uuid(),
    finishedAt: time,
    receivedAt: time,
    link: z.string(),
    school: z.string().nullable(),
    language: z.enum(languages),
    version: z.int(),
    seconds: z.int(),
    lead: z.boolean(),
  }),
  columns: {
    finishedAt: { kind: 'dateTime', sort: true },
    link: {},
    school: { absent: 'surveys:none' },
    language: { words: languageWords },
    seconds: { kind: 'number' },
    lead: { kind: 'yesNo' },
    receivedAt: { kind: 'dateTime', sort: true, hidden: true },
    version: { kind: 'number', hidden: true },
  },
  filters: {
    language: { values: languages, words: languageWords },
    lead: { kind: 'yesNo' },
    from: { kind: 'day' },
    to: { kind: 'day' },
    school: { of: 'sma-nama' },
  },
  order: '-finishedAt',
})

export const listSurveyTexts = defineList({
  name: 'survey-texts',
  path: `${base}/:id/texts`,
  access: viewPermission,
  summary: 'Text answers, newest first',
  words: words('surveys:texts.title'),
  params: bySurvey,
  row: z.object({
    /** Hash of response id and question key, because a response may have several texts. */
    id: z.string(),
    responseId: z.uuid(),
    text: z.string(),
    question: z.string(),
    finishedAt: time,
    link: z.string(),
    school: z.string().nullable(),
  }),
  columns: {
    text: { width: 60 },
    question: {},
    finishedAt: { kind: 'dateTime', sort: true },
    school: { absent: 'surveys:none' },
    link: { hidden: true },
  },
  filters: {
    question: { kind: 'text', most: 40 },
    from: { kind: 'day' },
    to: { kind: 'day' },
    school: { of: 'sma-nama' },
  },
  order: '-finishedAt',
})
