import crypto from 'node:crypto'
import type { YearEdit, YearPlan } from '#domain/admission-year/endpoints.ts'
import { pricedSections, sectionRules, type YearSection, yearSections } from '#domain/admission-year/sections.ts'
import { type Adjustment, adjustAmount, noAdjustment } from '#domain/fees/amounts.ts'
import type { Entity } from '#entities/define/entity.ts'
import { getEntity } from '#entities/index.ts'
import { daysMoved, followWave, moveDate, moveInstant, type WaveDates } from './move-dates.ts'
import type { Source, SourceRow, TermValues } from './read-source.ts'
import { nextCode, renameYear } from './rename-year.ts'

type Values = SourceRow['values']

/** A row of the new year with its source. */
export type NewRow = {
  section: YearSection
  source: SourceRow
  id: string
  values: Values
  skipped: boolean
  terms: { from: TermValues; to: TermValues }[]
}

/** Existing codes in lower case, by section. */
export type ExistingCodes = Partial<Record<YearSection, ReadonlySet<string>>>

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

/** Plans every row of the new year; does not read the database or check rules. */
export function planRows(source: Source, plan: YearPlan, existingCodes: ExistingCodes): NewRow[] {
  const plannedCodes = new Map<YearSection, Set<string>>()
  const isTaken = (section: YearSection, code: string) =>
    existingCodes[section]?.has(code.toLowerCase()) || plannedCodes.get(section)?.has(code.toLowerCase()) || false
  const waves = new Map<string, NewRow>()
  const context: Context = { plan, source, waves, isTaken }
  const rows: NewRow[] = []
  for (const section of yearSections)
    for (const row of source.sections[section].rows) {
      const planned = planRow(context, section, row)
      rows.push(planned)
      if (section === 'waves') waves.set(row.id, planned)
      if (typeof planned.values.code === 'string' && !planned.skipped) {
        const codes = plannedCodes.get(section) ?? new Set()
        plannedCodes.set(section, codes.add(planned.values.code.toLowerCase()))
      }
    }
  return rows
}

function planRow(context: Context, section: YearSection, source: SourceRow): NewRow {
  const { plan, waves } = context
  const wave = source.waveId ? waves.get(source.waveId) : undefined
  const skippedIds = new Set(plan.skip)
  const notChosen = section !== 'waves' && !plan.contents.includes(section)
  const moved = moveValues(context, section, source, wave)
  return {
    section,
    source,
    id: crypto.randomUUID(),
    values: { ...moved, ...editOf(section, plan.edits[source.id]), ...(wave && { waveId: wave.id }) },
    skipped: notChosen || skippedIds.has(source.id) || !!wave?.skipped,
    terms: section === 'installmentPlans' ? moveTerms(context, source, wave) : [],
  }
}

/** Adapts the source's names, codes, dates and prices to the new year. */
function moveValues({ plan, isTaken }: Context, section: YearSection, source: SourceRow, wave?: NewRow): Values {
  const entity = getEntity(sectionRules[section].entity)
  const { values } = source
  const next: Values = { ...values }
  for (const key of sectionRules[section].moves) {
    const date = values[key]
    if (typeof date === 'string') next[key] = moveDateOf(entity, key, date, plan.shiftDays, wave)
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
    for (const [key, { kind }] of Object.entries(entity.fields)) {
      const value = values[key]
      if (kind === 'money' && typeof value === 'number') next[key] = adjustAmount(value, adjustment)
      if (kind === 'moneyList' && Array.isArray(value)) {
        const amounts = new Set((value as number[]).map((amount) => adjustAmount(amount, adjustment)))
        // A suggested amount of 0 is dropped.
        amounts.delete(0)
        next[key] = amounts.size > 0 ? [...amounts] : null
      }
    }
  }
  return next
}

function moveDateOf(entity: Entity, key: string, date: string, shiftDays: number, wave?: NewRow): string {
  const isDay = entity.fields[key]!.kind === 'date'
  if (!wave) return isDay ? moveDate(date, shiftDays) : moveInstant(date, shiftDays)
  const [was, becomes] = [datesOf(wave.source.values), datesOf(wave.values)]
  return isDay ? moveDate(date, daysMoved(was, becomes)) : followWave(date, was, becomes)
}

/** Moves due dates as far as the plan's wave moved. Terms due a number of days after the bill stay as they are. */
function moveTerms({ plan, source }: Context, row: SourceRow, wave?: NewRow) {
  const days = wave ? daysMoved(datesOf(wave.source.values), datesOf(wave.values)) : plan.shiftDays
  return (source.terms.get(row.id) ?? []).map((from) => ({
    from,
    to: { ...from, dueDate: from.dueDate && moveDate(from.dueDate, days) },
  }))
}

/** Hash of the rows to write. Leaves out their new ids, which differ on every run. */
export function fingerprintOf(rows: readonly NewRow[]): string {
  const waves = new Map(rows.filter(({ section }) => section === 'waves').map((row) => [row.id, row.source.id]))
  const content = rows
    .filter(({ skipped }) => !skipped)
    .map(({ section, source, values, terms }) => [
      section,
      source.id,
      { ...values, ...('waveId' in values && { waveId: waves.get(String(values.waveId)) ?? null }) },
      terms.map(({ to }) => to),
    ])
  return crypto.createHash('sha256').update(JSON.stringify(content)).digest('base64url')
}
