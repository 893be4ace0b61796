import { z } from 'zod'
import { universityCalendar } from '#domain/calendar.ts'
import { endpoint } from '#domain/endpoint.ts'
import { billKinds } from '#domain/payments/bills/bill-status.ts'
import { promiseProblem } from '#domain/payments/bills/promise-problem.ts'
import { typedDay } from '#entities/define/typed-dates.ts'
import { typedLine, typedText } from '#entities/define/typed-text.ts'

/** Whole rupiah. */
const positive = z.int().min(1).max(100_000_000_000)

const idParams = z.object({ id: z.uuid() })

const reason = typedText().min(5).max(500)

const done = z.object({ data: z.object({ id: z.uuid() }) })

const studentNumber = typedLine().min(3).max(30)

export const billException = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('waiver'), amount: positive, reason }),
  z.strictObject({
    kind: z.literal('discount'),
    discountId: z.uuid(),
    /** Sibling's student number, only for sibling discounts. */
    siblingNumber: studentNumber.optional(),
    reason,
  }),
  z.strictObject({
    kind: z.literal('guarantee'),
    sponsor: typedLine().min(2).max(120),
    letter: typedLine().max(80).optional(),
    reason,
  }),
  z.strictObject({ kind: z.literal('due_date'), installmentId: z.uuid().optional(), dueOn: typedDay, reason }),
  /** The payer promises to pay the rest by a day. */
  z.strictObject({ kind: z.literal('promise'), payBy: typedDay, proofFileId: z.uuid().optional(), reason }),
  z.strictObject({ kind: z.literal('installment_plan'), installmentPlanId: z.uuid().nullable(), reason }),
])
export type BillException = z.output<typeof billException>

/** Valid discounts with uses left that staff may grant manually or for a sibling. */
export const manualDiscounts = endpoint({
  method: 'GET',
  path: '/bills/manual-discounts',
  access: 'pembayaran-mahasiswa-update',
  summary: 'Discounts that are given by hand',
  query: z.strictObject({ kind: z.enum(billKinds) }),
  response: z.object({
    data: z.array(
      z.object({
        id: z.uuid(),
        name: z.string(),
        kind: z.enum(['percent', 'fixed']),
        value: z.number(),
        /** Whether it requires a sibling's student number. */
        sibling: z.boolean(),
      }),
    ),
  }),
})

/** Student with this number, so that staff can compare the name before requesting a sibling discount. */
export const findSibling = endpoint({
  method: 'GET',
  path: '/bills/:id/sibling',
  access: 'pembayaran-mahasiswa-update',
  summary: 'The student whom a sibling discount of a bill would name',
  params: idParams,
  query: z.strictObject({ number: studentNumber }),
  response: z.object({
    /** Null for an unknown number or the payer's own. Name masked. */
    data: z.object({ number: z.string(), name: z.string(), programme: z.string() }).nullable(),
  }),
})

export const askException = endpoint({
  method: 'POST',
  path: '/bills/:id/exceptions',
  access: 'pembayaran-mahasiswa-update',
  summary: 'Ask for a waiver, discount, guarantee, later due date or other instalment plan, or note a promise to pay',
  params: idParams,
  body: billException,
  rules: ({ dueOn, payBy }, now) => ({
    dueOn: dueOn && universityCalendar().endOfDay(dueOn) <= now ? 'in_the_past' : null,
    payBy: payBy ? promiseProblem(payBy, now) : null,
  }),
  response: done,
})
