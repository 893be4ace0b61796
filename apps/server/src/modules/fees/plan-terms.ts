import type { z } from 'zod'
import type { StoredTerm, savePlanTerms } from '#domain/fees/endpoints.ts'
import { isWholePlan } from '#domain/fees/instalment-plan.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { refuseSharedToLimited } from '#server/platform/database/shared-rows.ts'
import { conflict, type FieldErrors, invalid, notFound } from '#server/platform/errors.ts'
import type { Context } from '#server/platform/use-case.ts'

type Saving = z.output<(typeof savePlanTerms)['body']>

async function getPlan(db: Db, id: string, lock = false) {
  const plan = await db
    .selectFrom('installmentPlans')
    .select(['id', 'active'])
    .where('id', '=', id)
    .$if(lock, (query) => query.forNoKeyUpdate())
    .executeTakeFirst()
  if (!plan) throw notFound('cicilan')
  return plan
}

const findTerms = (db: Db, planId: string) =>
  db.selectFrom('installmentTerms').selectAll().where('planId', '=', planId).orderBy('sortOrder').execute()

const toStoredTerms = (rows: Awaited<ReturnType<typeof findTerms>>): StoredTerm[] =>
  rows.map(({ id, version, active, shareBps, amount, dueDate, dueDays }) => ({
    id,
    version,
    active,
    shareBps,
    amount,
    dueDate,
    dueDays,
  }))

export async function readTerms(db: Db, planId: string) {
  const plan = await getPlan(db, planId)
  const terms = toStoredTerms(await findTerms(db, planId))
  return { terms, offered: plan.active && isWholePlan(terms.filter(({ active }) => active)) }
}

/**
 * Replaces the terms of a plan. Deletes them and inserts them again under the same ids, so that no intermediate order
 * violates a constraint. Locks the plan's row, so that parallel saves run one after the other.
 */
export const saveTerms = (db: Db, actor: Actor, planId: string, { base, terms }: Saving, now: Date) =>
  db.transaction().execute(async (tx) => {
    refuseSharedToLimited({}, actor)
    await getPlan(tx, planId, true)
    const before = await findTerms(tx, planId)
    const unchanged =
      before.length === base.length &&
      before.every((row) => base.some(({ id, version }) => id === row.id && version === row.version))
    if (!unchanged) throw conflict('stale_version')
    refuseProblems(terms, new Set(base.map(({ id }) => id)))
    await replaceTerms({ tx, actor, now }, planId, before, terms)
    return readTerms(tx, planId)
  })

function refuseProblems(terms: Saving['terms'], knownIds: ReadonlySet<string>) {
  const problems: FieldErrors = {}
  const seenIds = new Set<string>()
  terms.forEach(({ id }, index) => {
    if (id && (!knownIds.has(id) || seenIds.has(id))) problems[`terms.${index}.id`] = 'not_found'
    if (id) seenIds.add(id)
  })
  if (Object.keys(problems).length > 0) throw invalid(problems)
}

const contentKeys = ['sortOrder', 'shareBps', 'amount', 'dueDate', 'dueDays', 'active'] as const

async function replaceTerms(
  { tx, actor, now }: Omit<Context, 'services'>,
  planId: string,
  before: Awaited<ReturnType<typeof findTerms>>,
  terms: Saving['terms'],
) {
  const by = actor.accountId || null
  const rows = terms.map(({ id, ...term }, index) => {
    const stored = before.find((row) => row.id === id)
    const next = { ...term, planId, sortOrder: index + 1, active: true }
    if (!stored)
      return { old: stored, row: { ...next, version: 1, createdAt: now, updatedAt: now, createdBy: by, updatedBy: by } }
    const same = contentKeys.every((key) => stored[key] === next[key])
    const stamp = same ? {} : { version: stored.version + 1, updatedAt: now, updatedBy: by }
    return { old: stored, row: { ...stored, ...next, ...stamp } }
  })
  await tx.deleteFrom('installmentTerms').where('planId', '=', planId).execute()

  for (const { old: stored, row } of rows) {
    const after = await tx.insertInto('installmentTerms').values(row).returningAll().executeTakeFirstOrThrow()
    if (!stored)
      await recordAudit(tx, actor, { action: 'cicilan-termin.create', on: { 'cicilan-termin': after.id }, after })
    else if (stored.version !== after.version)
      await recordAudit(tx, actor, {
        action: 'cicilan-termin.update',
        on: { 'cicilan-termin': after.id },
        before: stored,
        after,
      })
  }
  for (const stored of before)
    if (!terms.some(({ id }) => id === stored.id))
      await recordAudit(tx, actor, {
        action: 'cicilan-termin.delete',
        on: { 'cicilan-termin': stored.id },
        before: stored,
      })
}
