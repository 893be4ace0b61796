import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import { theOnly } from '#domain/must.ts'
import { withUrlChanged } from './database-url.ts'

/**
 * PostgreSQL role of the running server. The login of DATABASE_URL owns the tables; this role owns nothing, so the
 * running server can neither change rows of append-only tables nor disable the triggers that protect them.
 */
export const runtimeRole = 'pmb_app'

/** Role for trials' connections: reads settings, works in trial schemas, and has no other access. */
export const trialRole = 'pmb_trial'

/** Settings whose rows a registration locks; locking needs UPDATE on at least one column. */
const settingsLockedByTrials = ['discounts', 'programme_details', 'schools', 'track_details']

type Limit = {
  rights: string
  /** Columns that must not be updated; all others may be. */
  fixedColumns?: readonly string[]
}

/** Tables on which the server has fewer rights than SELECT, INSERT, UPDATE, DELETE. */
const limits: Readonly<Record<string, Limit>> = {
  // Append-only: neither a faulty query nor an administrator may change a row.
  'public.audit_log': { rights: 'SELECT, INSERT' },
  'public.allocations': { rights: 'SELECT, INSERT' },
  'public.commission_entries': { rights: 'SELECT, INSERT' },
  // A registration step may be marked as reverted; its facts are fixed.
  'public.registration_steps': {
    rights: 'SELECT, INSERT',
    fixedColumns: [
      ...['registration_id', 'step', 'at', 'taken_by', 'from_programme_id', 'from_class_programme_id'],
      ...['published_after', 'selection_run_id'],
    ],
  },
  // Season history: a stored day never changes.
  'public.season_days': { rights: 'SELECT, INSERT' },
  'public.season_daily': { rights: 'SELECT, INSERT' },
  'public.season_sums': { rights: 'SELECT, INSERT' },
  // A published survey version must stay what people answered.
  'public.survey_versions': { rights: 'SELECT, INSERT' },
  // Keeps every value a raw score has had.
  'public.test_score_versions': { rights: 'SELECT, INSERT' },
  // Money is never deleted, and facts reported by a bank are fixed.
  'public.payments': {
    rights: 'SELECT, INSERT',
    fixedColumns: ['provider', 'provider_reference', 'amount', 'paid_at_told'],
  },
  'public.bank_reports': { rights: 'SELECT, INSERT', fixedColumns: ['provider', 'body', 'headers', 'received_at'] },
  // Webhooks signed by Meta stay unchanged until they are deleted.
  'public.whatsapp_items': {
    rights: 'SELECT, INSERT, DELETE',
    fixedColumns: ['number', 'connection_id', 'kind', 'key', 'phone', 'user_id', 'raw', 'received_at'],
  },
  'public.bill_lines': { rights: 'SELECT, INSERT' },
  'public.number_gaps': { rights: 'SELECT, INSERT' },
  'public.virtual_accounts': { rights: 'SELECT, INSERT', fixedColumns: ['bill_id'] },
  'public.statement_lines': {
    rights: 'SELECT, INSERT',
    fixedColumns: [
      ...['bank_account_id', 'import_id', 'line_number', 'day', 'amount_sen', 'reference', 'description'],
      ...['occurrence', 'balance_sen', 'reversal', 'raw', 'similar_to'],
    ],
  },
  // The content of a request must stay what the approver saw.
  'public.approval_requests': {
    rights: 'SELECT, INSERT',
    fixedColumns: [
      ...[
        'kind',
        'registration_id',
        'bill_id',
        'statement_line_id',
        'payment_alert_id',
        'amount',
        'details',
        'effect',
        'file_id',
        'reason',
        'renews',
      ],
      ...['requested_by', 'requested_at'],
    ],
  },
  // Written only at start, as the owner.
  'public.installation': { rights: 'SELECT' },
  'public.seeds': { rights: 'SELECT' },
  'public.seed_failures': { rights: 'SELECT' },
  // Written only by migrations.
  'public.schema_migrations': { rights: 'SELECT' },
}

const sequenceRights = 'USAGE, SELECT'

type GrantedTable = { name: string; sequence: boolean; held: string; columns: string[]; updatable: string[] }

/** Creates the role and grants its rights if the login may. Runs with every migration, to cover later tables. */
export async function grantRuntimeRole(client: pg.Client): Promise<void> {
  if (!(await roleIsOurs(client, runtimeRole))) return
  const { rows: versions } = await client.query<{ maintain: boolean }>(
    "SELECT current_setting('server_version_num')::int >= 170000 AS maintain",
  )
  const rights = `SELECT, INSERT, UPDATE, DELETE, TRUNCATE${theOnly(versions).maintain ? ', MAINTAIN' : ''}`
  // Table by table, and only missing rights: GRANT ON ALL TABLES fails if one table has another owner.
  const { rows: tables } = await client.query<GrantedTable>(
    `SELECT quote_ident(n.nspname) || '.' || quote_ident(c.relname) AS name, c.relkind = 'S' AS sequence,
       array_to_string(ARRAY(SELECT privilege_type FROM aclexplode(c.relacl) WHERE grantee = $1::regrole), ', ') AS held,
       ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped) AS columns,
       ARRAY(SELECT attname::text FROM pg_attribute a, aclexplode(a.attacl) g
         WHERE attrelid = c.oid AND g.grantee = $1::regrole AND g.privilege_type = 'UPDATE') AS updatable
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname IN ('public', 'pgboss') AND c.relkind IN ('r', 'p', 'v', 'm', 'S')
       AND pg_has_role(current_user, c.relowner, 'USAGE')`,
    [runtimeRole],
  )
  const inOrder = (list: string) => list.split(', ').sort().join()
  for (const { name, sequence, held: currentRights, columns, updatable: updatableColumns } of tables) {
    const { fixedColumns, rights: requiredRights } = sequence
      ? { rights: sequenceRights }
      : (limits[name] ?? { rights })
    const update = fixedColumns ? columns.filter((column) => !fixedColumns.includes(column)) : []
    if (
      inOrder(requiredRights) === inOrder(currentRights) &&
      inOrder(update.join(', ')) === inOrder(updatableColumns.join(', '))
    )
      continue
    const target = sequence ? `SEQUENCE ${name}` : name
    await client.query(
      `REVOKE ALL ON ${target} FROM ${runtimeRole}; GRANT ${requiredRights} ON ${target} TO ${runtimeRole}`,
    )
    if (update.length > 0)
      await client.query(`GRANT UPDATE (${update.map(pg.escapeIdentifier).join(', ')}) ON ${target} TO ${runtimeRole}`)
  }
  const { rows: schemas } = await client.query<{ name: string }>(
    `SELECT nspname AS name FROM pg_namespace WHERE nspname IN ('public', 'pgboss')
       AND NOT has_schema_privilege($1, oid, 'USAGE') AND pg_has_role(current_user, nspowner, 'USAGE')`,
    [runtimeRole],
  )
  for (const { name } of schemas) await client.query(`GRANT USAGE ON SCHEMA ${name} TO ${runtimeRole}`)
  // Covers tables that pg-boss later creates in its schema. Tables of later migrations are handled by the next call.
  await client.query(`
    ALTER DEFAULT PRIVILEGES GRANT ${rights} ON TABLES TO ${runtimeRole};
    ALTER DEFAULT PRIVILEGES GRANT ${sequenceRights} ON SEQUENCES TO ${runtimeRole};
    ALTER DEFAULT PRIVILEGES GRANT USAGE ON SCHEMAS TO ${runtimeRole}`)
  await grantTrialRole(client)
}

/** Lets the server start and remove trials, and trials read the settings. */
async function grantTrialRole(client: pg.Client) {
  const { rows: trials } = await client.query<{ migrated: boolean }>(
    "SELECT to_regproc('trial_settings') IS NOT NULL AS migrated",
  )
  if (!theOnly(trials).migrated) return
  const { rows: functions } = await client.query<{ name: string }>(
    "SELECT oid::regprocedure::text AS name FROM pg_proc WHERE proname IN ('build_trial', 'remove_trial') AND NOT has_function_privilege($1, oid, 'EXECUTE')",
    [runtimeRole],
  )
  for (const { name } of functions) await client.query(`GRANT EXECUTE ON FUNCTION ${name} TO ${runtimeRole}`)
  if (!(await roleIsOurs(client, trialRole))) return
  const { rows: tables } = await client.query<{ name: string; locked: boolean }>(
    `SELECT quote_ident(relname) AS name, relname = ANY ($2) AS locked FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relname = ANY (trial_settings())
       AND NOT has_table_privilege($1, oid, 'SELECT')`,
    [trialRole, settingsLockedByTrials],
  )
  for (const { name, locked } of tables)
    await client.query(`GRANT SELECT${locked ? ', UPDATE (updated_at)' : ''} ON ${name} TO ${trialRole}`)
}

/**
 * Whether the login may become the role; creates and grants it first. Roles are server-wide, so a start on another
 * database may create the role at the same time.
 */
async function roleIsOurs(client: pg.Client, role: string): Promise<boolean> {
  const exists = async () => (await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role])).rowCount === 1
  if (!(await exists())) await tolerate(client.query(`CREATE ROLE ${role} NOLOGIN`))
  if (!(await exists())) return false
  if (!(await mayBecome(client, role))) await tolerate(client.query(`GRANT ${role} TO CURRENT_USER`))
  return mayBecome(client, role)
}

/** SQLSTATEs for missing rights, and for a role that another start created at the same moment. */
const toleratedStates = new Set(['42501', '42710', '23505', 'XX000'])

const tolerate = (query: Promise<unknown>) =>
  query.catch((error: { code?: string }) => {
    if (!toleratedStates.has(error.code ?? '')) throw error
  })

/** Tries SET ROLE, because the right it needs differs between PostgreSQL versions. */
async function mayBecome(client: pg.Client, role: string): Promise<boolean> {
  try {
    await client.query(`SET ROLE ${role}`)
    await client.query('RESET ROLE')
    return true
  } catch (error) {
    if (['42501', '42704', '22023'].includes((error as { code?: string }).code ?? '')) return false
    throw error
  }
}

/**
 * Returns a connection string that sets the role from the first statement. If the login cannot take the role, returns
 * the string unchanged and logs a warning: then only the triggers protect append-only tables.
 */
export async function asRuntimeRole(connectionString: string, log: FastifyBaseLogger): Promise<string> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    const isGranted = async () => {
      const { rows } = await client.query<{ granted: boolean | null }>(
        `SELECT has_table_privilege('${runtimeRole}', log, 'INSERT')
           AND NOT has_table_privilege('${runtimeRole}', log, 'UPDATE') AS granted FROM to_regclass('audit_log') log`,
      )
      return theOnly(rows).granted
    }
    if ((await mayBecome(client, runtimeRole)) && (await isGranted()))
      return withOptions(connectionString, `-c role=${runtimeRole}`)
  } finally {
    await client.end()
  }
  log.warn(
    `The database has no role ${runtimeRole} that this login may take on, so triggers alone keep the audit log from being changed. Let an administrator of the database run: CREATE ROLE ${runtimeRole} NOLOGIN; GRANT ${runtimeRole} TO the login of DATABASE_URL; and start again.`,
  )
  return connectionString
}

/**
 * Connection string for a trial's schema; undefined if the login cannot take the trial role. Without that role, once
 * the schema is removed, `public` would be first in the search path and unqualified names would reach the real tables.
 */
export async function asTrialRole(connectionString: string, schema: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    if (!(await mayBecome(client, trialRole))) return undefined
    return withOptions(connectionString, `-c search_path=${schema},public -c role=${trialRole}`)
  } finally {
    await client.end()
  }
}

const withOptions = (connectionString: string, options: string) =>
  withUrlChanged(connectionString, ({ searchParams }) =>
    searchParams.set('options', [searchParams.get('options'), options].filter(Boolean).join(' ')),
  )
