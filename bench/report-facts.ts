import pg from 'pg'
import { theOnly } from '#domain/must.ts'
import type { Bench } from './measure.ts'
import { processorMs } from './processor-time.ts'

const writesAtOnce = 2_000
/** Goal: milliseconds of PostgreSQL's processor that keeping facts adds to a write. */
const goalMs = 1

const storedTables = ['registration_facts', 'paid_places', 'payment_facts', 'money_facts']

/** A write of each kind that keeps facts, for a row `x`. */
const writes = {
  'step of a registration': {
    of: 'registrations',
    rows: 'SELECT id FROM registrations',
    write: `UPDATE registrations SET verified_at = coalesce(verified_at, now()) + interval '1 second' WHERE id = x.id`,
  },
  'line of a bill': {
    of: 'bill_lines',
    rows: 'SELECT id FROM bills',
    write: `INSERT INTO bill_lines (bill_id, description, amount) VALUES (x.id, 'Bench', 1)`,
  },
  'allocation of a payment': {
    of: 'allocations',
    rows: 'SELECT id, bill_id FROM payments WHERE bill_id IS NOT NULL',
    write: 'INSERT INTO allocations (payment_id, bill_id, amount, created_at) VALUES (x.id, x.bill_id, 1, now())',
  },
  'waiting money of a payment': {
    of: 'payments',
    rows: 'SELECT id FROM payments WHERE waiting_amount = 0 AND refunded_amount = 0',
    write: `UPDATE payments SET waiting_amount = 1, waiting_reason = 'overpaid' WHERE id = x.id`,
  },
}

/**
 * Measures what keeping the rows of reports costs: their size, making and comparing them, and each kind of write with and
 * without the triggers. Every write is rolled back. Returns whether all goals are met.
 */
export async function reportFacts({ databaseUrl, postgresPid }: Pick<Bench, 'databaseUrl' | 'postgresPid'>) {
  const owner = new pg.Client({ connectionString: databaseUrl })
  await owner.connect()
  const processorOf = async (work: () => Promise<unknown>) => {
    const before = processorMs(postgresPid, { withChildren: true })
    await work()
    return processorMs(postgresPid, { withChildren: true }) - before
  }
  const undone = async <T>(work: () => Promise<T>) => {
    await owner.query('BEGIN')
    try {
      return await work()
    } finally {
      await owner.query('ROLLBACK')
    }
  }
  await owner.query("SET work_mem = '256MB'")
  console.log(`Made again in ${await processorOf(() => owner.query('SELECT rebuild_report_facts()'))} ms of processor`)
  const tables = []
  for (const table of storedTables) {
    let differing = 0
    const compareMs = await processorOf(async () => {
      const { rows } = await owner.query<{ count: string }>(
        `SELECT count(*) FROM ((TABLE ${table} EXCEPT ALL TABLE derived_${table})
          UNION ALL (TABLE derived_${table} EXCEPT ALL TABLE ${table})) d`,
      )
      differing = Number(theOnly(rows).count)
    })
    const { rows } = await owner.query<{ rows: string; bytes: string }>(
      `SELECT count(*) AS rows, round(avg(pg_column_size(f.*))) AS bytes FROM ${table} f`,
    )
    tables.push({
      table,
      rows: Number(theOnly(rows).rows),
      bytes: Number(theOnly(rows).bytes),
      'compare ms': compareMs,
      differing,
    })
  }
  console.table(tables)
  const costs = []
  for (const [name, { of, rows, write }] of Object.entries(writes)) {
    const run = () =>
      owner.query(`DO $$ DECLARE x record; BEGIN
        FOR x IN ${rows} LIMIT ${writesAtOnce} LOOP ${write}; END LOOP; END $$`)
    const { rows: triggers } = await owner.query<{ name: string }>(
      `SELECT quote_ident(tgname) AS name FROM pg_trigger WHERE tgrelid = $1::regclass AND NOT tgisinternal AND tgname ~ '_facts$'`,
      [of],
    )
    const costOf = (withFacts: boolean) =>
      undone(async () => {
        if (!withFacts) for (const { name } of triggers) await owner.query(`ALTER TABLE ${of} DISABLE TRIGGER ${name}`)
        return processorOf(run)
      })
    await costOf(true)
    const [bareMs, factsMs] = [[], []] as [number[], number[]]
    for (let round = 0; round < 3; round++) {
      bareMs.push(await costOf(false))
      factsMs.push(await costOf(true))
    }
    const msOf = (values: readonly number[]) => Math.min(...values) / writesAtOnce
    costs.push({
      write: name,
      'ms without': msOf(bareMs),
      'ms with': msOf(factsMs),
      more: msOf(factsMs) - msOf(bareMs),
    })
  }
  console.table(costs)
  await owner.end()
  return tables.every(({ differing }) => differing === 0) && costs.every(({ more }) => more <= goalMs)
}
