import crypto from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import type { FeederOutcome } from '#domain/students/feeder/lists.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { defineJob } from '#server/platform/jobs.ts'
import type { Services } from '#server/platform/services.ts'
import { type FeederAccess, noteConnection, readAccess, readRow } from './connection.ts'
import { readReadiness } from './read-readiness.ts'
import { type FeederClient, feederClient } from './register/feeder-client.ts'
import { type FeederAct, FeederFailure } from './register/protocol.ts'
import { FeederContradiction, type Sent, sendStudent } from './send-student.ts'

/** Most calls for one student, token renewals included. The claim lasts this many call timeouts. */
const mostCalls = 24
/** Students per run; then the job enqueues itself again to let other jobs run. */
const studentsPerRun = 200

/**
 * Sends waiting students one by one: claims a student in one transaction, calls the register outside, records the
 * result in another. Runs every ten minutes, so it resumes after a crash; then expired claims are free again, and
 * records already sent are found in the register. Students wait while the register is unavailable or rejects the
 * account.
 */
export const sendToFeederJob = defineJob({
  name: 'send-to-feeder',
  schedule: '*/10 * * * *',
  maxAttempts: 5,
  heartbeatSeconds: 60,
  data: z.object({}),
  async run(services) {
    const access = await readAccess(services)
    if (access.problem === 'sign_in' || !isComplete(access)) return
    for (let count = 0; count < studentsPerRun; count++) {
      const claimed = await claimNext(services, access)
      if (claimed === 'settings_changed') break
      if (!claimed) return
      await sendClaimed(services, access, claimed)
    }
    await services.db
      .transaction()
      .execute((tx) => services.jobs.enqueue(tx, sendToFeederJob, {}, { singletonKey: 'all' }))
  },
})

const isComplete = ({ target, address, username, password }: FeederAccess) =>
  target === 'demo' || Boolean(address && username && password)

/**
 * Claims the student who has waited longest, unless the settings changed since they were read, which stops sending to
 * the earlier register. Two workers never claim the same student, nor two registrations of one account: both would
 * insert the person.
 */
const claimNext = ({ db, clock, config }: Services, { target, version }: FeederAccess) =>
  db.transaction().execute(async (tx) => {
    await sql`SELECT pg_advisory_xact_lock(hashtextextended('claims of neo feeder', 0))`.execute(tx)
    if (((await readRow(tx))?.version ?? 0) !== version) return 'settings_changed' as const
    const now = clock.now()
    const claim = crypto.randomUUID()
    const until = new Date(now.getTime() + mostCalls * config.bankTimeoutMs + 30_000)
    const { rows } = await sql<{ registrationId: string; requestedBy: string | null; feederStudentId: string | null }>`
      UPDATE feeder_sendings SET state = 'sending', claim = ${claim}, claimed_until = ${until}
      WHERE target = ${target} AND registration_id = (
        SELECT n.registration_id FROM feeder_sendings n JOIN registrations r ON r.id = n.registration_id
        WHERE n.target = ${target} AND (n.state = 'waiting' OR n.state = 'sending' AND n.claimed_until < ${now})
          AND NOT EXISTS (SELECT FROM feeder_sendings o JOIN registrations z ON z.id = o.registration_id
            WHERE o.target = n.target AND o.state = 'sending' AND o.claimed_until >= ${now} AND z.account_id = r.account_id)
        ORDER BY n.requested_at, n.registration_id LIMIT 1 FOR UPDATE OF n SKIP LOCKED)
      RETURNING registration_id AS "registrationId", requested_by AS "requestedBy", feeder_student_id AS "feederStudentId"`.execute(
      tx.withoutPlugins(),
    )
    return rows[0] && { ...rows[0], target, claim }
  })
type Claimed = Exclude<Awaited<ReturnType<typeof claimNext>>, undefined | 'settings_changed'>

const clients = new WeakMap<FeederAccess, { client: FeederClient; universityId?: string }>()

/** Client and university id of a run; reads the university once per run. */
async function connect(services: Services, access: FeederAccess) {
  const known = clients.get(access) ?? { client: feederClient(services, access) }
  clients.set(access, known)
  if (known.universityId === undefined) {
    const { id, name } = await known.client.readUniversity()
    known.universityId = id
    await noteConnection(services.db, access, { university: name }, services.clock.now())
  }
  return { client: known.client, universityId: known.universityId }
}

/**
 * Sends one claimed student and records the result. Throws if the register is unavailable or rejects the account; the
 * student then waits again.
 */
async function sendClaimed(services: Services, access: FeederAccess, claimed: Claimed) {
  const { db } = services
  const { registrationId, feederStudentId } = claimed
  const student = await readReadiness(db, registrationId)
  const problems = student ? Object.entries(student.problems) : []
  if (!student || problems.length > 0) {
    const detail = problems.map(([field, problem]) => `${field}: ${problem}`).join(', ')
    return recordRefusal(services, claimed, { outcome: 'incomplete', detail: detail || 'npm' }, student?.npm)
  }
  try {
    const { client, universityId } = await connect(services, access)
    const sent = await sendStudent(client, universityId, {
      registrationId,
      fields: student.fields,
      feederStudentId,
      async onStudent(id) {
        const stored = await db
          .updateTable('feederSendings')
          .set({ feederStudentId: id })
          .where('registrationId', '=', registrationId)
          .where('target', '=', claimed.target)
          .where('claim', '=', claimed.claim)
          .returning('registrationId')
          .executeTakeFirst()
        if (!stored) throw new Error('the claim of a student has ended')
      },
    })
    await recordSent(services, claimed, student.npm, sent)
  } catch (error) {
    if (error instanceof FeederContradiction)
      return recordRefusal(
        services,
        claimed,
        { outcome: 'contradicts', act: error.act, detail: error.detail },
        student.npm,
      )
    if (!(error instanceof FeederFailure)) throw error
    const { kind, act, errorCode, detail, isSignIn } = error
    if (kind === 'refused' && !isSignIn)
      return recordRefusal(services, claimed, { outcome: 'refused', act, errorCode, detail }, student.npm)
    await recordAway(services, access, claimed, error, student.npm)
    throw error
  }
}

type Result = { outcome: FeederOutcome; act?: FeederAct | undefined; errorCode?: number | undefined; detail: string }

/** Ends the claim; false if another worker has claimed the student meanwhile. */
const endClaim = async (tx: Tx, { registrationId, target, claim }: Claimed, values: object) =>
  (await tx
    .updateTable('feederSendings')
    .set({ claim: null, claimedUntil: null, ...values })
    .where('registrationId', '=', registrationId)
    .where('target', '=', target)
    .where('claim', '=', claim)
    .returning('registrationId')
    .executeTakeFirst()) !== undefined

const addResult = (
  tx: Tx,
  { registrationId, target, requestedBy }: Claimed,
  npm: string | undefined,
  result: Result,
  at: Date,
) =>
  tx
    .insertInto('feederResults')
    .values({
      ...{ registrationId, target, requestedBy, at, npm: npm ?? null },
      outcome: result.outcome,
      act: result.act ?? null,
      errorCode: result.errorCode ?? null,
      detail: result.detail.replaceAll('\u0000', '').slice(0, 500) || null,
    })
    .execute()

const recordSent = ({ db, clock }: Services, claimed: Claimed, npm: string, sent: Sent) =>
  db.transaction().execute(async (tx) => {
    const { found, ...ids } = sent
    const ended = await endClaim(tx, claimed, { ...ids, state: 'sent', sentNpm: npm, sentAt: clock.now() })
    if (ended) await addResult(tx, claimed, npm, { outcome: found ? 'found' : 'sent', detail: '' }, clock.now())
  })

const recordRefusal = ({ db, clock }: Services, claimed: Claimed, result: Result, npm: string | undefined) =>
  db.transaction().execute(async (tx) => {
    const { outcome: reason, detail } = result
    const refused = { state: 'refused', refusedAt: clock.now(), reason, detail: detail.slice(0, 500) }
    if (await endClaim(tx, claimed, refused)) await addResult(tx, claimed, npm, result, clock.now())
  })

/** Lets the student wait again. Repeated failures in a row make one entry in the log. */
const recordAway = (
  { db, clock }: Services,
  access: FeederAccess,
  claimed: Claimed,
  { act, errorCode, detail, isSignIn }: FeederFailure,
  npm: string,
) =>
  db.transaction().execute(async (tx) => {
    const now = clock.now()
    await noteConnection(tx, access, { problem: isSignIn ? 'sign_in' : 'unavailable', detail }, now)
    if (!(await endClaim(tx, claimed, { state: 'waiting' }))) return
    const last = await tx
      .selectFrom('feederResults')
      .select('outcome')
      .where('registrationId', '=', claimed.registrationId)
      .where('target', '=', claimed.target)
      .orderBy('at', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (last?.outcome !== 'unavailable')
      await addResult(tx, claimed, npm, { outcome: 'unavailable', act, errorCode, detail }, now)
  })
