import { sql } from 'kysely'
import { universityCalendar } from '#domain/calendar.ts'
import { splitByTerm } from '#domain/payments/bills/split-installments.ts'
import type { Db } from '#server/platform/database/database.ts'
import { appliesTo, type DiscountCandidate, withDiscounts } from './discounts.ts'
import type { NewBillLine } from './lines.ts'
import { feeOfRows, linesOfRows, offeredPlans, upfrontOf } from './prices.ts'

type FeeRow = {
  waveId: string
  trackId: string | null
  entryLevelId: string | null
  classProgrammeId: string | null
  amount: number
}

type TuitionRow = {
  waveId: string
  programmeId: string
  classProgrammeId: string
  trackId: string | null
  feeComponentId: string
  amount: number
  installmentsAllowed: boolean
  description: string
}

export type ListedComponent = {
  id: string
  name: string
  nameEn: string | null
  description: string | null
  descriptionEn: string | null
  recurrence: 'once' | 'per_semester' | 'monthly' | 'incidental'
}

export type ListedDiscount = DiscountCandidate & {
  code: string
  nameEn: string | null
  condition: 'manual' | 'early' | 'school_agreement' | 'sibling' | 'voucher'
  appliesTo: 'registration_fee' | 'fee_component'
  validFrom: string | null
  validTo: string | null
  /** Days in which some school's agreement gives it; empty for other conditions. */
  agreements: readonly { from: string | null; until: string }[]
}

type ListedPlan = Awaited<ReturnType<typeof offeredPlans>>[number]

/** All that prices of some waves depend on, read once to price many classes. */
export type PriceList = {
  fees: readonly FeeRow[]
  /** By `tuitionKey`. */
  tuition: ReadonlyMap<string, readonly TuitionRow[]>
  components: ReadonlyMap<string, ListedComponent>
  /** Early discounts, which every bill of their days has, and those that visitors may see. */
  discounts: readonly ListedDiscount[]
  plans: ReadonlyMap<string, readonly ListedPlan[]>
}

const tuitionKey = ({
  waveId,
  programmeId,
  classProgrammeId,
}: Pick<TuitionRow, 'waveId' | 'programmeId' | 'classProgrammeId'>) => `${waveId} ${programmeId} ${classProgrammeId}`

export async function readPriceList(db: Db, waveIds: readonly string[]): Promise<PriceList> {
  const waves = sql`${[...waveIds]}::uuid[]`
  const [fees, tuition, components, discounts, plans] = await Promise.all([
    sql<FeeRow>`
      SELECT wave_id, track_id, entry_level_id, class_programme_id, amount FROM registration_fees
      WHERE active AND wave_id = ANY(${waves})`.execute(db),
    sql<TuitionRow>`
      SELECT f.wave_id, f.programme_id, f.class_programme_id, f.track_id, f.fee_component_id, f.amount,
        f.installments_allowed, c.name AS description
      FROM tuition_fees f JOIN fee_components c ON c.id = f.fee_component_id
      WHERE f.active AND f.wave_id = ANY(${waves}) ORDER BY c.allocation_priority, c.code`.execute(db),
    db
      .selectFrom('feeComponents')
      .select(['id', 'name', 'nameEn', 'description', 'descriptionEn', 'recurrence'])
      .execute(),
    sql<ListedDiscount>`
      SELECT d.id, d.id AS discount_id, d.code, d.name, d.name_en, d.kind, d.value, d.fee_component_id, d.stackable,
        d.condition, d.applies_to, d.valid_from, d.valid_to, NULL AS use_id, NULL AS school_agreement_id,
        coalesce((SELECT jsonb_agg(DISTINCT jsonb_build_object('from', s.valid_from, 'until', s.valid_to))
          FROM school_agreements s
          WHERE s.discount_id = d.id AND s.active AND (s.quota IS NULL OR s.uses < s.quota)), '[]') AS agreements
      FROM discounts d
      WHERE d.active AND (d.condition = 'early' OR d.on_public_page) AND (d.max_uses IS NULL OR d.uses < d.max_uses)
      ORDER BY d.name, d.id`.execute(db),
    Promise.all(waveIds.map(async (id) => [id, await offeredPlans(db, id)] as const)),
  ])
  return {
    fees: fees.rows,
    tuition: Map.groupBy(tuition.rows, tuitionKey),
    components: new Map(components.map((component) => [component.id, component])) as PriceList['components'],
    discounts: discounts.rows.map((row) => ({ ...row, value: Number(row.value) })),
    plans: new Map(plans),
  }
}

export type ClassQuestion = {
  waveId: string
  programmeId: string
  classProgrammeId: string
  entryLevelId: string
  trackId: string
  freeOfFee: boolean
}

/** When the two bills of an application can be issued first. */
export type IssueDates = Record<ListedDiscount['appliesTo'], Date>

const isWithin = (day: string, from: string | null, until: string | null) =>
  (from === null || from <= day) && (until === null || day <= until)

/** Discounts that bills issued on these dates may have. */
export function discountsOn({ discounts }: PriceList, dates: IssueDates) {
  const { dayOf } = universityCalendar()
  return discounts.filter(({ appliesTo: bill, condition, validFrom, validTo, agreements }) => {
    const day = dayOf(dates[bill])
    return (
      isWithin(day, validFrom, validTo) &&
      (condition !== 'school_agreement' || agreements.some(({ from, until }) => isWithin(day, from, until)))
    )
  })
}

const sumOf = (lines: readonly { amount: number }[]) => lines.reduce((sum, { amount }) => sum + amount, 0)

/**
 * The bills that an applicant of this class and track would get, with early discounts and those named. Prices them with
 * the functions that price a real bill.
 */
export function priceClass(
  list: PriceList,
  dates: IssueDates,
  question: ClassQuestion,
  discountIds: ReadonlySet<string>,
) {
  const { waveId, trackId, freeOfFee } = question
  const discounts = discountsOn(list, dates).filter(({ id, condition }) => condition === 'early' || discountIds.has(id))
  const discountsOf = (kind: 'registration_fee' | 're_registration') =>
    discounts.filter((discount) => discount.appliesTo === appliesTo(kind))
  const fee = feeOfRows(
    list.fees.filter((row) => row.waveId === waveId),
    freeOfFee,
    question,
  )
  const feeLine: NewBillLine[] = fee > 0 ? [{ description: '', amount: fee }] : []
  const feeLines = withDiscounts(feeLine, discountsOf('registration_fee'))

  const rows = (list.tuition.get(tuitionKey(question)) ?? []).filter(
    (row) => row.trackId === null || row.trackId === trackId,
  )
  const lines = withDiscounts(linesOfRows(rows, trackId), discountsOf('re_registration'))
  const total = sumOf(lines)
  const plans = (list.plans.get(waveId) ?? []).map(({ terms, ...plan }) => ({
    ...plan,
    parts: splitByTerm(total, terms, { issuedAt: dates.fee_component, upfront: upfrontOf(lines) }),
  }))
  const later = lines.flatMap((line) => laterInFirstYear(list, line))
  return {
    /** Without tuition rows no bill can be issued yet. */
    isPriced: rows.length > 0,
    fee: { lines: feeLines, total: sumOf(feeLines) },
    bill: { lines, total },
    plans,
    /** The least that is due first: the whole bill, or the first part of a plan. */
    firstPayment: Math.min(total, ...plans.map(({ parts }) => parts[0]?.amount ?? total)),
    later,
    firstYear: sumOf(feeLines) + total + sumOf(later),
  }
}

export type PricedClass = ReturnType<typeof priceClass>

/** Months and semesters of the first year after the re-registration bill, which covers the first of each. */
const repetitions = { once: 0, incidental: 0, per_semester: 1, monthly: 11 } as const

function laterInFirstYear({ components }: PriceList, line: NewBillLine) {
  const component = line.feeComponentId && !line.discount ? components.get(line.feeComponentId) : undefined
  const times = component ? repetitions[component.recurrence] : 0
  return component && times > 0 ? [{ component, times, amount: line.amount * times }] : []
}
