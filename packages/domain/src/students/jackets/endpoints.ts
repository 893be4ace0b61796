import { z } from 'zod'
import { clothesSizes } from '#domain/applicants/profile.ts'
import { universityCalendar } from '#domain/calendar.ts'
import { endpoint, type Problems } from '#domain/endpoint.ts'
import { time } from '#entities/define/answer-time.ts'
import { typedDay } from '#entities/define/typed-dates.ts'
import { typedLine } from '#entities/define/typed-text.ts'
import { signaturePath } from './jackets.ts'

const size = z.enum(clothesSizes)
const line = (max: number) => typedLine().min(1).max(max)
const reason = line(300)
const params = z.object({ id: z.uuid() })

const handOut = z.object({
  id: z.uuid(),
  size,
  handedAt: time,
  handedBy: z.string().nullable(),
  signature: z.string().nullable(),
  note: z.string().nullable(),
  endedAt: time.nullable(),
  endedBy: z.string().nullable(),
  endedAs: z.enum(['exchanged', 'returned']).nullable(),
  endedReason: z.string().nullable(),
  usable: z.boolean().nullable(),
})

const holder = z.object({
  registrationId: z.uuid(),
  name: z.string(),
  code: z.string(),
  npm: z.string().nullable(),
  programme: z.string().nullable(),
  status: z.string(),
  wanted: size.nullable(),
  photoUrl: z.string().nullable(),
  /** Jackets by size in stock at the desk. */
  onHand: z.array(z.object({ size, count: z.int() })),
  /** Newest first. The first one is current unless it has ended. */
  handOuts: z.array(handOut),
})
export type JacketHolder = z.output<typeof holder>

export const findJacketHolder = endpoint({
  method: 'POST',
  path: '/jaket-mahasiswa/find',
  access: 'jaket-mahasiswa-create',
  reads: true,
  summary:
    'The student of a student number, a registration code or a scanned card; 409 for a card that was replaced or withdrawn',
  body: z.strictObject({ code: line(500) }),
  response: z.object({ data: holder }),
})

export const readJacketHolder = endpoint({
  method: 'GET',
  path: '/jaket-mahasiswa/:id',
  access: 'jaket-mahasiswa-view',
  summary: 'The jackets a student holds or held',
  params,
  response: z.object({ data: holder }),
})

type Signed = { signature?: string | null; note?: string | null }
/** A jacket is handed out with a signature, or with a note why there is none. */
const signedOrNoted = ({ signature, note }: Signed): Problems => ({
  signature: signature || note ? null : 'jacket_signature_missing',
})
const signature = z.string().max(20_000).regex(signaturePath).nullable()

export const handOutJacket = endpoint({
  method: 'POST',
  path: '/jaket-mahasiswa',
  access: 'jaket-mahasiswa-create',
  summary: 'Hand a jacket out to a student; 409 if none of the size is left',
  body: z.strictObject({ registrationId: z.uuid(), size, signature, note: line(300).nullable() }),
  rules: signedOrNoted,
  response: z.object({ data: holder }),
})

/** The hand-out whose jacket comes back. */
const handOutId = z.uuid()

export const exchangeJacket = endpoint({
  method: 'POST',
  path: '/jaket-mahasiswa/:id/exchange',
  access: 'jaket-mahasiswa-update',
  summary: 'Take a jacket back and hand another out; 409 if none of the size is left or another jacket is held by now',
  params,
  body: z.strictObject({ handOutId, size, usable: z.boolean(), reason, signature, note: line(300).nullable() }),
  rules: signedOrNoted,
  response: z.object({ data: holder }),
})

export const returnJacket = endpoint({
  method: 'POST',
  path: '/jaket-mahasiswa/:id/return',
  access: 'jaket-mahasiswa-update',
  summary: 'Take a jacket back; 409 if another jacket is held by now',
  params,
  body: z.strictObject({ handOutId, usable: z.boolean(), reason }),
  response: z.object({ data: holder }),
})

export const receiveJackets = endpoint({
  method: 'POST',
  path: '/jaket-mahasiswa/deliveries',
  access: 'jaket-mahasiswa-update',
  shared: 'stock_needs_whole_view',
  summary: 'Record a delivery of jackets; a delivery note is entered once',
  body: z.strictObject({
    supplier: line(100),
    reference: line(60),
    receivedOn: typedDay,
    sizes: z
      .array(z.strictObject({ size, quantity: z.int().min(1).max(100_000) }))
      .min(1)
      .max(clothesSizes.length),
  }),
  rules: ({ sizes = [], receivedOn }: { sizes?: { size: string }[]; receivedOn?: string }, now): Problems => ({
    receivedOn: receivedOn && receivedOn > universityCalendar().dayOf(now) ? 'in_the_future' : null,
    sizes: new Set(sizes.map((one) => one.size)).size < sizes.length ? 'already_exists' : null,
  }),
  response: z.object({ data: z.object({ id: z.uuid(), received: z.int() }) }),
})

export const countJackets = endpoint({
  method: 'POST',
  path: '/jaket-mahasiswa/counts',
  access: 'jaket-mahasiswa-update',
  shared: 'stock_needs_whole_view',
  summary: 'Correct the stock of a size to what was counted; 409 with the present stock if it is no longer `onHand`',
  body: z.strictObject({ size, onHand: z.int().min(0), counted: z.int().min(0).max(100_000), reason }),
  response: z.object({ data: z.object({ onHand: z.int(), difference: z.int() }) }),
})
