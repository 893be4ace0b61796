import { sql } from 'kysely'
import type { FeederBulk, FeederRefusal } from '#domain/students/feeder/endpoints.ts'
import type { FeederField, FeederProblem, FeederTarget } from '#domain/students/feeder/fields.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import { recordAudits } from '#server/platform/audit.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { readTarget } from './connection.ts'
import { type Readiness, readManyReadiness } from './read-readiness.ts'
import { sendToFeederJob } from './send-to-feeder.job.ts'

type Item = FeederBulk['items'][number]

const itemOf = (id: string, found: Readiness | undefined, reason: FeederRefusal | null): Item => ({
  id,
  name: found?.name ?? null,
  npm: found?.npm ?? null,
  reason,
  problems: Object.entries(found?.problems ?? {}).map(([field, problem]) => ({
    field: field as FeederField,
    problem: problem as FeederProblem,
  })),
})

const answerOf = (target: FeederTarget, items: Item[]): FeederBulk => {
  const done = items.filter(({ reason }) => reason === null).length
  return { target, done, refused: items.length - done, items }
}

/** Sending states and readiness of the chosen students the actor may see, by registration id. */
async function findStudents(db: Db, actor: Actor, target: FeederTarget, ids: readonly string[]) {
  const visible = await db
    .selectFrom('registrations as r')
    .leftJoin('feederSendings as x', (join) => join.onRef('x.registrationId', '=', 'r.id').on('x.target', '=', target))
    .select(['r.id', 'x.state'])
    .where('r.id', 'in', [...ids])
    .where(visibleTo(actor))
    .execute()
  const states = new Map(visible.map(({ id, state }) => [id, state]))
  return { states, readiness: await readManyReadiness(db, [...states.keys()]) }
}

/** Dry run: whether each chosen student would be sent, or the reason with all problems. */
export async function previewSending(services: Services, actor: Actor, ids: readonly string[], db: Db = services.db) {
  const target = await readTarget(services, db)
  const { states, readiness } = await findStudents(db, actor, target, ids)
  const items = [...new Set(ids)].map((id) => {
    const found = readiness.get(id)
    if (!found) return itemOf(id, undefined, 'not_found')
    const state = states.get(id)
    if (state === 'sent') return itemOf(id, found, 'sent')
    if (state === 'waiting' || state === 'sending') return itemOf(id, found, 'waiting')
    return itemOf(id, found, Object.keys(found.problems).length > 0 ? 'incomplete' : null)
  })
  return answerOf(target, items)
}

/** Queues students without problems and wakes the job. Two requests at once queue each student once. */
export const sendStudents = (services: Services, actor: Actor, ids: readonly string[]) =>
  services.db.transaction().execute(async (tx) => {
    const preview = await previewSending(services, actor, ids, tx)
    const { target } = preview
    const allowed = preview.items.filter(({ reason }) => reason === null).map(({ id }) => id)
    if (allowed.length === 0) return preview
    const line = {
      ...{ state: 'waiting' as const, requestedAt: services.clock.now(), requestedBy: actor.accountId },
      ...{ refusedAt: null, reason: null, detail: null },
    }
    // Sorted by id, so two requests cannot deadlock.
    const queued = await tx
      .insertInto('feederSendings')
      .values(allowed.toSorted().map((registrationId) => ({ registrationId, target, ...line })))
      .onConflict((conflicting) =>
        conflicting
          .columns(['registrationId', 'target'])
          .doUpdateSet(line)
          .where('feederSendings.state', '=', 'refused'),
      )
      .returning('registrationId')
      .execute()
    const queuedIds = new Set(queued.map(({ registrationId }) => registrationId))
    await auditSending(tx, actor, 'feeder.send', [...queuedIds], target)
    if (queuedIds.size > 0) await services.jobs.enqueue(tx, sendToFeederJob, {}, { singletonKey: 'all' })
    return answerOf(
      target,
      preview.items.map((item) =>
        item.reason === null && !queuedIds.has(item.id) ? { ...item, reason: 'waiting' as const } : item,
      ),
    )
  })

const auditSending = (tx: Tx, actor: Actor, action: string, ids: readonly string[], target: FeederTarget) =>
  recordAudits(
    tx,
    actor,
    ids.map((id) => ({ action, on: { registration: id }, after: { target } })),
  )

/** Takes waiting students out of the queue; a student being sent stays. */
export const stopSending = (services: Services, actor: Actor, ids: readonly string[]) =>
  services.db.transaction().execute(async (tx) => {
    const target = await readTarget(services, tx)
    const { states, readiness } = await findStudents(tx, actor, target, ids)
    const visible = [...states.keys()]
    const { rows: stopped } = await sql<{ id: string; hasHalf: boolean }>`
      WITH line AS (SELECT registration_id, feeder_student_id FROM feeder_sendings
        WHERE target = ${target} AND registration_id = ANY (${visible}::uuid[]) AND state = 'waiting'
        ORDER BY registration_id FOR UPDATE)
      SELECT registration_id AS id, feeder_student_id IS NOT NULL AS "hasHalf" FROM line`.execute(tx.withoutPlugins())
    const stoppedIds = new Set(stopped.map(({ id }) => id))
    const idsOf = (half: boolean) => stopped.filter(({ hasHalf }) => hasHalf === half).map(({ id }) => id)
    // Students with half a pair keep their row and `id_mahasiswa`: the next attempt completes the pair.
    await tx
      .updateTable('feederSendings')
      .set({ state: 'refused', refusedAt: services.clock.now(), reason: 'unavailable' })
      .where('target', '=', target)
      .where(sql<boolean>`registration_id = ANY (${idsOf(true)}::uuid[])`)
      .execute()
    await tx
      .deleteFrom('feederSendings')
      .where('target', '=', target)
      .where(sql<boolean>`registration_id = ANY (${idsOf(false)}::uuid[])`)
      .execute()
    await auditSending(tx, actor, 'feeder.stop', [...stoppedIds], target)
    const items = [...new Set(ids)].map((id) =>
      itemOf(id, readiness.get(id), stoppedIds.has(id) ? null : states.has(id) ? 'not_waiting' : 'not_found'),
    )
    return answerOf(target, items)
  })
