import crypto from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { deliver } from './bank.ts'
import { type OpenBill, openBills, useCasesOf } from './bills.ts'
import { workTheDesk } from './desk.ts'
import { planOf } from './plan.ts'
import { type Product, productIn } from './product.ts'
import { prove } from './proof.ts'
import { type Random, randomFrom } from './random.ts'

/*
 * npm run torture [-- --seed 1] [--reports 5000] [--bills 1000] [--kills 20] [--database-kills 5] [--desk-kills 10]
 *
 * A bank reports payments to the real server while the server is killed and restarted repeatedly, then while PostgreSQL
 * is killed, then while clerks move, reverse, refund and approve besides the bank. At the end every acknowledged rupiah
 * must be booked exactly once, and every call acknowledged to a clerk must have happened once. Exit code 1 otherwise.
 */
const whole = { type: 'string' } as const
const { values } = parseArgs({
  options: { seed: whole, reports: whole, bills: whole, kills: whole, 'database-kills': whole, 'desk-kills': whole },
})
const numberOption = (name: keyof typeof values, otherwise: number) => {
  const value = Number(values[name] ?? otherwise)
  if (Number.isSafeInteger(value) && value >= 0) return value
  console.error(`--${name} wants a whole number`)
  process.exit(1)
}
const seed = numberOption('seed', crypto.randomInt(2 ** 31))
const bills = numberOption('bills', 1_000)
const reports = numberOption('reports', 5_000)

type Round = {
  name: string
  bills: number
  reports: number
  victim: 'server' | 'database'
  kills: number
  /** Also runs clerks besides the bank. */
  desk?: true
}

const rounds: Round[] = [
  { name: 'S', bills, reports, victim: 'server', kills: numberOption('kills', 20) },
  {
    name: 'D',
    bills: Math.ceil(bills / 4),
    reports: Math.ceil(reports / 4),
    victim: 'database',
    kills: numberOption('database-kills', 5),
  },
  {
    name: 'K',
    // Few enough that clerks, bank and applicants meet on the same rows.
    bills: Math.ceil(bills / 25) * 2,
    reports: Math.ceil(reports / 2),
    victim: 'server',
    kills: numberOption('desk-kills', 10),
    desk: true,
  },
]

/** Delivery counts at which to kill, at random moments spread over the round. */
function killer(product: Product, { victim, kills, reports: planned }: Round, random: Random) {
  const moments = Array.from({ length: kills }, (_, at) =>
    Math.floor(((at + 0.5 + (random.next() - 0.5) * 0.8) * planned) / kills),
  )
  const outages: number[] = []
  let work: Promise<void> = Promise.resolve()
  const kill = async () => {
    await wait(random.whole(0, 120))
    const startMs = performance.now()
    if (victim === 'server') {
      await product.killServer()
      await product.start()
    } else {
      await product.killDatabase()
      await product.ready()
    }
    outages.push(performance.now() - startMs)
  }
  let failed: unknown
  return {
    outages,
    onDone(done: number) {
      while (moments.length > 0 && done >= moments[0]!) {
        moments.shift()
        work = work.then(kill).catch((error) => {
          failed ??= error
        })
      }
    },
    async finish() {
      await work
      if (failed) throw failed
    },
  }
}

async function torture(product: Product, round: Round, random: Random) {
  const seeding = await useCasesOf(product)
  const open = await openBills(seeding, round.name, round.bills, round.desk)
  await seeding.stop()
  const { books, deliveries } = planOf(open, round.name, round.reports, random)
  const killing = killer(product, round, random)
  const startMs = performance.now()
  const closing = new AbortController()
  const working = round.desk ? deskOf(product, open, random, closing.signal) : undefined
  const sent = await deliver(deliveries, { ...product, onDone: killing.onDone }).finally(() => closing.abort())
  await killing.finish()
  const work = await working
  const seconds = (performance.now() - startMs) / 1_000
  const looking = await useCasesOf(product)
  const proof = await prove(looking, {
    round: round.name,
    bills: open,
    books,
    sent,
    secretKey: product.secretKey,
    work,
  })
  await looking.stop()

  const down = killing.outages.reduce((sum, outage) => sum + outage, 0) / 1_000
  const rupiah = (amount: number) => amount.toLocaleString('id')
  console.table({
    bills: open.length,
    'transfers in the books of the bank': books.length,
    'reports planned': deliveries.length,
    'reports sent': sent.attempts,
    'of them sent again for want of an answer': sent.unanswered,
    ...sent.answers,
    ...work?.answers,
    ...(work && { 'desk calls sent again for want of an answer': work.unanswered }),
    [`${round.victim} killed`]: killing.outages.length,
    seconds: seconds.toFixed(1),
    'of them down': down.toFixed(1),
    'reports answered per second up': Math.round(deliveries.length / Math.max(seconds - down, 0.001)),
    'rupiah acknowledged': rupiah(proof.rupiahAcknowledged),
    'rupiah booked': rupiah(proof.rupiahBooked),
    'rupiah waiting': rupiah(proof.waiting),
    'payments booked': proof.payments,
    'bills settled': proof.settled,
    'problems found': proof.problems.length,
  })
  for (const problem of proof.problems.slice(0, 40)) console.error(`  ${problem}`)
  if (killing.outages.length < round.kills) proof.problems.push('fewer kills than planned')
  return proof.problems.length === 0
}

/** Clerks at work, reading the books on their own connection. */
async function deskOf(product: Product, open: readonly OpenBill[], random: Random, closing: AbortSignal) {
  const running = await useCasesOf(product)
  const { rows } = await sql<{ accountId: string }>`SELECT DISTINCT account_id FROM bills
    WHERE id = ANY(${open.map(({ id }) => id)}::uuid[]) ORDER BY 1`.execute(running.owner)
  const accountIds = rows.map(({ accountId }) => accountId)
  try {
    return await workTheDesk({ url: product.url, running, accountIds, random, died: product.died, closing })
  } finally {
    await running.stop()
  }
}

console.log(`Seed ${seed}: npm run torture -- --seed ${seed} sends the same again.`)
const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'pmb-torture-'))
const product = await productIn(dataDir, crypto.randomBytes(32).toString('hex'))
const interrupted = () => void product.stop().finally(() => process.exit(130))
process.once('SIGINT', interrupted)
process.once('SIGTERM', interrupted)
let passed = true
try {
  await product.start()
  const random = randomFrom(seed)
  for (const round of rounds) {
    console.log(
      `\n${round.reports} reports for ${round.bills} bills, the ${round.victim} is killed ${round.kills} times`,
    )
    passed = (await torture(product, round, random)) && passed
  }
} catch (error) {
  console.error(error)
  passed = false
} finally {
  await product.stop()
}
if (passed)
  for (const folder of [fs.realpathSync(path.join(dataDir, 'postgres')), dataDir])
    fs.rmSync(folder, { recursive: true, force: true })
else console.error(`\nNot every rupiah is where it belongs. What happened is kept in ${dataDir}.`)
console.log(`\nSeed ${seed}: ${passed ? 'passed' : 'FAILED'}`)
process.exit(passed ? 0 : 1)
