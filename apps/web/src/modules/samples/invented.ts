import type { Stage } from '#domain/admissions/schemas.ts'
import { stageKeys } from '#domain/admissions/stages.ts'
import type { CardAnswer, CardContent, CardLine } from '#domain/dashboards/endpoints.ts'

/** Stages of an invented registration that is at `index`; earlier ones were reached a week apart. */
export const stagesUpTo = (index: number): Stage[] =>
  stageKeys.map((key, place) => ({
    key,
    state: place < index ? 'done' : place === index ? 'current' : 'upcoming',
    at: place < index ? `2026-03-0${place + 1}T03:00:00.000Z` : null,
  }))

const days = Array.from({ length: 14 }, (_, index) => `2026-03-${String(index + 1).padStart(2, '0')}`)

const answerOf = (content: Partial<CardContent>): CardAnswer => ({
  data: { figures: [], days: [], curves: [], columns: [], lines: [], more: 0, notes: [], to: null, ...content },
  meta: { asOf: '2026-03-14T03:00:00.000Z', isOld: false, newerSoon: false },
})

const lineOf = (label: string, values: CardLine['values'], at: string | null = null): CardLine => ({
  ...{ label, word: null, at, values, to: null },
})

/** Card contents, by the real card whose look they use. */
export const cardAnswers = {
  season: answerOf({
    figures: [{ key: 'submitted', kind: 'count', value: 1_248, before: 1_100, against: 'season', to: null }],
    days,
    curves: [
      { key: 'received', kind: 'count', values: days.map((_, index) => 40 + index * index) },
      { key: 'enrolled', kind: 'count', values: days.map((_, index) => 10 + index * 6) },
    ],
  }),
  fill: answerOf({
    columns: [{ key: 'people', kind: 'count' }],
    lines: [lineOf('Prodi Contoh A', [84]), lineOf('Prodi Contoh B', [52]), lineOf('Prodi Contoh C', [9])],
  }),
  'documents-today': answerOf({
    columns: [{ key: 'people', kind: 'count' }],
    lines: Object.entries({ 8: 4, 9: 12, 10: 18, 11: 7, 12: 2 }).map(([hour, people]) =>
      lineOf(`${hour}.00`, [people]),
    ),
  }),
  deadlines: answerOf({
    lines: [
      lineOf('Gelombang Contoh 1', [12], '2026-03-16T03:00:00.000Z'),
      lineOf('Tes Rekaan', [40], '2026-03-18T01:30:00.000Z'),
    ],
  }),
}
