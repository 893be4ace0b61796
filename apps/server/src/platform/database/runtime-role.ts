import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import { withUrlChanged } from './database-url.ts'

/**
 * What the server works as. The login of DATABASE_URL owns the tables; this role of PostgreSQL owns nothing, so a running
 * server can neither change what is only added to nor switch off the trigger that says so.
 */
export const runtimeRole = 'pmb_app'

type Limit = {
  rights: string
  /** Columns that stay as they were written, while all others may be updated. */
  kept?: readonly string[]
}

/** Tables of which the server may do less than read and write. */
const limited: Readonly<Record<string, Limit>> = {
  // Added to, never changed: not by a mistake in a query, not by an administrator.
  'public.audit_log': { rights: 'SELECT, INSERT' },
  'public.allocations': { rights: 'SELECT, INSERT' },
  // A step of a registration is taken back, never changed.
  'public.registration_steps': {
    rights: 'SELECT, INSERT',
    kept: ['registration_id', 'step', 'at', 'taken_by', 'from_programme_id', 'from_class_programme_id'],
  },
  // Never taken out, and what arrived stays as it arrived.
  'public.payments': { rights: 'SELECT, INSERT', kept: ['provider', 'provider_reference', 'amount', 'paid_at_told'] },
  'public.bank_reports': { rights: 'SELECT, INSERT', kept: ['provider', 'body', 'headers', 'received_at'] },
  'public.bill_lines': { rights: 'SELECT, INSERT' },
  'public.number_gaps': { rights: 'SELECT, INSERT' },
  'public.virtual_accounts': { rights: 'SELECT, INSERT', kept: ['bill_id'] },
  'public.statement_lines': {
    rights: 'SELECT, INSERT',
    kept: [
      ...['bank_account_id', 'import_id', 'line_number', 'day', 'amount_sen', 'reference', 'description'],
      ...['occurrence', 'balance_sen', 'reversal', 'raw', 'similar_to'],
    ],
  },
  // What was asked stays as it was asked.
  'public.approval_requests': {
    rights: 'SELECT, INSERT',
    kept: [
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
  // Kept by the migrations alone.
  'public.schema_migrations': { rights: 'SELECT' },
}

const sequenceRights = 'USAGE, SELECT'

type Granted = { name: string; sequence: boolean; held: string; columns: string[]; updatable: string[] }

/** Makes the role and its rights, where the login may; part of every migration run, so that later tables are covered. */
export async function grantRuntimeRole(client: pg.Client): Promise<void> {
  if (!(await roleIsOurs(client))) return
  const { rows: versions } = await client.query<{ maintain: boolean }>(
    "SELECT current_setting('server_version_num')::int >= 170000 AS maintain",
  )
  const rights = `SELECT, INSERT, UPDATE, DELETE, TRUNCATE${versions[0]!.maintain ? ', MAINTAIN' : ''}`
  // Only what is missing, table by table: "all tables" would stumble over one that belongs to somebody else.
  const { rows: tables } = await client.query<Granted>(
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
  for (const { name, sequence, held, columns, updatable } of tables) {
    const { kept, rights: wanted } = sequence ? { rights: sequenceRights } : (limited[name] ?? { rights })
    const update = kept ? columns.filter((column) => !kept.includes(column)) : []
    if (inOrder(wanted) === inOrder(held) && inOrder(update.join(', ')) === inOrder(updatable.join(', '))) continue
    const on = sequence ? `SEQUENCE ${name}` : name
    await client.query(`REVOKE ALL ON ${on} FROM ${runtimeRole}; GRANT ${wanted} ON ${on} TO ${runtimeRole}`)
    if (update.length > 0)
      await client.query(`GRANT UPDATE (${update.map(pg.escapeIdentifier).join(', ')}) ON ${on} TO ${runtimeRole}`)
  }
  const { rows: schemas } = await client.query<{ name: string }>(
    `SELECT nspname AS name FROM pg_namespace WHERE nspname IN ('public', 'pgboss')
       AND NOT has_schema_privilege($1, oid, 'USAGE') AND pg_has_role(current_user, nspowner, 'USAGE')`,
    [runtimeRole],
  )
  for (const { name } of schemas) await client.query(`GRANT USAGE ON SCHEMA ${name} TO ${runtimeRole}`)
  // For what the job queue makes later in its own schema; tables of later migrations pass here again.
  await client.query(`
    ALTER DEFAULT PRIVILEGES GRANT ${rights} ON TABLES TO ${runtimeRole};
    ALTER DEFAULT PRIVILEGES GRANT ${sequenceRights} ON SEQUENCES TO ${runtimeRole};
    ALTER DEFAULT PRIVILEGES GRANT USAGE ON SCHEMAS TO ${runtimeRole}`)
}

/** Roles belong to the whole server: another database, or another start, may have made it already or be making it now. */
async function roleIsOurs(client: pg.Client): Promise<boolean> {
  const exists = async () =>
    (await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [runtimeRole])).rowCount === 1
  if (!(await exists())) await tolerate(client.query(`CREATE ROLE ${runtimeRole} NOLOGIN`))
  if (!(await exists())) return false
  if (!(await mayBecome(client))) await tolerate(client.query(`GRANT ${runtimeRole} TO CURRENT_USER`))
  return mayBecome(client)
}

/** Refused rights, and a role that another start made in the same moment. */
const tolerated = new Set(['42501', '42710', '23505', 'XX000'])

const tolerate = (query: Promise<unknown>) =>
  query.catch((error: { code?: string }) => {
    if (!tolerated.has(error.code ?? '')) throw error
  })

/** Asked by trying: what SET ROLE needs differs between the versions of PostgreSQL. */
async function mayBecome(client: pg.Client): Promise<boolean> {
  try {
    await client.query(`SET ROLE ${runtimeRole}`)
    await client.query('RESET ROLE')
    return true
  } catch (error) {
    if (['42501', '42704', '22023'].includes((error as { code?: string }).code ?? '')) return false
    throw error
  }
}

/**
 * The connection string with which every connection works as the role from its first statement. Where the role is
 * missing the string comes back as it is and the log says so: then the triggers alone protect what is only added to.
 */
export async function asRuntimeRole(connectionString: string, log: FastifyBaseLogger): Promise<string> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    const granted = async () => {
      const { rows } = await client.query<{ granted: boolean | null }>(
        `SELECT has_table_privilege('${runtimeRole}', log, 'INSERT')
           AND NOT has_table_privilege('${runtimeRole}', log, 'UPDATE') AS granted FROM to_regclass('audit_log') log`,
      )
      return rows[0]!.granted
    }
    if ((await mayBecome(client)) && (await granted())) return withRole(connectionString)
  } finally {
    await client.end()
  }
  log.warn(
    `The database has no role ${runtimeRole} that this login may take on, so triggers alone keep the audit log from being changed. Let an administrator of the database run: CREATE ROLE ${runtimeRole} NOLOGIN; GRANT ${runtimeRole} TO the login of DATABASE_URL; and start again.`,
  )
  return connectionString
}

const withRole = (connectionString: string) =>
  withUrlChanged(connectionString, ({ searchParams }) =>
    searchParams.set('options', [searchParams.get('options'), `-c role=${runtimeRole}`].filter(Boolean).join(' ')),
  )
