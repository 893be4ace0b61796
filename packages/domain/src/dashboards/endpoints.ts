import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { time } from '#entities/define/answer-time.ts'
import { type CardKey, cardKeys, cardOf } from './cards.ts'

/** Unit of a figure: a count, whole rupiah, days, or a fraction. */
const kind = z.enum(['count', 'money', 'days', 'share'])
/** Page that shows what a figure counts; null if there is none. */
const address = z.string().nullable()

const figure = z.object({
  /** Key of its name in locale `dashboards.figures`. */
  key: z.string(),
  kind,
  value: z.number().nullable(),
  /** Value it is compared with; null without a comparison. */
  before: z.number().nullable(),
  /** What `before` is: key in locale `dashboards.comparisons`. */
  against: z.string().nullable(),
  to: address,
})
export type CardFigure = z.output<typeof figure>

const line = z.object({
  /** Text from the database, such as a programme's name. */
  label: z.string().nullable(),
  /** Key in locale `dashboards.words`, if the line has no text. */
  word: z.string().nullable(),
  at: time.nullable(),
  /** One value per column. */
  values: z.array(z.number().nullable()),
  to: address,
})
export type CardLine = z.output<typeof line>

const content = z.object({
  figures: z.array(figure),
  /** Curves over the same days, one value per day; null for future days. */
  days: z.array(z.string()),
  curves: z.array(z.object({ key: z.string(), kind, values: z.array(z.number().nullable()) })),
  columns: z.array(z.object({ key: z.string(), kind })),
  lines: z.array(line),
  /** Number of lines left out. */
  more: z.int(),
  /** Keys of sentences in locale `dashboards.notes`. */
  notes: z.array(z.string()),
  /** Report or list with all rows. */
  to: address,
})
export type CardContent = z.output<typeof content>

const answer = z.object({
  data: content,
  meta: z.object({
    asOf: time,
    /** Whether the answer is older than a minute. */
    isOld: z.boolean(),
    /** Whether a newer answer is being computed. */
    newerSoon: z.boolean(),
  }),
})
export type CardAnswer = z.output<typeof answer>

export const listCards = endpoint({
  method: 'GET',
  path: '/dashboard/cards',
  access: 'signed-in',
  summary: 'Cards of the dashboard that the reader may open, in order',
  response: z.object({ data: z.array(z.enum(cardKeys as [CardKey, ...CardKey[]])) }),
})

const callOf = (key: CardKey) => {
  const { access, alsoFor } = cardOf(key)
  return endpoint({
    method: 'GET',
    path: `/dashboard/cards/${key}`,
    access,
    ...(alsoFor && { alsoFor }),
    summary: `Card "${key}" of the dashboard, within the reader's scope and at most a minute old, or marked as older`,
    response: answer,
  })
}

/** Endpoint per card, so that a slow or broken card does not hold up the others. */
export const cardCalls = Object.fromEntries(cardKeys.map((key) => [key, callOf(key)])) as Record<
  CardKey,
  ReturnType<typeof callOf>
>
