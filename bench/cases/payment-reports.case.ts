import crypto from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import autocannon from 'autocannon'
import pg from 'pg'
import { bytesOf } from '../../torture/bank.ts'
import { type Product, productIn } from '../../torture/product.ts'
import { repeated, type Step, statementsOf } from '../captured-sql.ts'
import { type Case, seconds } from '../measure.ts'

const connections = 16
const amount = 250_000
/** Bills per round and side: more than either side can settle. */
const perRound = 16_000
const numbersPerConnection = perRound / connections
const mostRounds = 4

const prefix = 990_010_000_000_000
/** First transfer number of one side in one round. */
const firstOf = (side: 'ours' | 'peer', round: number) =>
  prefix + ((side === 'ours' ? 0 : mostRounds) + round) * perRound
const probe = prefix + 2 * mostRounds * perRound + 1

/** Adds open registration fee bills, each with a transfer number at the demo bank. */
async function openBills(owner: pg.Client) {
  await owner.query(`CREATE TEMP TABLE people AS SELECT n, gen_random_uuid() AS account, gen_random_uuid() AS applicant,
    gen_random_uuid() AS registration, gen_random_uuid() AS bill FROM generate_series(1, ${probe - prefix}) n`)
  for (const statement of [
    `INSERT INTO accounts (id, name, email, email_verified_at, role_id, language)
     SELECT account, 'Pembayar ' || n, 'pembayar-' || n || '@demo.test', now(), (SELECT id FROM roles WHERE name = 'Mahasiswa'), 'id' FROM people`,
    `INSERT INTO applicants (id, account_id, full_name) SELECT applicant, account, 'Pembayar ' || n FROM people`,
    `INSERT INTO registrations (id, code, applicant_id, account_id, wave_id, track_id, entry_level_id, class_programme_id,
       programme_id, status)
     SELECT registration, 'PAY' || n, applicant, account, d.wave_id, (SELECT id FROM tracks WHERE code = 'REG'),
       d.entry_level_id, d.class_programme_id, d.programme_id, 'submitted'
     FROM people CROSS JOIN (SELECT d.* FROM programme_details d JOIN waves w ON w.id = d.wave_id AND w.code = 'G2'
       ORDER BY d.id LIMIT 1) d`,
    `INSERT INTO bills (id, number, registration_id, account_id, kind, total, due_at, issued_at)
     SELECT bill, 'BENCH-' || n, registration, account, 'registration_fee', ${amount}, now() + interval '3 days', now() FROM people`,
    `INSERT INTO bill_lines (bill_id, description, amount) SELECT bill, 'Biaya pendaftaran', ${amount} FROM people`,
    `INSERT INTO virtual_accounts (bill_id, provider, bank, number, amount, expires_at)
     SELECT bill, 'sandbox', 'sandbox-a', (${prefix} + n)::text, ${amount}, now() + interval '3 days' FROM people`,
    'VACUUM ANALYZE',
  ])
    await owner.query(statement)
}

const reportOf = (number: number, secretKey: string) =>
  bytesOf({ reference: `BENCH-${number}`, number: String(number), amount, paidAt: new Date() }, secretKey)

/** SQL the product ran for one report, with that payment's values replaced by names. */
async function capture(product: Product, owner: pg.Client): Promise<Step[]> {
  const statements = await statementsOf(owner, path.join(product.dataDir, 'postgres/postgres.log'), async () => {
    const { body, headers } = reportOf(probe, product.secretKey)
    const url = `${product.url}/api/providers/sandbox/report`
    const answer = await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) })
    if (answer.status !== 200) throw new Error(`the probe was answered ${answer.status}`)
  })
  const { rows } = await owner.query<Record<string, string>>(
    `SELECT p.id AS payments_id, p.bank_report_id AS bank_reports_id, v.id AS virtual_accounts_id, b.id AS virtual_accounts_bill_id,
       b.account_id AS bills_account_id, b.registration_id AS bills_registration_id,
       (SELECT id FROM messages m WHERE m.account_id = b.account_id AND m.channel = 'email') AS messages_id
     FROM payments p JOIN virtual_accounts v ON v.id = p.virtual_account_id JOIN bills b ON b.id = v.bill_id
     WHERE p.provider_reference = $1`,
    [`BENCH-${probe}`],
  )
  const names: [string, string][] = [...Object.entries(rows[0]!), ['number', String(probe)]]
  return statements.map((statement) => {
    const text = names.reduce((said, [name, value]) => said.replaceAll(value, `:${name}`), statement)
    const [, table] = /^(?:select .* from|insert into) "?(\w+)"?/i.exec(statement) ?? []
    return table && /^select|returning/i.test(statement) ? { text, keep: table } : { text }
  })
}

/** Row counts of each table a payment writes to; both sides must write equally many. */
const traces = async (owner: pg.Client) => {
  const { rows } = await owner.query<Record<string, string>>(`
    SELECT (SELECT count(*) FROM payments WHERE receipt_number IS NOT NULL) AS receipts, (SELECT count(*) FROM allocations) AS allocations,
      (SELECT count(*) FROM bills WHERE status = 'paid') AS bills, (SELECT count(*) FROM audit_log WHERE action = 'payment.book') AS audit,
      (SELECT count(*) FROM messages WHERE event = 'payment-received') / 2 AS messages,
      (SELECT count(*) FROM pgboss.job WHERE name = 'settle-registration-fee') AS settled,
      (SELECT count(*) FROM handovers WHERE channel = 'email' AND message_id IS NOT NULL) AS mails,
      (SELECT count(*) FROM bank_reports WHERE outcome = 'booked') AS reports`)
  return Object.entries(rows[0]!).map(([table, count]): [string, number] => [table, Number(count)])
}

async function countingRows<T>(owner: pg.Client, work: () => Promise<T>, count: (result: T) => number): Promise<T> {
  const before = new Map(await traces(owner))
  const result = await work()
  for (const [table, after] of await traces(owner)) {
    const newRows = after - before.get(table)!
    // Requests in flight at the end are finished but not counted.
    if (newRows < count(result) || newRows > count(result) + connections)
      throw new Error(`${count(result)} payments left ${newRows} ${table}`)
  }
  return result
}

type World = { product: Product; owner: pg.Client; steps: Step[]; round: { ours: number; peer: number } }
let world: Promise<World> | undefined

/** Starts the product on a separate database, because the demo bank needs the embedded one; it runs no jobs. */
async function start(): Promise<World> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'pmb-bench-payments-'))
  const product = await productIn(dataDir, crypto.randomBytes(32).toString('hex'), { RUN_JOBS: 'false' })
  await product.start()
  const owner = new pg.Client({ connectionString: product.databaseUrl })
  await owner.connect()
  await openBills(owner)
  const steps = await capture(product, owner)
  console.log(`The report of one payment is ${steps.length} statements`)
  return { product, owner, steps, round: { ours: 0, peer: 0 } }
}

/** Payment reports over HTTP, each settling a bill, against pgbench with the same statements. */
export const paymentReportsCase: Case = {
  goal: 0.7,
  unit: 'payments/s',
  ownDatabase: true,
  async ours() {
    world ??= start()
    const { product, owner, round } = await world
    const firstNumber = firstOf('ours', round.ours++)
    const reports = Array.from({ length: perRound }, (_, index) => reportOf(firstNumber + index + 1, product.secretKey))
    let next = 0
    const run = () =>
      autocannon({
        url: `${product.url}/api/providers/sandbox/report`,
        method: 'POST',
        connections,
        duration: seconds,
        requests: [
          {
            setupRequest(request) {
              const { body, headers } = reports[next++]!
              return { ...request, body, headers: { ...request.headers, ...headers } }
            },
          },
        ],
      })
    const { requests, duration, non2xx, errors } = await countingRows(owner, run, (result) => result.requests.total)
    if (non2xx + errors > 0) throw new Error(`${non2xx} reports refused, ${errors} failed`)
    return requests.total / duration
  },
  async theirs() {
    world ??= start()
    const { product, owner, steps, round } = await world
    const from = firstOf('peer', round.peer++)
    const run = () =>
      repeated({ databaseUrl: product.databaseUrl, steps, connections, seconds, from, apart: numbersPerConnection })
    const { perSecond, by } = await countingRows(owner, run, ({ transactions }) => transactions)
    if (round.peer === 1) console.log(`The peer of payment-reports is ${by}`)
    return perSecond
  },
  async close() {
    if (!world) return
    const { product, owner } = await world
    await owner.end()
    await product.stop()
    for (const folder of [fs.realpathSync(path.join(product.dataDir, 'postgres')), product.dataDir])
      fs.rmSync(folder, { recursive: true, force: true })
  },
}
