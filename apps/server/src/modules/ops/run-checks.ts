import { sql } from 'kysely'
import { notify } from '#server/modules/messaging/notify.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { accountsHolding } from '#server/platform/access/reach.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'
import { checkInvariants, type Found } from './check-invariants.ts'

/** Arbitrary key of the lock that keeps two concurrent runs from announcing findings twice. */
const lockKey = 7_262_025

/**
 * Runs the checks and stores the findings: new ones are announced once to everyone who may see them, missing ones are
 * marked as gone.
 */
export async function runChecks(services: Services, actor: Actor) {
  const startedAt = services.clock.now()
  const startMs = performance.now()
  const found = await checkInvariants(services)
  const finishedAt = new Date(startedAt.getTime() + Math.round(performance.now() - startMs))
  return inTransaction(services, actor, async (context) => {
    const { tx } = context
    await sql`SELECT pg_advisory_xact_lock(${lockKey})`.execute(tx)
    const newCount = await saveFindings(tx, found, { startedAt, finishedAt })
    const startedBy = actor.accountId || null
    const run = { startedAt, finishedAt, found: found.length, startedBy }
    const { id } = await tx.insertInto('invariantRuns').values(run).returning('id').executeTakeFirstOrThrow()
    await recordAudit(tx, actor, {
      action: 'invariants.run',
      on: { invariants: id },
      after: { found: run.found, new: newCount },
    })
    if (newCount > 0) await tellHolders(context, newCount)
    return { found: run.found, fresh: newCount }
  })
}

/** Stores the findings; returns how many are new. */
async function saveFindings(
  tx: Tx,
  found: readonly Found[],
  { startedAt, finishedAt: now }: { startedAt: Date; finishedAt: Date },
): Promise<number> {
  const rows = JSON.stringify(found.map(({ check, ...rest }) => ({ check_name: check, ...toSnakeCase(rest) })))
  const { rows: writtenRows } = await sql<{ fresh: boolean }>`
    INSERT INTO invariant_findings (check_name, subject_type, subject_id, label, stored, derived, path, first_seen_at, last_seen_at)
    SELECT DISTINCT ON (check_name, subject_type, subject_id) check_name, subject_type, subject_id, label, stored, derived, path,
      ${now}::timestamptz, ${now}::timestamptz
    FROM jsonb_to_recordset(${rows}::jsonb)
      AS f (check_name text, subject_type text, subject_id text, label text, stored text, derived text, path text)
    ON CONFLICT (check_name, subject_type, subject_id) WHERE gone_at IS NULL
      DO UPDATE SET label = excluded.label, stored = excluded.stored, derived = excluded.derived, path = excluded.path,
        last_seen_at = greatest(invariant_findings.last_seen_at, excluded.last_seen_at)
    RETURNING xmax = 0 AS fresh`.execute(tx)
  // A concurrent run may have stored newer findings that this snapshot lacks; `last_seen_at` protects them.
  await sql`UPDATE invariant_findings SET gone_at = ${now} WHERE gone_at IS NULL AND last_seen_at < ${startedAt}`.execute(
    tx,
  )
  return writtenRows.filter(({ fresh }) => fresh).length
}

const toSnakeCase = ({ subjectType, id, ...rest }: Omit<Found, 'check'>) => ({
  subject_type: subjectType,
  subject_id: id,
  ...rest,
})

/** Notifies active accounts that have the permission and are not limited to some study programmes. */
async function tellHolders(context: Omit<Context, 'actor'>, count: number) {
  const { tx } = context
  const holders = await accountsHolding(tx, 'ops-invariants', { wholeView: true })
    .select('a.id')
    .orderBy('a.id')
    .execute()
  for (const { id } of holders)
    await notify(context, {
      accountId: id,
      event: 'invariants-found',
      params: { count },
      link: '/settings/invariants',
    })
}
