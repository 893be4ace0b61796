import crypto from 'node:crypto'
import { daysMoved, followWave, moveDate, moveInstant, type WaveDates } from '#domain/admission-year/dates.ts'
import type { YearEdit, YearPlan } from '#domain/admission-year/endpoints.ts'
import { nextCode, renameYear } from '#domain/admission-year/next-names.ts'
import { pricedSections, sectionRules, type YearSection, yearSections } from '#domain/admission-year/sections.ts'
import { type Adjustment, adjustAmount, noAdjustment } from '#domain/fees/amounts.ts'
import type { Entity } from '#entities/define/entity.ts'
import { getEntity } from '#entities/index.ts'
import type { Source, SourceRow, TermValues } from './read-source.ts'

type Values = SourceRow['values']

/** One row of the new year: what it comes from and what is written. */
export type NewRow = {
  section: YearSection
  source: SourceRow
  id: string
  values: Values
  skipped: boolean
  terms: { from: TermValues; to: TermValues }[]
  testIds: string[]
}

/** Codes that exist, in small letters, by section. */
export type TakenCodes = Partial<Record<YearSection, ReadonlySet<string>>>

const isPriced = (section: YearSection): section is (typeof pricedSections)[number] =>
  (pricedSections as readonly string[]).includes(section)

const datesOf = (values: Values) => values as unknown as WaveDates

const editOf = (section: YearSection, edit: YearEdit | undefined): Values =>
  Object.fromEntries(
    Object.entries(edit ?? {}).filter(([key]) => sectionRules[section].editable.includes(key)),
  ) as Values

type Context = {
  plan: YearPlan
  source: Source
  waves: ReadonlyMap<string, NewRow>
  isTaken: (section: YearSection, code: string) => boolean
}

/** Every row the new year would have. Reads nothing and decides nothing about what is allowed. */
export function planRows(source: Source, plan: YearPlan, taken: TakenCodes): NewRow[] {
  const used = new Map<YearSection, Set<string>>()
  const isTaken = (section: YearSection, code: string) =>
    taken[section]?.has(code.toLowerCase()) || used.get(section)?.has(code.toLowerCase()) || false
  const waves = new Map<string, NewRow>()
  const context: Context = { plan, source, waves, isTaken }
  const rows: NewRow[] = []
  for (const section of yearSections)
    for (const row of source.sections[section].rows) {
      const made = newRow(context, section, row)
      rows.push(made)
      if (section === 'waves') waves.set(row.id, made)
      if (typeof made.values.code === 'string' && !made.skipped) {
        const codes = used.get(section) ?? new Set()
        used.set(section, codes.add(made.values.code.toLowerCase()))
      }
    }
  return rows
}

function newRow(context: Context, section: YearSection, source: SourceRow): NewRow {
  const { plan, waves } = context
  const wave = source.waveId ? waves.get(source.waveId) : undefined
  const left = new Set(plan.skip)
  const notChosen = section !== 'waves' && !plan.contents.includes(section)
  const moved = movedValues(context, section, source, wave)
  return {
    section,
    source,
    id: crypto.randomUUID(),
    values: { ...moved, ...editOf(section, plan.edits[source.id]), ...(wave && { waveId: wave.id }) },
    skipped: notChosen || left.has(source.id) || !!wave?.skipped,
    terms: section === 'installmentPlans' ? movedTerms(context, source, wave) : [],
    testIds: context.source.tests.get(source.id) ?? [],
  }
}

/** What the source says, told for the new year: names, codes, dates and prices. */
function movedValues({ plan, isTaken }: Context, section: YearSection, source: SourceRow, wave?: NewRow): Values {
  const entity = getEntity(sectionRules[section].entity)
  const { values } = source
  const next: Values = { ...values }
  for (const key of sectionRules[section].moves) {
    const at = values[key]
    if (typeof at === 'string') next[key] = movedDate(entity, key, at, plan.shiftDays, wave)
  }
  for (const key of ['name', 'academicYear', 'semesterCode'] as const)
    if (typeof values[key] === 'string') next[key] = renameYear(values[key], plan.sourceYear, plan.academicYear)
  if (section === 'waves') next.academicYear = plan.academicYear
  if (typeof values.code === 'string') {
    const field = entity.fields.code
    const max = field && 'max' in field ? (field.max ?? 20) : 20
    next.code = nextCode(values.code, plan.sourceYear, plan.academicYear, max, (code) => isTaken(section, code))
  }
  if (isPriced(section)) {
    const adjustment = (plan.prices[section] as Adjustment | undefined) ?? noAdjustment
    for (const [key, value] of Object.entries(values)) {
      const { kind } = entity.fields[key]!
      if (kind === 'money' && typeof value === 'number') next[key] = adjustAmount(value, adjustment)
      if (kind === 'moneyList' && Array.isArray(value)) {
        const amounts = new Set((value as number[]).map((amount) => adjustAmount(amount, adjustment)))
        // Nothing is no amount to suggest.
        amounts.delete(0)
        next[key] = amounts.size > 0 ? [...amounts] : null
      }
    }
  }
  return next
}

function movedDate(entity: Entity, key: string, at: string, shiftDays: number, wave?: NewRow): string {
  const isDay = entity.fields[key]!.kind === 'date'
  if (!wave) return isDay ? moveDate(at, shiftDays) : moveInstant(at, shiftDays)
  const [was, becomes] = [datesOf(wave.source.values), datesOf(wave.values)]
  return isDay ? moveDate(at, daysMoved(was, becomes)) : followWave(at, was, becomes)
}

/** Due dates move with the plan's wave; days after the bill stay. */
function movedTerms({ plan, source }: Context, row: SourceRow, wave?: NewRow) {
  const days = wave ? daysMoved(datesOf(wave.source.values), datesOf(wave.values)) : plan.shiftDays
  return (source.terms.get(row.id) ?? []).map((from) => ({
    from,
    to: { ...from, dueDate: from.dueDate && moveDate(from.dueDate, days) },
  }))
}

/** Says what would be written, whatever ids it gets. */
export function fingerprintOf(rows: readonly NewRow[]): string {
  const waves = new Map(rows.filter(({ section }) => section === 'waves').map((row) => [row.id, row.source.id]))
  const content = rows
    .filter(({ skipped }) => !skipped)
    .map(({ section, source, values, terms, testIds }) => [
      section,
      source.id,
      { ...values, ...('waveId' in values && { waveId: waves.get(String(values.waveId)) ?? null }) },
      terms.map(({ to }) => to),
      testIds,
    ])
  return crypto.createHash('sha256').update(JSON.stringify(content)).digest('base64url')
}
