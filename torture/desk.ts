import crypto from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { startSession } from '#server/platform/access/authentication.ts'
import type { Running } from '#server/platform/start-services.ts'
import { type Call, composeCall, type Draw, deskMoves, type Person, type Stage } from '#server-test/stages/desk-play.ts'
import type { Random } from './random.ts'

/** Clerks working at the same time. */
const clerkCount = 6
/** Statuses after which the same call is sent again. */
const retryStatuses = new Set([408, 425, 429, 500, 502, 503, 504])

export type DeskWork = {
  /** Number of final answers by move and status. */
  answers: Record<string, number>
  unanswered: number
  /** Marks of calls answered with 2xx. A mark is part of a reason or name, so that its effects can be counted. */
  done: Set<string>
  /** Marks of all calls. */
  sent: Set<string>
  /** Acknowledged decisions by approval request. */
  decided: Map<string, 'approved' | 'rejected'>
  wrong: string[]
}

type Desk = {
  url: string
  /** Direct database connection, from which clerks read before they act. */
  running: Running
  /** Accounts whose money is moved about. */
  accountIds: readonly string[]
  random: Random
  died: AbortSignal
  /** Aborted when the bank has sent all reports; clerks then finish their calls and stop. */
  closing: AbortSignal
}

type Sending = { token: string; key: string; call: Omit<Call, 'by'> }
type Answered = { status: number; body: { code?: string } }

/**
 * Sends one call until it gets a final answer; the same key makes every repetition the same call. Undefined while the
 * server still holds the key for a killed process: that call is sent again at the end.
 */
async function insist(desk: Desk, work: DeskWork, { token, key, call }: Sending): Promise<Answered | undefined> {
  const { method, path, body } = call
  let failures = 0
  for (let pause = 25, tries = 1; tries <= 400; pause = Math.min(pause * 2, 400), tries++) {
    try {
      const answer = await fetch(`${desk.url}/api${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          'idempotency-key': key,
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(30_000),
      })
      const answerBody = (await answer.json()) as { code?: string }
      if (answerBody.code === 'still_working') {
        if (tries > 4) return undefined
      } else if (answer.status === 500 && ++failures > 20) return { status: 500, body: answerBody }
      else if (!retryStatuses.has(answer.status)) return { status: answer.status, body: answerBody }
    } catch {
      desk.died.throwIfAborted()
    }
    work.unanswered++
    await wait(pause)
  }
  throw new Error(`${method} ${path} is never answered`)
}

/** Adds a mark to the call, by which its effects are found later. */
function withMark(call: Call, mark: string): Call {
  const { body } = call
  if (!body) return call
  return {
    ...call,
    body: {
      ...body,
      ...('reason' in body && { reason: `${body.reason} ${mark}` }),
      ...('payerName' in body && { payerName: `Pembayar ${mark}` }),
    },
  }
}

/** Clerks and applicants move money at random until the bank is done. */
export async function workTheDesk(desk: Desk): Promise<DeskWork> {
  const { running, random, accountIds } = desk
  const { services, owner } = running
  const work: DeskWork = {
    answers: {},
    unanswered: 0,
    done: new Set(),
    sent: new Set(),
    decided: new Map(),
    wrong: [],
  }
  const tokens = new Map<Person, string>()
  const personWith = async (accountId: string) => {
    const { token } = await startSession(owner, accountId, { now: services.clock.now() })
    const person: Person = {
      async send(method, path, body) {
        const call = { method, path, body: body as Record<string, unknown> }
        return (await insist(desk, work, { token, key: crypto.randomUUID(), call })) ?? { status: 409, body: {} }
      },
    }
    tokens.set(person, token)
    return person
  }
  const { rows: staff } = await sql<{ id: string }>`INSERT INTO accounts (name, email, email_verified_at, role_id)
    SELECT 'Petugas ' || n, 'petugas-torture-' || n || '@demo.test', now(), (SELECT id FROM roles WHERE name = 'Administrator')
    FROM generate_series(1, ${clerkCount}) n RETURNING id`.execute(owner)
  const clerks = await Promise.all(staff.map(({ id }) => personWith(id)))
  const applicants = await Promise.all(
    accountIds.map(async (accountId) => ({ accountId, person: await personWith(accountId) })),
  )
  const { rows: places } = await sql<{ programmeId: string; classProgrammeId: string }>`
    SELECT DISTINCT programme_id, class_programme_id FROM programme_details ORDER BY 1, 2 LIMIT 6`.execute(owner)
  const stage: Stage = {
    db: owner,
    clerks,
    applicants,
    programmeIds: places.map(({ programmeId }) => programmeId),
    classProgrammeId: places[0]!.classProgrammeId,
    vouchers: [],
    now: () => services.clock.now(),
  }

  async function shift() {
    while (!desk.closing.aborted) {
      const draw = {
        move: random.pick(deskMoves),
        who: random.whole(0, 1_000),
        which: random.whole(0, 100_000),
        other: random.whole(0, 100_000),
        share: random.whole(0, 1_000),
        yes: random.next() < 0.8,
      }
      // Reading also fails while PostgreSQL is down.
      const call = await composeCall(stage, draw).catch(() => undefined)
      if (!call) {
        await wait(20)
        continue
      }
      const mark = crypto.randomUUID()
      work.sent.add(mark)
      const { by, ...rest } = withMark(call, mark)
      const sending = { token: tokens.get(by)!, key: crypto.randomUUID(), call: rest }
      const answer = await insist(desk, work, sending)
      if (answer) note(draw, rest.path, mark, answer)
      else unansweredCalls.push(async () => note(draw, rest.path, mark, await untilFreed(sending)))
    }
  }
  const unansweredCalls: (() => Promise<void>)[] = []
  async function untilFreed(sending: Sending): Promise<Answered> {
    for (;;) {
      const answer = await insist(desk, work, sending)
      if (answer) return answer
      await wait(5_000)
    }
  }
  function note({ move, yes }: Draw, path: string, mark: string, { status, body }: Answered) {
    const answerKey = `${move} ${status}${status === 409 || status === 422 ? ` ${body.code}` : ''}`
    work.answers[answerKey] = (work.answers[answerKey] ?? 0) + 1
    if (status < 300) work.done.add(mark)
    if (status >= 500) work.wrong.push(`${answerKey}: ${path} ${JSON.stringify(body)}`)
    if (move === 'decide' && status < 300) work.decided.set(path.split('/')[2]!, yes ? 'approved' : 'rejected')
  }
  await Promise.all(Array.from({ length: clerkCount * 2 }, shift))
  await Promise.all(unansweredCalls.map((ask) => ask()))
  return work
}

/**
 * Problems: an acknowledged call that did not happen exactly once, another call that happened twice, or a lost
 * decision.
 */
export async function deskDiffers({ owner: db }: Running, { sent, done, decided, wrong }: DeskWork): Promise<string[]> {
  const problems = [...wrong]
  const { rows: requestMarks } = await sql<{ mark: string; times: number }>`
    SELECT mark, count(*)::int AS times FROM (
      SELECT unnest(regexp_match(coalesce(details ->> 'payerName', '') || ' ' || reason,
        '([0-9a-f]{8}-[0-9a-f-]{27})')) AS mark FROM approval_requests) marks GROUP BY 1`.execute(db)
  const { rows: auditMarks } = await sql<{ mark: string; action: string; times: number }>`
    SELECT mark, action, count(*)::int AS times FROM (
      SELECT action, unnest(regexp_match(reason, '([0-9a-f]{8}-[0-9a-f-]{27})')) AS mark FROM audit_log
      WHERE action IN ('payment.allocate', 'approval.ask', 'approval.approve', 'approval.reject')) marks GROUP BY 1, 2`.execute(
    db,
  )
  for (const { mark, times } of requestMarks)
    if (sent.has(mark) && times > 1) problems.push(`${times} requests of one call ${mark}`)
  for (const { mark, action, times } of auditMarks)
    if (sent.has(mark) && times > 1) problems.push(`${action} happened ${times} times for one call ${mark}`)
  const foundMarks = new Set([...requestMarks, ...auditMarks].map(({ mark }) => mark))
  const { rows: decisions } = await sql<{
    id: string
    status: string
  }>`SELECT id, status FROM approval_requests`.execute(db)
  for (const [id, how] of decided) {
    const status = decisions.find((decision) => decision.id === id)?.status
    if (status !== how) problems.push(`request ${id} was ${how} and is ${status}`)
  }
  // Withdrawals, vouchers and numbers store no mark, so up to half of the marks may be missing.
  const missingCount = [...done].filter((mark) => !foundMarks.has(mark)).length
  if (missingCount > done.size / 2)
    problems.push(`${missingCount} of ${done.size} acknowledged calls left nothing behind`)
  return problems
}
