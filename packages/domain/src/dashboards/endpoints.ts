import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { time } from '#entities/define/answer-time.ts'
import { type CardKey, cardKeys, cardOf } from './cards.ts'

/** Unit of a figure: a count, whole rupiah, days, or a fraction. */
const kind = z.enum(['count', 'money', 'days', 'share'])
/** Address of the page that shows what a figure counts; null if no page does. */
const address = z.string().nullable()

const figure = z.object({
  /** Key of its name in locale `dashboards.figures`. */
  key: z.string(),
  kind,
  value: z.number().nullable(),
  /** The value it is compared with; null without a comparison. */
  before: z.number().nullable(),
  /** What `before` is: key in locale `dashboards.comparisons`. */
  against: z.string().nullable(),
  to: address,
})
export type CardFigure = z.output<typeof figure>

const line = z.object({
  /** Text of the database, such as the name of a programme. */
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
  /** Curves over the same days, one value per day; null where a day is yet to come. */
  days: z.array(z.string()),
  curves: z.array(z.object({ key: z.string(), kind, values: z.array(z.number().nullable()) })),
  columns: z.array(z.object({ key: z.string(), kind })),
  lines: z.array(line),
  /** Lines that the card leaves out. */
  more: z.int(),
  /** Keys of sentences in locale `dashboards.notes`. */
  notes: z.array(z.string()),
  /** The report or list with everything. */
  to: address,
})
export type CardContent = z.output<typeof content>

const answer = z.object({
  data: content,
  meta: z.object({
    asOf: time,
    /** Older than a minute. */
    isOld: z.boolean(),
    /** A newer answer is being computed. */
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

/** The read of every card; each is apart so that a slow or broken card keeps no other waiting. */
export const cardCalls = Object.fromEntries(cardKeys.map((key) => [key, callOf(key)])) as Record<
  CardKey,
  ReturnType<typeof callOf>
>
