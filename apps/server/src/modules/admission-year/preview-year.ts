import type { PlannedRow, PlannedSection, YearPlan, YearPreview } from '#domain/admission-year/endpoints.ts'
import { sectionRules, type YearSection, yearSections } from '#domain/admission-year/sections.ts'
import { universityCalendar } from '#domain/calendar.ts'
import type { Language } from '#entities/define/language.ts'
import { percent, rupiah, shortDate } from '#locales/format.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import type { Db } from '#server/platform/database/database.ts'
import { requireWholeView } from '#server/platform/database/shared-rows.ts'
import { sentences } from '#server/platform/text.ts'
import { findExistingCodes, findYearProblems } from './check-year.ts'
import { fingerprintOf, type NewRow, planRows } from './plan-year.ts'
import { readSource, type TermValues } from './read-source.ts'

export const missingPermissions = (actor: Actor, section: YearSection) =>
  sectionRules[section].permissions.filter((slug) => !actor.permissions.has(slug))

/** Plans the new year from its source; leaves out sections the actor may not write. */
export async function planYear(db: Db, actor: Actor, request: YearPlan, language: Language) {
  const plan = {
    ...request,
    contents: request.contents.filter((section) => missingPermissions(actor, section).length === 0),
  }
  const source = await readSource(db, plan.sourceYear)
  const existingCodes = await findExistingCodes(db)
  const rows = planRows(source, plan, existingCodes)
  return {
    plan,
    source,
    rows,
    problems: findYearProblems(plan, rows, existingCodes, language),
    fingerprint: fingerprintOf(rows),
  }
}

const pickValues = (values: NewRow['values'], fields: readonly string[]) =>
  Object.fromEntries(fields.map((key) => [key, (values[key] ?? null) as string | number | number[] | null]))

export async function previewYear(
  db: Db,
  actor: Actor,
  request: YearPlan,
  language: Language,
  now: Date,
): Promise<YearPreview> {
  requireWholeView(actor, 'needs_every_programme')
  const { plan, source, rows, problems, fingerprint } = await planYear(db, actor, request, language)
  const termText = makeTermText(language)
  const sections = yearSections.map((key): PlannedSection => {
    const sectionRows = rows.filter(({ section }) => section === key)
    const { fields } = sectionRules[key]
    const plannedRows = sectionRows.map(
      (row): PlannedRow => ({
        id: row.source.id,
        waveId: row.source.waveId,
        title: row.source.title,
        from: pickValues(row.source.values, fields),
        to: pickValues(row.values, fields),
        skipped: row.skipped,
        lines: row.terms.map(({ from, to }) => ({
          title: String(to.sortOrder),
          from: termText(from),
          to: termText(to),
        })),
      }),
    )
    return {
      key,
      chosen: key === 'waves' || plan.contents.includes(key),
      missing: missingPermissions(actor, key),
      count: sectionRows.filter(({ skipped }) => !skipped).length,
      inactive: source.sections[key].inactive,
      rows: key === 'tuition' ? groupTuition(sectionRows) : plannedRows,
    }
  })
  return { sections, problems, fingerprint, ...(await readSurroundings(db, plan, now)) }
}

/** Groups amounts by class: thousands of single rows would be unreadable. */
function groupTuition(rows: readonly NewRow[]): PlannedRow[] {
  const keyOf = ({ source: { values, waveId } }: NewRow) =>
    [waveId, values.programmeId, values.classProgrammeId, values.trackId].join()
  const total = (sectionRows: readonly NewRow[], of: (row: NewRow) => unknown) =>
    sectionRows.reduce((sum, row) => sum + Number(of(row)), 0)
  return [...Map.groupBy(rows, keyOf).values()].map((sectionRows) => {
    const { source: first, skipped } = sectionRows[0]!
    return {
      id: first.id,
      waveId: first.waveId,
      // The component is the last part of each title.
      title: first.title.split(' · ').slice(0, -1).join(' · '),
      from: { amount: total(sectionRows, ({ source }) => source.values.amount) },
      to: { amount: total(sectionRows, ({ values }) => values.amount) },
      skipped,
      lines: sectionRows.map(({ source, values }) => ({
        title: source.title.split(' · ').at(-1)!,
        from: rupiah(Number(source.values.amount)),
        to: rupiah(Number(values.amount)),
      })),
    }
  })
}

function makeTermText(language: Language) {
  const t = sentences(language)
  return ({ shareBps, amount, dueDate, dueDays }: TermValues) => {
    const share = amount === null ? percent((shareBps ?? 0) / 10_000) : rupiah(amount)
    const due = dueDate ? shortDate(dueDate, language) : t('admission-year:daysAfterBill', { count: dueDays ?? 0 })
    return `${share}, ${due}`
  }
}

/** Facts shown beside the copy: existing waves of the year, and data that applies to every year and is not copied. */
async function readSurroundings(db: Db, { academicYear }: YearPlan, now: Date) {
  const existing = await db
    .selectFrom('waves')
    .select(['code', 'name'])
    .where('academicYear', '=', academicYear)
    .orderBy('opensAt')
    .execute()
  const { files } = await db
    .selectFrom('trackFiles')
    .select((eb) => eb.fn.countAll<number>().as('files'))
    .where('active', '=', true)
    .executeTakeFirstOrThrow()
  const general = await db
    .selectFrom('installmentPlans as p')
    .leftJoin('installmentTerms as t', (join) => join.onRef('t.planId', '=', 'p.id').on('t.active', '=', true))
    .select(['p.id', 'p.name', (eb) => eb.fn.min('t.dueDate').as('firstDue')])
    .where('p.waveId', 'is', null)
    .where('p.active', '=', true)
    .groupBy('p.id')
    .orderBy('p.code')
    .execute()
  const today = universityCalendar().dayOf(now)
  return {
    existingWaves: existing.map(({ code, name }) => `${code} · ${name}`),
    stays: {
      trackFiles: files,
      plansForEveryWave: general.length,
      plansWithPastDates: general.filter(({ firstDue }) => firstDue && firstDue < today).map(({ name }) => name),
    },
  }
}
