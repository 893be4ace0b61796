import { expect, it } from 'vitest'
import type { OpenSurvey } from '#domain/surveys/public-endpoints.ts'
import type { Draft } from './draft.ts'
import { hasAnswers, nextState, type PageEvent, type PageState, startState } from './page-state.ts'

const noon = Date.parse('2026-03-01T12:00:00Z')
const draft: Draft = { id: 'first', startedAt: '', touchedAt: 0, answers: {}, schoolNames: {} }
const survey = (version: number, more: Partial<OpenSurvey> = {}): OpenSurvey => ({
  slug: 'expo',
  version,
  definition: { title: { id: 'Pameran', en: 'Expo' }, questions: [] },
  school: null,
  event: null,
  refusal: null,
  endsAt: null,
  now: new Date(noon).toISOString(),
  ...more,
})
const after = (...events: PageEvent[]): PageState => events.reduce(nextState, startState(draft))
const read = (version: number, more?: Partial<OpenSurvey>): PageEvent => ({
  type: 'read',
  survey: survey(version, more),
  atMs: noon,
})
const answered = (...change: [question: string, answer: unknown, schoolName?: string]): PageEvent => ({
  type: 'answered',
  change,
  atMs: noon,
})
const cutOff = (storedSurvey?: OpenSurvey) => ({
  type: 'unread' as const,
  isMissing: false,
  isCutOff: true,
  storedSurvey,
  atMs: noon,
})

it('an answer is added, replaced and removed, with the name of its school', () => {
  const state = after(answered('plan', 'work'), answered('school', { id: 's1' }, 'SMA 1'), answered('plan', 'study'))
  expect(state.draft).toMatchObject({
    answers: { plan: 'study', school: { id: 's1' } },
    schoolNames: { s1: 'SMA 1' },
    touchedAt: noon,
  })
  expect(hasAnswers(after(answered('plan', 'work'), answered('plan', undefined)))).toBe(false)
})

it('without network the stored survey is shown, and the one on the screen stays', () => {
  expect(after(cutOff(survey(1)))).toMatchObject({ survey: { version: 1 }, isCutOff: true })
  expect(after(read(2), cutOff(survey(1)))).toMatchObject({ survey: { version: 2 }, isCutOff: true })
  expect(after(cutOff())).toMatchObject({ survey: null, failure: 'unreachable' })
  expect(after(cutOff(), { type: 'connected' }).isCutOff).toBe(false)
})

it('a removed survey is not shown from the device', () => {
  const unread: PageEvent = { ...cutOff(survey(1)), isMissing: true }
  expect(after(unread)).toMatchObject({ survey: null, failure: 'missing' })
})

it('a newer version is shown in an empty form, not to somebody who is answering', () => {
  expect(after(read(1), read(2)).survey?.version).toBe(2)
  expect(after(read(1), answered('plan', 'work'), read(2)).survey?.version).toBe(1)
  expect(after(answered('plan', 'work'), read(2)).survey?.version).toBe(2)
})

it('a new draft follows a finished answer, and the form follows the thanks', () => {
  const finished = after(read(1), answered('plan', 'work'), {
    type: 'finished',
    id: 'first',
    nextDraft: { ...draft, id: 'second' },
  })
  expect(finished).toMatchObject({ thankedFor: 'first', draft: { id: 'second', answers: {} } })
  const restarted = nextState(finished, { type: 'restarted', nextDraft: { ...draft, id: 'third' }, atMs: noon })
  expect(restarted).toMatchObject({ thankedFor: null, draft: { id: 'third' } })
})

it('the end of a link is judged by the clock of the server when a form opens, not while it is filled in', () => {
  const slowMs = 3_600_000
  const endsAt = new Date(noon + 60_000).toISOString()
  const open = after({ type: 'read', survey: survey(1, { endsAt }), atMs: noon - slowMs })
  expect(open.refusal).toBe(null)
  const late = noon - slowMs + 61_000
  const answering = nextState(open, { ...answered('plan', 'work'), atMs: late } as PageEvent)
  expect(answering.refusal).toBe(null)
  expect(nextState(answering, { type: 'restarted', nextDraft: draft, atMs: late }).refusal).toBe('survey_link_ended')
  expect(after(read(1, { refusal: 'survey_closed' })).refusal).toBe('survey_closed')
})

it('the sentence about a full device disappears with the next answer', () => {
  const full = after(read(1), answered('plan', 'work'), { type: 'not-kept' })
  expect(full.isNotKept).toBe(true)
  expect(nextState(full, answered('plan', 'study')).isNotKept).toBe(false)
})
