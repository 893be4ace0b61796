import { universityCalendar } from '#domain/calendar.ts'
import { isWholePlan } from '#domain/fees/instalment-plan.ts'
import { type FeeScope, rankFees } from '#domain/fees/registration-fee-rule.ts'
import { tuitionRowsFor } from '#domain/fees/tuition-rule.ts'
import type { SplitInstallment } from '#domain/payments/bills/split-installments.ts'
import { splitInstallments } from '#domain/payments/bills/split-installments.ts'
import type { Db } from '#server/platform/database/database.ts'
import { quoteDiscounts } from './discounts.ts'
import type { NewBillLine } from './lines.ts'

type FeeQuestion = { waveId: string; trackId: string; entryLevelId: string; classProgrammeId: string }

type FeeRow = FeeScope & { amount: number }

/** The registration fee that these rows of a wave give. */
export const feeOfRows = (rows: readonly FeeRow[], freeOfFee: boolean, question: Omit<FeeQuestion, 'waveId'>) =>
  freeOfFee ? 0 : (rankFees(rows, question)[0]?.amount ?? 0)

/**
 * The registration fee in whole rupiah. Of the matching rows, the one that names the most of track, entry level and
 * class programme wins; on a tie the row with a track, then the row with an entry level. A track free of fee, or no
 * matching row, costs nothing.
 */
export async function registrationFeeFor(db: Db, question: FeeQuestion): Promise<number> {
  const rows = await db
    .selectFrom('registrationFees')
    .select(['amount', 'trackId', 'entryLevelId', 'classProgrammeId'])
    .where('waveId', '=', question.waveId)
    .where('active', '=', true)
    .where((eb) =>
      eb.not(eb.exists(eb.selectFrom('tracks').where('id', '=', question.trackId).where('freeOfFee', '=', true))),
    )
    .execute()
  return feeOfRows(rows, false, question)
}

export type PricedLine = {
  description: string
  amount: number
  feeComponentId: string
  /** False: the first instalment includes this component in full. */
  installmentsAllowed: boolean
}

type TuitionRow = PricedLine & { trackId: string | null }

/** The re-registration lines that these rows of a class give to applicants of a track. */
export const linesOfRows = (rows: readonly TuitionRow[], trackId: string): PricedLine[] =>
  tuitionRowsFor(rows, trackId)
    .filter((row) => row.amount > 0)
    .map(({ description, amount, feeComponentId, installmentsAllowed }) => ({
      description,
      amount,
      feeComponentId,
      installmentsAllowed,
    }))

type TuitionQuestion = { programmeId: string; waveId: string; classProgrammeId: string; trackId: string }

/**
 * The re-registration lines of a programme. For each fee component, a row for the track wins over a row for any track.
 */
export async function tuitionFor(db: Db, question: TuitionQuestion): Promise<{ lines: PricedLine[]; total: number }> {
  const rows = await db
    .selectFrom('tuitionFees as f')
    .innerJoin('feeComponents as c', 'c.id', 'f.feeComponentId')
    .select(['f.feeComponentId', 'f.amount', 'f.trackId', 'f.installmentsAllowed', 'c.name as description'])
    .where('f.programmeId', '=', question.programmeId)
    .where('f.waveId', '=', question.waveId)
    .where('f.classProgrammeId', '=', question.classProgrammeId)
    .where('f.active', '=', true)
    .where((eb) => eb.or([eb('f.trackId', 'is', null), eb('f.trackId', '=', question.trackId)]))
    .orderBy('c.allocationPriority')
    .orderBy('c.code')
    .execute()
  const lines = linesOfRows(rows, question.trackId)
  return { lines, total: lines.reduce((sum, line) => sum + line.amount, 0) }
}

/** Rupiah that may not be split into instalments. */
export const upfrontOf = (lines: readonly { amount: number; installmentsAllowed?: boolean }[]) =>
  lines.reduce((sum, line) => sum + (line.installmentsAllowed === false ? line.amount : 0), 0)

const termsOf = (db: Db, planIds: readonly string[]) =>
  db
    .selectFrom('installmentTerms')
    .select(['planId', 'shareBps', 'amount', 'dueDate', 'dueDays'])
    .where('planId', 'in', planIds as string[])
    .where('active', '=', true)
    .orderBy('sortOrder')
    .execute()

/** Due dates of the parts of a replaced bill. They are kept, but no part is due before `notBefore`. */
export type PartDates = { known: readonly Date[]; notBefore: Date }

/** Splits a total by a plan; without a plan, a single part due in a week. */
export async function planInstallments(
  db: Db,
  planId: string | null | undefined,
  total: number,
  { issuedAt, upfront, dates }: { issuedAt: Date; upfront: number; dates?: PartDates | undefined },
): Promise<SplitInstallment[]> {
  const terms = planId ? await termsOf(db, [planId]) : []
  const parts = splitInstallments(total, terms, { issuedAt, upfront })
  if (!dates) return parts
  const { known, notBefore } = dates
  return parts.map((part, n) => {
    const dueAt = known.length === parts.length ? known[n]! : part.dueAt
    return { ...part, dueAt: new Date(Math.max(dueAt.getTime(), notBefore.getTime())) }
  })
}

export type Quote = {
  lines: (NewBillLine & { installmentsAllowed: boolean })[]
  total: number
  dueAt: Date
  plans: { id: string; code: string; name: string; installments: SplitInstallment[] }[]
}

/** Plans for the wave and plans for every wave. Plans whose terms do not add up are never offered. */
export async function offeredPlans(db: Db, waveId: string, planId?: string) {
  const plans = await db
    .selectFrom('installmentPlans')
    .select(['id', 'code', 'name', 'nameEn'])
    .where('active', '=', true)
    .where((eb) => eb.or([eb('waveId', 'is', null), eb('waveId', '=', waveId)]))
    .$call((q) => (planId === undefined ? q : q.where('id', '=', planId)))
    .orderBy('code')
    .execute()
  const ids = plans.map(({ id }) => id)
  const terms = ids.length > 0 ? await termsOf(db, ids) : []
  return plans
    .map((plan) => ({ ...plan, terms: terms.filter(({ planId: of }) => of === plan.id) }))
    .filter((plan) => isWholePlan(plan.terms))
}

/** Whether applicants of this wave may choose the plan. */
export const isPlanOffered = async (db: Db, planId: string, waveId: string) =>
  (await offeredPlans(db, waveId, planId)).length > 0

/**
 * The tuition of a class, and every offered plan with its due dates; with a registration, including the discounts its
 * bill would have.
 */
export async function quoteTuition(
  db: Db,
  now: Date,
  question: TuitionQuestion,
  { installmentPlanId, registrationId }: { installmentPlanId?: string | undefined; registrationId?: string } = {},
): Promise<Quote> {
  const priced = (await tuitionFor(db, question)).lines
  const lines = registrationId
    ? await quoteDiscounts(db, now, { registrationId, kind: 're_registration', lines: priced })
    : priced
  const total = lines.reduce((sum, line) => sum + line.amount, 0)
  const plans = await offeredPlans(db, question.waveId, installmentPlanId)
  const upfront = upfrontOf(lines)
  return {
    lines: lines.map((line) => ({ ...line, installmentsAllowed: line.installmentsAllowed !== false })),
    total,
    dueAt: universityCalendar().endOfDayAfter(now, 7),
    plans: plans.map(({ terms, ...plan }) => ({
      ...plan,
      installments: splitInstallments(total, terms, { issuedAt: now, upfront }),
    })),
  }
}
