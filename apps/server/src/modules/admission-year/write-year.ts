import { type Kysely, sql } from 'kysely'
import type { YearCopy, YearCounts, YearPlan } from '#domain/admission-year/endpoints.ts'
import { sectionRules, yearSections } from '#domain/admission-year/sections.ts'
import { theOnly } from '#domain/must.ts'
import type { Language } from '#entities/define/language.ts'
import { getEntity } from '#entities/index.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit, recordAudits } from '#server/platform/audit.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { requireWholeView } from '#server/platform/database/shared-rows.ts'
import { AppError, conflict, type FieldErrors, forbidden } from '#server/platform/errors.ts'
import type { NewRow } from './plan-year.ts'
import { missingPermissions, planYear } from './preview-year.ts'

const untyped = (tx: Db) => tx as unknown as Kysely<any>

/** Serializes copies: two at once could take the same codes. */
export const lockYearCopies = (tx: Tx) =>
  sql`SELECT pg_advisory_xact_lock(hashtextextended('admission-year', 0))`.execute(tx)

/** The 20 newest copies of years, or only the one with this id. */
export async function findCopies(db: Db, id?: string): Promise<YearCopy[]> {
  const rows = await db
    .selectFrom('admissionYearCopies as c')
    .innerJoin('accounts as a', 'a.id', 'c.createdBy')
    .select(['c.id', 'c.sourceYear', 'c.academicYear', 'c.counts', 'c.createdAt', 'c.undoneAt', 'a.name as createdBy'])
    .$if(id !== undefined, (query) => query.where('c.id', '=', id!))
    .orderBy('c.createdAt', 'desc')
    .limit(20)
    .execute()
  return rows.map(({ counts, createdAt, undoneAt, ...row }) => ({
    ...row,
    counts: counts as YearCounts,
    createdAt: createdAt.toISOString(),
    undoneAt: undoneAt?.toISOString() ?? null,
  }))
}

/**
 * Writes the previewed year in one transaction; 409 `preview_changed` if the source changed. A repeated id returns the
 * first answer.
 */
export const writeYear = (
  db: Db,
  actor: Actor,
  { id, fingerprint, ...request }: YearPlan & { id: string; fingerprint: string },
  language: Language,
  now: Date,
) =>
  db.transaction().execute(async (tx): Promise<YearCopy> => {
    requireWholeView(actor, 'needs_every_programme')
    for (const section of request.contents) {
      const [missing] = missingPermissions(actor, section)
      if (missing) throw forbidden(missing)
    }
    await lockYearCopies(tx)
    const [existing] = await findCopies(tx, id)
    if (existing) return existing
    const planned = await planYear(tx, actor, request, language)
    if (planned.problems.length > 0) throwProblems(planned.problems)
    if (planned.fingerprint !== fingerprint) throw conflict('preview_changed')
    const rows = planned.rows.filter(({ skipped }) => !skipped)
    const written = await insertRows(tx, actor, rows, now)
    const counts = Object.fromEntries(
      yearSections.map((key) => [key, rows.filter(({ section }) => section === key).length]).filter(([, n]) => n),
    ) as YearCounts
    const { sourceYear, academicYear } = planned.plan
    await tx
      .insertInto('admissionYearCopies')
      .values({
        id,
        sourceYear,
        academicYear,
        counts: JSON.stringify(counts),
        rows: JSON.stringify(written),
        createdBy: actor.accountId,
        createdAt: now,
      })
      .execute()
    const after = { sourceYear, academicYear, counts, prices: planned.plan.prices }
    await recordAudit(tx, actor, { action: 'admission-year.create', on: { 'admission-year': id }, after })
    return theOnly(await findCopies(tx, id))
  })

/** Throws 422 with translated sentences under keys `section.id.field`. */
function throwProblems(problems: { section: string; id: string | null; field: string; message: string }[]): never {
  const fields: FieldErrors = {}
  for (const { section, id, field, message } of problems) {
    const key = [section, id, field].filter(Boolean).join('.')
    fields[key] = [...((fields[key] as []) ?? []), { code: 'as_told', params: { message } }]
  }
  throw new AppError(422, 'invalid_input', {}, fields)
}

/** Inserts the rows section by section with audit entries; returns the new ids by table. */
async function insertRows(tx: Tx, actor: Actor, rows: readonly NewRow[], now: Date) {
  const stamp = { createdAt: now, updatedAt: now, createdBy: actor.accountId, updatedBy: actor.accountId }
  const written: { table: string; ids: string[] }[] = []
  for (const section of yearSections) {
    const sectionRows = rows.filter((row) => row.section === section)
    if (sectionRows.length === 0) continue
    const entity = getEntity(sectionRules[section].entity)
    for (let start = 0; start < sectionRows.length; start += 500)
      await untyped(tx)
        .insertInto(entity.table)
        .values(
          sectionRows
            .slice(start, start + 500)
            .map(({ id, values: { testIds: _, ...values } }) => ({ ...values, id, ...stamp })),
        )
        .execute()
    written.push({ table: entity.table, ids: sectionRows.map(({ id }) => id) })
    if (section === 'installmentPlans') written.push(await insertTerms(tx, sectionRows, stamp))
    if (section === 'testSessions') await insertTests(tx, sectionRows)
    await recordAudits(
      tx,
      actor,
      sectionRows.map(({ id, values }) => ({
        action: `${entity.slug}.create`,
        on: { [entity.slug]: id },
        after: { id, ...values, active: true, version: 1 },
      })),
    )
  }
  return written
}

async function insertTerms(tx: Tx, plans: readonly NewRow[], stamp: object) {
  const values = plans.flatMap(({ id: planId, terms }) => terms.map(({ to }) => ({ ...to, planId, ...stamp })))
  const inserted =
    values.length > 0 ? await tx.insertInto('installmentTerms').values(values).returning('id').execute() : []
  return { table: 'installment_terms', ids: inserted.map(({ id }) => id) }
}

async function insertTests(tx: Tx, sessions: readonly NewRow[]) {
  const values = sessions.flatMap(({ id, values: { testIds } }) =>
    (testIds as string[]).map((testId) => ({ testSessionId: id, testId })),
  )
  if (values.length > 0) await tx.insertInto('testSessionTests').values(values).execute()
}
