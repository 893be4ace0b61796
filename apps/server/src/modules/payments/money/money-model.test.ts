import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkInvariants } from '#server/modules/ops/check-invariants.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { countDeadlocks } from '#server-test/deadlocks.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { aBill, aReport, aVirtualAccount } from '#server-test/factories/payments.ts'
import {
  composeCall,
  type DeskMove,
  type Draw,
  deskMoves,
  type Person,
  type Stage,
} from '#server-test/stages/desk-play.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { runs } from '#testing/form.ts'
import { fc } from '#testing/properties.ts'

/** A quick run plays two games, a whole run twenty. MONEY_STEPS plays longer; MONEY_SEED repeats a game. */
const steps = Number(process.env.MONEY_STEPS ?? runs(600))
const seed = process.env.MONEY_SEED === undefined ? undefined : Number(process.env.MONEY_SEED)
const stepsPerGame = 300

let t: TestApp
let academic: AcademicFixture
let clerks: Person[]
beforeAll(async () => {
  // Moves must not fail; the log says why one did.
  t = await testApp({ config: { logLevel: 'error' } })
  academic = await academicFixture(t.db)
  clerks = (await Promise.all(Array.from({ length: 3 }, () => asStaff(t)))).map(personOf)
  await t.db
    .insertInto('refundPolicies')
    .values({ code: 'SETENGAH', name: '50 %', lastDay: '2099-12-31', shareBps: 5000 })
    .execute()
})
afterAll(() => t.close())

const personOf = (actor: TestActor): Person => ({
  async send(method, path, body) {
    const answer = await (method === 'POST' ? actor.post(path, body ?? {}) : actor.delete(path))
    return { status: answer.statusCode, body: answer.json() }
  },
})

let vouchers = 0
async function aVoucher(appliesTo: 'registration_fee' | 'fee_component', value: number) {
  const code = `MODEL-${++vouchers}`
  const { id: discountId } = await t.db
    .insertInto('discounts')
    .values({ code, name: code, value, condition: 'voucher', appliesTo, stackable: true })
    .returning('id')
    .executeTakeFirstOrThrow()
  await t.db.insertInto('vouchers').values({ discountId, code }).execute()
  return code
}

/** Four applicants, each with a registration fee, a tuition bill in three instalments, and a number for each bill. */
async function aStage(): Promise<Stage> {
  const applicants = []
  for (let one = 0; one < 4; one++) {
    const fee = await aBill(t, academic, { amount: 250_000 })
    const tuition = await aBill(t, academic, {
      actor: fee.actor,
      kind: 're_registration',
      lines: [{ description: 'Uang kuliah', amount: 6_000_000, feeComponentId: academic.feeComponents.semester }],
      installmentPlanId: academic.plan,
      status: 'confirmed',
      accepted: true,
      trackId: academic.tracks.achievement,
    })
    for (const { bill } of [fee, tuition]) await aVirtualAccount(fee.actor, bill.id)
    applicants.push({ accountId: fee.actor.accountId, person: personOf(fee.actor) })
  }
  return {
    db: t.db,
    clerks,
    applicants,
    programmeIds: academic.programmes,
    classProgrammeId: academic.classProgramme,
    vouchers: [await aVoucher('registration_fee', 10), await aVoucher('fee_component', 7)],
    now: () => t.clock.now(),
  }
}

type Transfer = { reference: string; virtualAccountNumber: string; amount: number }
/** Every transfer the bank reported. */
type Ledger = { transfers: Transfer[] }

let references = 0
/** A report on a number of the game or on an unknown number, or a repeated report. */
async function report(stage: Stage, ledger: Ledger, { which, other, share }: Draw) {
  const accounts = stage.applicants.map(({ accountId }) => accountId)
  const { rows } = await sql<{ number: string; amount: number }>`SELECT v.number, v.amount FROM virtual_accounts v
    JOIN bills b ON b.id = v.bill_id WHERE b.account_id = ANY(${accounts}::uuid[]) AND v.number IS NOT NULL
    ORDER BY v.created_at DESC, v.id`.execute(t.db)
  const { number, amount } = rows[which % rows.length]!
  const earlier = ledger.transfers[other % Math.max(ledger.transfers.length, 1)]
  const transfer =
    earlier && share % 10 === 0
      ? earlier
      : {
          reference: `MODEL-${++references}`,
          virtualAccountNumber: share % 25 === 1 ? `9900777${String(which).padStart(8, '0')}` : number,
          amount: [amount, amount, Math.max(Math.round((amount * share) / 1000), 1), amount + share][share % 4]!,
        }
  if (transfer !== earlier) ledger.transfers.push(transfer)
  const answer = await aReport(t, transfer).send()
  return { status: answer.statusCode, body: answer.json(), what: `report ${JSON.stringify(transfer)}` }
}

async function play(stage: Stage, ledger: Ledger, draw: Draw & { bank: boolean }) {
  if (draw.bank) return report(stage, ledger, draw)
  const call = await composeCall(stage, draw)
  if (!call) return
  const answer = await call.by.send(call.method, call.path, call.body)
  return { ...answer, what: `${call.method} ${call.path} ${JSON.stringify(call.body ?? {})}` }
}

const sums = async () =>
  (
    await sql<{ arrived: number; standing: number; somewhere: number; manual: number }>`
    SELECT coalesce(sum(p.amount) FILTER (WHERE p.provider = 'sandbox'), 0)::bigint AS arrived,
      coalesce(sum(p.amount) FILTER (WHERE p.provider <> 'sandbox'), 0)::bigint AS manual,
      coalesce(sum(p.amount) FILTER (WHERE p.status <> 'reversed'), 0)::bigint AS standing,
      (coalesce(sum(p.waiting_amount + p.refunded_amount), 0) + (SELECT coalesce(sum(amount), 0) FROM allocations))::bigint AS somewhere
    FROM payments p`.execute(t.db)
  ).rows[0]!

const draw: fc.Arbitrary<Draw & { bank: boolean }> = fc.record({
  bank: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
  move: fc.constantFrom<DeskMove>(...deskMoves),
  who: fc.nat(1_000),
  which: fc.nat(10_000),
  other: fc.nat(10_000),
  share: fc.nat(1_000),
  yes: fc.integer({ min: 0, max: 3 }).map((n) => n > 0),
})

test(`after ${steps} random moves of clerks, banks and applicants all money is accounted for, the books agree and nothing deadlocked`, async () => {
  const deadlocksBefore = await countDeadlocks(t)
  const cashBefore = (await sums()).manual
  expect(cashBefore).toBe(0)
  let sent = 0
  const answers: Record<string, number> = {}
  await fc.assert(
    fc.asyncProperty(
      fc.array(draw, { minLength: stepsPerGame, maxLength: stepsPerGame }),
      fc.integer({ min: 2, max: 9 }),
      async (draws, atOnce) => {
        const before = await sums()
        const stage = await aStage()
        const ledger: Ledger = { transfers: [] }
        const failures: string[] = []
        for (let from = 0; from < draws.length; from += atOnce) {
          const together = await Promise.all(draws.slice(from, from + atOnce).map((one) => play(stage, ledger, one)))
          for (const answer of together) {
            if (!answer) continue
            sent++
            const { status, what } = answer
            const key = `${what
              .replace(/[0-9a-f-]{36}/g, ':id')
              .split(' ', 2)
              .join(' ')} ${status}`
            answers[key] = (answers[key] ?? 0) + 1
            if (status >= 500) failures.push(`${status} ${what} ${JSON.stringify(answer.body)}`)
          }
        }
        expect(failures).toEqual([])
        const after = await sums()
        const transferred = ledger.transfers.reduce((sum, { amount }) => sum + amount, 0)
        expect(after.arrived - before.arrived).toBe(transferred)
        expect(after.somewhere).toBe(after.standing)
        const { rows } = await sql<{
          sum: number
        }>`SELECT coalesce(sum(amount), 0)::bigint AS sum FROM approval_requests
          WHERE status = 'approved' AND kind = 'manual_payment'`.execute(t.db)
        expect(after.manual).toBe(rows[0]!.sum)
        expect(await checkInvariants(t.services)).toEqual([])
      },
    ),
    { numRuns: Math.ceil(steps / stepsPerGame), endOnFailure: true, ...(seed !== undefined && { seed }) },
  )
  expect(await countDeadlocks(t)).toBe(deadlocksBefore)
  // A game that hardly sends a request proves nothing.
  expect(sent).toBeGreaterThan(steps / 2)
  if (process.env.MONEY_STEPS) console.table(answers)
}, 600_000)
