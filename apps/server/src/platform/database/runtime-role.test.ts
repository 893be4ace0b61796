import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordAudit } from '#server/platform/audit.ts'
import { asStaff } from '#server-test/actors.ts'
import { asOwner, createDatabase, dropDatabase } from '#server-test/database.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { connect } from './database.ts'
import { migrate } from './migrate.ts'
import { asRuntimeRole, runtimeRole } from './runtime-role.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
  await recordAudit(t.db, { accountId: '', name: 'Tester', role: { name: 'Test' } } as never, {
    action: 'faculty.update',
    on: { faculty: '1' },
    reason: 'kept',
  })
})
afterAll(() => t.close())

const refusalOf = (text: string) =>
  sql
    .raw(text)
    .execute(t.db)
    .then(
      () => 'done',
      (error: Error) => error.message,
    )

describe('the running server', () => {
  test('works as a role that cannot sign in and owns nothing', async () => {
    const { rows } = await sql<{ user: string; login: boolean; owned: number }>`
      SELECT current_user AS user, (SELECT rolcanlogin FROM pg_roles WHERE rolname = current_user) AS login,
        (SELECT count(*)::int FROM pg_class WHERE relowner = current_user::regrole) AS owned`.execute(t.db)
    expect(rows[0]).toEqual({ user: runtimeRole, login: false, owned: 0 })
  })

  test.each([
    ["UPDATE audit_log SET reason = 'changed'", 'permission denied'],
    ['DELETE FROM audit_log', 'permission denied'],
    ['TRUNCATE audit_log', 'permission denied'],
    ['ALTER TABLE audit_log DISABLE TRIGGER audit_log_append_only', 'must be owner'],
    ['ALTER TABLE audit_log DISABLE TRIGGER ALL', 'must be owner'],
    ['DROP TRIGGER audit_log_append_only ON audit_log', 'must be owner'],
    [
      'CREATE OR REPLACE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE sql AS $$ SELECT NULL $$',
      'permission',
    ],
    ['DROP TABLE audit_log', 'must be owner'],
    ['ALTER TABLE audit_log DROP COLUMN reason', 'must be owner'],
    ["SET session_replication_role = 'replica'", 'permission denied'],
    ['UPDATE allocations SET amount = 1', 'permission denied'],
    ['DELETE FROM allocations', 'permission denied'],
    ['TRUNCATE allocations', 'permission denied'],
    ['ALTER TABLE allocations DISABLE TRIGGER ALL', 'must be owner'],
    ['DELETE FROM payments', 'permission denied'],
    ['TRUNCATE payments CASCADE', 'permission denied'],
    ['UPDATE payments SET amount = 1', 'permission denied'],
    ["UPDATE payments SET provider_reference = 'x'", 'permission denied'],
    ['DELETE FROM bank_reports', 'permission denied'],
    ['TRUNCATE bank_reports CASCADE', 'permission denied'],
    ["UPDATE whatsapp_items SET raw = ''", 'permission denied'],
    ["UPDATE bank_reports SET body = ''", 'permission denied'],
    ["UPDATE bank_reports SET headers = '{}'", 'permission denied'],
    ['DELETE FROM statement_lines', 'permission denied'],
    ['TRUNCATE statement_lines CASCADE', 'permission denied'],
    ['UPDATE statement_lines SET amount_sen = 1', 'permission denied'],
    ["UPDATE statement_lines SET raw = ''", 'permission denied'],
    ['UPDATE bill_lines SET amount = 1', 'permission denied'],
    ['DELETE FROM bill_lines', 'permission denied'],
    ["UPDATE virtual_accounts SET bill_id = '00000000-0000-4000-8000-000000000000'", 'permission denied'],
    ['DELETE FROM number_gaps', 'permission denied'],
    ['DELETE FROM approval_requests', 'permission denied'],
    ['TRUNCATE approval_requests CASCADE', 'permission denied'],
    ['UPDATE approval_requests SET amount = 1', 'permission denied'],
    ["UPDATE approval_requests SET effect = '{}'", 'permission denied'],
    ['UPDATE approval_requests SET requested_by = decided_by', 'permission denied'],
    ['DELETE FROM schema_migrations', 'permission denied'],
  ])('is refused: %s', async (statement, reason) => {
    expect(await refusalOf(statement)).toContain(reason)
    const { rows } = await sql<{ reason: string }>`SELECT reason FROM audit_log WHERE actor_name = 'Tester'`.execute(
      t.db,
    )
    expect(rows).toEqual([{ reason: 'kept' }])
  })

  test('cannot give itself more rights', async () => {
    await refusalOf(`GRANT ALL ON audit_log TO ${runtimeRole}`)
    expect(await refusalOf("UPDATE audit_log SET reason = 'changed'")).toContain('permission denied')
  })

  test('the trigger refuses even the owner', async () => {
    await expect(sql`UPDATE audit_log SET reason = 'changed'`.execute(t.owner)).rejects.toThrow('only added to')
    await expect(sql`TRUNCATE audit_log`.execute(t.owner)).rejects.toThrow('only added to')
  })

  test('the triggers stop the owner from changing money, even without the role', async () => {
    const refusal = (text: string) =>
      expect(sql.raw(text).execute(t.owner)).rejects.toThrow(/append-only|keeps what was written/)
    await sql`INSERT INTO bank_reports (provider, body, headers, received_at) VALUES ('x', 'a', '{}', now())`.execute(
      t.db,
    )
    await sql`INSERT INTO payments (provider, provider_reference, virtual_account_number, amount, status, waiting_amount,
        waiting_reason, paid_at, received_at) VALUES ('x', '1', '1', 5, 'waiting', 5, 'unknown_number', now(), now())`.execute(
      t.db,
    )
    for (const table of ['allocations', 'payments', 'bank_reports']) await refusal(`TRUNCATE ${table} CASCADE`)
    for (const table of ['payments', 'bank_reports']) await refusal(`DELETE FROM ${table}`)
    await refusal('UPDATE payments SET amount = amount + 1')
    await refusal("UPDATE bank_reports SET body = 'b'")
    // Updates that the triggers allow.
    await sql`UPDATE payments SET status = 'waiting', amount = amount`.execute(t.owner)
    await sql`UPDATE payments SET status = 'waiting'`.execute(t.db)
    await sql`UPDATE bank_reports SET outcome = 'booked', answered_at = now()`.execute(t.db)
  })

  test('reads and writes all other tables, tables added later, and the queue', async () => {
    await sql`CREATE TABLE made_later (id int GENERATED ALWAYS AS IDENTITY, note text)`.execute(t.owner)
    await sql`INSERT INTO made_later (note) VALUES ('a')`.execute(t.db)
    await sql`UPDATE made_later SET note = 'b'`.execute(t.db)
    const { rows } = await sql<{ table: string }>`
      SELECT format('%I.%I', n.nspname, c.relname) AS table FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname IN ('public', 'pgboss') AND c.relkind IN ('r', 'p', 'v', 'm')
        AND c.relname NOT IN ('audit_log', 'allocations', 'payments', 'bank_reports', 'statement_lines', 'schema_migrations')
        AND NOT has_table_privilege(c.oid, 'SELECT, INSERT, UPDATE, DELETE')`.execute(t.db)
    expect(rows).toEqual([])
    const staff = await asStaff(t)
    expect((await staff.get('/auth/menus')).statusCode).toBe(200)
  })
})

const nameOf = (part: string) => `pmb_test_role_${part}_${process.pid}`
const warnings: string[] = []
const log = { warn: (text: string) => warnings.push(text) } as never
const forDatabase = (name: string, login?: string) => {
  const url = new URL(t.connectionString)
  url.pathname = `/${name}`
  if (login) url.username = login
  return url.href
}

describe('with a database owned by another login', () => {
  const owner = nameOf('owner')
  const database = nameOf('db')
  beforeAll(async () => {
    await asOwner(t.connectionString, (client) => client.query(`CREATE ROLE ${owner} LOGIN`))
    await createDatabase(t.connectionString, database, 'template1')
    await asOwner(forDatabase(database), async (client) => {
      await client.query(`ALTER DATABASE ${database} OWNER TO ${owner}`)
      await client.query(`ALTER SCHEMA public OWNER TO ${owner}`)
    })
  })
  afterAll(async () => {
    await dropDatabase(t.connectionString, database)
    await asOwner(t.connectionString, (client) => client.query(`DROP ROLE ${owner}`))
  })

  test('whose login may not create roles, the server works as the login and warns, and the trigger still refuses', async () => {
    await migrate(forDatabase(database, owner))
    const connectionString = await asRuntimeRole(forDatabase(database, owner), log)
    expect(connectionString).toBe(forDatabase(database, owner))
    expect(warnings).toEqual([expect.stringContaining('GRANT pmb_app TO')])
    const { db } = connect(connectionString)
    await sql`INSERT INTO audit_log (actor_name, role_name, action, subject_type, subject_id) VALUES ('a', 'b', 'c', 'd', 'e')`.execute(
      db,
    )
    await expect(sql`DELETE FROM audit_log`.execute(db)).rejects.toThrow('only added to')
    await db.destroy()
  })

  test('the next start uses the role once an administrator has granted it', async () => {
    await asOwner(t.connectionString, (client) => client.query(`GRANT ${runtimeRole} TO ${owner}`))
    await migrate(forDatabase(database, owner))
    const { db } = connect(await asRuntimeRole(forDatabase(database, owner), log))
    await expect(sql`DELETE FROM audit_log`.execute(db)).rejects.toThrow('permission denied')
    await sql`UPDATE faculties SET name = name`.execute(db)
    await db.destroy()
  })
})

test('simultaneous starts in several databases of one server do not clash', async () => {
  const names = [1, 2, 3].map((number) => nameOf(`many${number}`))
  for (const name of names) await createDatabase(t.connectionString, name, 'template1')
  await Promise.all([...names, ...names].map((name) => migrate(forDatabase(name))))
  const strings = await Promise.all(names.map((name) => asRuntimeRole(forDatabase(name), log)))
  for (const connectionString of strings) {
    const client = new pg.Client({ connectionString })
    await client.connect()
    expect((await client.query('SELECT current_user AS name')).rows[0].name).toBe(runtimeRole)
    await client.end()
  }
  for (const name of names) await dropDatabase(t.connectionString, name)
})
