import { z } from 'zod'
import { time } from '#entities/define/answer-time.ts'
import { fieldChange } from './compare-fields.ts'
import { heldDecisions, heldReasons } from './held-money.ts'

const values = {
  rupiah: z.int(),
  count: z.int(),
  /** 0 to 100. */
  percent: z.number(),
  text: z.string(),
  /** Why the gateway has not cleared the money. */
  hold: z.enum(heldReasons),
  /** Decision about an amount above its connection's maximum. */
  decision: z.enum(heldDecisions),
  moment: time,
  day: z.iso.date(),
  /** Rupiah on several bills or payments, each by its number. */
  sums: z.array(z.object({ name: z.string(), amount: z.int() })),
  /** Instalments. */
  parts: z.array(z.object({ dueAt: time, amount: z.int() })),
  /** Fields of a bank account or connection. */
  changes: z.array(fieldChange),
}

/**
 * Effect of approving a request, as data without words. The server compares two readings of it; the page writes each
 * field by its kind, with the sentence `approvals:effect.<field>`.
 */
export const effectFields = {
  /** Compared with the deciding role's limit. */
  amount: 'rupiah',
  bill: 'text',
  billTotal: 'rupiah',
  billPaid: 'rupiah',
  /** Negative if the bill gets smaller. */
  change: 'rupiah',
  totalAfter: 'rupiah',
  discount: 'text',
  sibling: 'text',
  discountPercent: 'percent',
  discountRupiah: 'rupiah',
  instalment: 'count',
  dueBefore: 'moment',
  dueAfter: 'moment',
  planBefore: 'text',
  planAfter: 'text',
  parts: 'parts',
  /** Rupiah taken out of waiting money. */
  fromWaiting: 'rupiah',
  /** Rupiah taken off bills. */
  fromBills: 'sums',
  policy: 'text',
  policyPercent: 'percent',
  payee: 'text',
  /** The university's bank account. */
  account: 'text',
  day: 'day',
  /** Reference and description of a statement line, in the bank's words. */
  statementWords: 'text',
  /** Amount of a line with sen, which the books omit, and the reason. */
  statementAmount: 'text',
  withoutSen: 'text',
  statementFile: 'text',
  importedBy: 'text',
  payer: 'text',
  reference: 'text',
  /** Name of the new owner of the money. */
  owner: 'text',
  hold: 'hold',
  /** Note written when the alert about held money was settled, with its author. */
  holdNote: 'text',
  decision: 'decision',
  heldAmount: 'rupiah',
  /** Amount as written, if the books cannot hold it as a number. */
  amountTold: 'text',
  number: 'text',
  toBill: 'rupiah',
  connection: 'text',
  changes: 'changes',
} as const satisfies Record<string, keyof typeof values>

type EffectField = keyof typeof effectFields
type ValueOf<F extends EffectField> = z.output<(typeof values)[(typeof effectFields)[F]]>
export type Effect = { amount: number } & { [F in EffectField]?: ValueOf<F> | undefined }

/** Requests older than stored effects have an empty one, which equals no effect. */
export const effectSchema = z.object(
  Object.fromEntries(Object.entries(effectFields).map(([field, kind]) => [field, values[kind].optional()])) as {
    [F in EffectField]: z.ZodOptional<(typeof values)[(typeof effectFields)[F]]>
  },
)
export type StoredEffect = z.output<typeof effectSchema>
