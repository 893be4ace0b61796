import pg from 'pg'
import { inject } from 'vitest'
import { createDatabase, dropDatabase, lentPrefix, templateName } from './database.ts'
import { closeConnections, closeSpareConnections } from './lent-connections.ts'

/**
 * A copy of the template that this process lends to one test file after another. Between two files it is reset: tables
 * that were empty are emptied, seeded tables get their rows back, sequences restart. If a file changed the database's
 * tables, statistics or settings, the next file gets a new copy.
 */
type Lent = {
  connectionString: string
  /** Owner's connection, used for the reset. */
  client: pg.Client
  catalogue: string
  seeded: Map<string, Seeded>
  sequences: Map<string, string>
}

/** A table with seeded rows: its unchanged state and its rows. */
type Seeded = { state: string; columns: string; rows: string }

const idle: Lent[] = []
let copies = 0

export type LentDatabase = {
  connectionString: string
  /** Resets the database and keeps it for the next file, unless one is already kept. */
  giveBack(): Promise<void>
}

/** A database of this process with the template's contents. */
export async function lendDatabase(): Promise<LentDatabase> {
  const lent = idle.pop() ?? (await newCopy())
  return {
    connectionString: lent.connectionString,
    async giveBack() {
      if (idle.length === 0 && (await putBack(lent))) {
        await closeSpareConnections(lent.connectionString)
        idle.push(lent)
      } else await giveUp(lent)
    },
  }
}

async function newCopy(): Promise<Lent> {
  const templateUrl = inject('templateUrl')
  const name = `${lentPrefix}${process.pid}_${copies++}`
  await createDatabase(templateUrl, name, templateName)
  const connectionString = templateUrl.replace(`/${templateName}`, `/${name}`)
  const client = new pg.Client({ connectionString })
  client.on('error', () => {})
  await client.connect()
  const seeded = new Map<string, Seeded>()
  for (const { name: table, columns } of await filledTables(client)) {
    const { rows } = await client.query<{ rows: string }>(`SELECT json_agg(t)::text AS rows FROM ${table} t`)
    seeded.set(table, { state: '', columns, rows: rows[0]!.rows })
  }
  const lent = {
    connectionString,
    client,
    catalogue: await catalogueOf(client),
    seeded,
    sequences: await sequencesOf(client),
  }
  for (const [table, state] of await statesOf(lent)) seeded.get(table)!.state = state
  return lent
}

async function giveUp({ connectionString, client }: Lent) {
  await client.end().catch(() => {})
  await closeConnections(connectionString)
  await dropDatabase(connectionString, new URL(connectionString).pathname.slice(1))
}

/** Restores everything a test has written; false if that is impossible. */
async function putBack(lent: Lent): Promise<boolean> {
  const { client, seeded } = lent
  try {
    if ((await catalogueOf(client)) !== lent.catalogue) {
      await forgetStatistics(lent)
      if ((await catalogueOf(client)) !== lent.catalogue) return false
    }
    const states = await statesOf(lent)
    const changed = [...seeded].filter(([table, { state }]) => states.get(table) !== state)
    const written = (await filledTables(client)).map(({ name }) => name).filter((name) => !seeded.has(name))
    const emptied = [...written, ...changed.map(([table]) => table)]
    const sequences = await sequencesOf(client)
    // Disables triggers and foreign keys, so that append-only tables can be emptied too, in any order.
    await client.query("BEGIN; SET LOCAL session_replication_role = replica; SET LOCAL lock_timeout = '5s'")
    for (const table of emptied) await client.query(`DELETE FROM ${table}`)
    for (const [table, { columns, rows }] of changed)
      await client.query(
        `INSERT INTO ${table} (${columns}) OVERRIDING SYSTEM VALUE
         SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1)`,
        [rows],
      )
    for (const [name, value] of lent.sequences)
      if (sequences.get(name) !== value) await client.query(`SELECT setval($1, $2, $3)`, [name, ...value.split('.')])
    await client.query('COMMIT')
    // Removes dead rows, which PostgreSQL would keep reading.
    if (emptied.length > 0) await client.query(`VACUUM (SKIP_DATABASE_STATS) ${emptied.join(', ')}`)
    await forgetSizes(client)
    for (const [table, state] of await statesOf(lent)) seeded.get(table)!.state = state
    return true
  } catch {
    return false
  }
}

/** Deletes ANALYZE's statistics for tables that are about to be empty again. */
async function forgetStatistics({ client, seeded }: Lent) {
  await client.query('BEGIN; SET LOCAL allow_system_table_mods = on')
  await client.query(
    `DELETE FROM pg_statistic USING pg_class c
     WHERE c.oid = starelid AND relnamespace::regnamespace::text IN ${schemas} AND c.oid::regclass::text <> ALL ($1)`,
    [[...seeded.keys()]],
  )
  await client.query('COMMIT')
}

/**
 * Makes tables that VACUUM found empty look new. Sessions keep plans, and a plan for an empty table reads all of it,
 * even after a later file has filled it.
 */
const forgetSizes = (client: pg.Client) =>
  client.query(
    `UPDATE pg_class SET reltuples = -1, relpages = 0
     WHERE relkind IN ('r', 'i') AND reltuples = 0 AND relnamespace::regnamespace::text IN ${schemas}`,
  )

const schemas = "('public', 'pgboss')"

/** Tables with rows, or with pages that may hold some, and their writable columns. */
async function filledTables(client: pg.Client) {
  const { rows } = await client.query<{ name: string; columns: string }>(`
    SELECT c.oid::regclass::text AS name, (
      SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute
      WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '') AS columns
    FROM pg_class c WHERE relkind = 'r' AND relnamespace::regnamespace::text IN ${schemas} AND pg_relation_size(c.oid) > 0`)
  return rows
}

/** Row count and newest transaction of each seeded table: every row change changes one of them. */
async function statesOf({ client, seeded }: Pick<Lent, 'client' | 'seeded'>) {
  const counts = [...seeded.keys()].map(
    (table) =>
      `SELECT '${table}' AS name, count(*) || '.' || coalesce(max(xmin::text::bigint), 0) AS state FROM ${table}`,
  )
  const { rows } = await client.query<{ name: string; state: string }>({
    name: 'states',
    text: counts.join(' UNION ALL ') || "SELECT '' AS name, '' AS state WHERE false",
  })
  return new Map(rows.map(({ name, state }) => [name, state]))
}

async function sequencesOf(client: pg.Client) {
  const { rows } = await client.query<{ name: string; value: string }>(`
    SELECT quote_ident(schemaname) || '.' || quote_ident(sequencename) AS name,
      coalesce(last_value, start_value) || '.' || (last_value IS NOT NULL) AS value
    FROM pg_sequences WHERE schemaname IN ${schemas}`)
  return new Map(rows.map(({ name, value }) => [name, value]))
}

/**
 * What a test may change besides rows: tables, columns, rights, triggers, functions, statistics, settings, held locks.
 */
async function catalogueOf(client: pg.Client) {
  const newest = (table: string) => `(SELECT count(*) || '.' || coalesce(max(xmin::text::bigint), 0) FROM ${table})`
  const { rows } = await client.query<{ catalogue: string }>(`
    SELECT concat_ws(' ', (
      SELECT md5(string_agg(concat_ws(',', oid, relname, relkind, relacl, reloptions), ';' ORDER BY oid)) FROM pg_class),
      ${['pg_attribute', 'pg_attrdef', 'pg_constraint', 'pg_trigger', 'pg_proc', 'pg_namespace', 'pg_statistic', 'pg_default_acl'].map(newest).join(', ')},
      (SELECT count(*) FROM pg_db_role_setting),
      (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))
    ) AS catalogue`)
  return rows[0]!.catalogue
}
