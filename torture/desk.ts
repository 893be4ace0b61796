import crypto from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { startSession } from '#server/platform/access/authentication.ts'
import type { Running } from '#server/platform/start-services.ts'
import { type Call, composeCall, type Draw, deskMoves, type Person, type Stage } from '#server-test/desk-play.ts'
import type { Random } from './random.ts'

/** Clerks at work at the same moment. */
const clerkCount = 6
/** Answers that say the call was refused or is still being worked on, and that sending it again is right. */
const again = new Set([408, 425, 429, 500, 502, 503, 504])

export type DeskWork = {
  /** Calls that were answered for good, by what and the status. */
  answers: Record<string, number>
  unanswered: number
  /** Marks of calls that were answered 2xx, each written into a reason or a name, so that its effect can be counted. */
  done: Set<string>
  /** Marks of all calls. */
  sent: Set<string>
  /** Approval requests somebody was told to have decided, and how. */
  decided: Map<string, 'approved' | 'rejected'>
  wrong: string[]
}

type Desk = {
  url: string
  /** Own connection to the books, for people who look before they act. */
  running: Running
  /** Bills whose owners' money is moved about. */
  accountIds: readonly string[]
  random: Random
  died: AbortSignal
  /** The bank has nothing more to tell: clerks finish what they began and go home. */
  closing: AbortSignal
}

type Sending = { token: string; key: string; call: Omit<Call, 'by'> }
type Answered = { status: number; body: { code?: string } }

/**
 * Sends one call until it is answered for good; the same key makes every repetition the same call. Undefined while the
 * server still holds the key for a process that was killed: that call is asked about again at the end.
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
      const said = (await answer.json()) as { code?: string }
      if (said.code === 'still_working') {
        if (tries > 4) return undefined
      } else if (answer.status === 500 && ++failures > 20) return { status: 500, body: said }
      else if (!again.has(answer.status)) return { status: answer.status, body: said }
    } catch {
      desk.died.throwIfAborted()
    }
    work.unanswered++
    await wait(pause)
  }
  throw new Error(`${method} ${path} is never answered`)
}

/** Everything a call wrote is found again by this mark. */
function marked(call: Call, mark: string): Call {
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

/** Clerks and applicants move money about at random until the bank is done. */
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
      // While PostgreSQL is down nobody can look either.
      const call = await composeCall(stage, draw).catch(() => undefined)
      if (!call) {
        await wait(20)
        continue
      }
      const mark = crypto.randomUUID()
      work.sent.add(mark)
      const { by, ...rest } = marked(call, mark)
      const sending = { token: tokens.get(by)!, key: crypto.randomUUID(), call: rest }
      const answer = await insist(desk, work, sending)
      if (answer) note(draw, rest.path, mark, answer)
      else lost.push(async () => note(draw, rest.path, mark, await untilFreed(sending)))
    }
  }
  const lost: (() => Promise<void>)[] = []
  async function untilFreed(sending: Sending): Promise<Answered> {
    for (;;) {
      const answer = await insist(desk, work, sending)
      if (answer) return answer
      await wait(5_000)
    }
  }
  function note({ move, yes }: Draw, path: string, mark: string, { status, body }: Answered) {
    const what = `${move} ${status}${status === 409 || status === 422 ? ` ${body.code}` : ''}`
    work.answers[what] = (work.answers[what] ?? 0) + 1
    if (status < 300) work.done.add(mark)
    if (status >= 500) work.wrong.push(`${what}: ${path} ${JSON.stringify(body)}`)
    if (move === 'decide' && status < 300) work.decided.set(path.split('/')[2]!, yes ? 'approved' : 'rejected')
  }
  await Promise.all(Array.from({ length: clerkCount * 2 }, shift))
  await Promise.all(lost.map((ask) => ask()))
  return work
}

/** Whatever was acknowledged happened once, whatever was refused or lost at most once, and no decision was forgotten. */
export async function deskDiffers({ owner: db }: Running, { sent, done, decided, wrong }: DeskWork): Promise<string[]> {
  const problems = [...wrong]
  const { rows: asked } = await sql<{ mark: string; times: number }>`
    SELECT mark, count(*)::int AS times FROM (
      SELECT unnest(regexp_match(coalesce(details ->> 'payerName', '') || ' ' || reason,
        '([0-9a-f]{8}-[0-9a-f-]{27})')) AS mark FROM approval_requests) marks GROUP BY 1`.execute(db)
  const { rows: audited } = await sql<{ mark: string; action: string; times: number }>`
    SELECT mark, action, count(*)::int AS times FROM (
      SELECT action, unnest(regexp_match(reason, '([0-9a-f]{8}-[0-9a-f-]{27})')) AS mark FROM audit_log
      WHERE action IN ('payment.allocate', 'approval.ask', 'approval.approve', 'approval.reject')) marks GROUP BY 1, 2`.execute(
    db,
  )
  for (const { mark, times } of asked)
    if (sent.has(mark) && times > 1) problems.push(`${times} requests of one call ${mark}`)
  for (const { mark, action, times } of audited)
    if (sent.has(mark) && times > 1) problems.push(`${action} happened ${times} times for one call ${mark}`)
  const found = new Set([...asked, ...audited].map(({ mark }) => mark))
  const { rows: decisions } = await sql<{
    id: string
    status: string
  }>`SELECT id, status FROM approval_requests`.execute(db)
  for (const [id, how] of decided) {
    const status = decisions.find((one) => one.id === id)?.status
    if (status !== how) problems.push(`request ${id} was ${how} and is ${status}`)
  }
  // Withdrawals, vouchers and numbers carry no mark that is kept; of those that do, none may be missing.
  const missing = [...done].filter((mark) => !found.has(mark)).length
  if (missing > done.size / 2) problems.push(`${missing} of ${done.size} acknowledged calls left nothing behind`)
  return problems
}
