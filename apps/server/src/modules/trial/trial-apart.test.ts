import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { signedReport } from '#server/modules/payments/providers/sandbox/sandbox-bank.ts'
import { actorWith, asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { aPlace, aSchool } from '#server-test/factories/applicants.ts'
import { aTrialOf, startTrial, trialPath, walk } from '#server-test/factories/installation/trials.ts'
import { aBill, aVirtualAccount } from '#server-test/factories/payments.ts'
import { aMidtrans } from '#server-test/factories/providers.ts'
import { routesOf } from '#server-test/routes.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { sampleOf } from '#testing/form.ts'
import { forgetTrialsJob } from './forget-trials.job.ts'
import { schemaOf } from './trial-id.ts'

/**
 * A trial creates and drops about 450 tables and indexes. The daily form compares all rows of the university, and the
 * answers of 60 addresses drawn by the seed.
 */
vi.setConfig({ testTimeout: 240_000 })

let t: TestApp
let academic: AcademicFixture
let admin: TestActor
beforeAll(async () => {
  t = await testApp()
  academic = await academicFixture(t.db)
  await aPlace(t)
  await aSchool(t)
})
beforeEach(async () => {
  admin = await asStaff(t)
})
// A failed test must not leave its trial to the next test.
afterEach(() => admin.delete(trialPath))
afterAll(() => t.close())

/** Signs in as the test applicant of the administrator's trial. */
async function seen(by = admin): Promise<TestActor> {
  const answer = await by.post(`${trialPath}/see`)
  expect(answer.statusCode, answer.body).toBe(200)
  const { access_token: token, user } = answer.json()
  return actorWith(t, { accountId: user.id, email: user.email, token })
}

const remove = async (by = admin) => expect((await by.delete(trialPath)).statusCode).toBe(200)

/** Tables that may change while a trial is used: the trial itself, audit log, sessions, idempotency keys and visits. */
const ownPlaces = ['trials', 'audit_log', 'sessions', 'idempotency_keys', 'account_visits']

/** Every row of the university's other tables, as hashes. */
async function rowsOfTheUniversity() {
  const { rows: tables } = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`.execute(t.owner)
  const hashes: Record<string, string> = {}
  for (const { name } of tables.filter(({ name }) => !ownPlaces.includes(name))) {
    const { rows } = await sql<{ hash: string }>`
      SELECT count(*) || ' ' || coalesce(md5(string_agg(md5(r::text), '' ORDER BY md5(r::text))), '') AS hash
      FROM ${sql.table(name)} r`.execute(t.owner)
    hashes[name] = rows[0]!.hash
  }
  const { rows: counters } = await sql<{ name: string; value: string | null }>`
    SELECT sequencename AS name, last_value::text AS value FROM pg_sequences WHERE schemaname = 'public'
      AND sequencename NOT LIKE 'trials%' AND sequencename NOT LIKE 'audit_log%' ORDER BY sequencename`.execute(t.owner)
  return { hashes, counters }
}

/** Addresses, with these ids, of every GET that leaves no trace. */
const addressesOf = (ids: Record<string, string>) =>
  routesOf(t.app)
    .filter(
      ({ method, path: pattern }) =>
        method === 'get' &&
        !pattern.startsWith(`/api${trialPath}`) &&
        !/audit|health|docs|export|\/sheet$|\/sessions/.test(pattern),
    )
    .map(({ path: pattern }) => pattern.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? ''))
    .filter((url) => !/\/\/|\/$/.test(url))

/** Answers an administrator gets at these addresses. */
async function answersAt(urls: readonly string[]) {
  const answers: Record<string, string> = {}
  for (const url of urls) {
    const answer = await admin.get(url)
    const isText = /json|csv|text/.test(String(answer.headers['content-type'] ?? ''))
    answers[url] = `${answer.statusCode} ${isText ? withoutClocks(answer.body) : answer.headers['content-type']}`
  }
  return answers
}

const withoutClocks = (body: string) =>
  body
    .replace(/"request_id":"[^"]*"/g, '')
    .replace(/"(?:at|now|checkedAt|generatedAt|asOf|lastSeenAt|expiresAt)":"[^"]*"/g, '')
    .replace(/key=[\w.-]+/g, '')

describe('the university', () => {
  test('answers every GET as before and has the same rows and counters after a whole trial', async () => {
    const { bill, registration } = await aBill(t, academic, { amount: 300_000 })
    const ids = { id: registration.id, billId: bill.id, registrationId: registration.id }
    const addresses = addressesOf(ids)
    expect(addresses.length).toBeGreaterThan(80)
    const drawn = sampleOf('addresses beside a trial', addresses, 60)
    await answersAt(drawn)
    const before = { rows: await rowsOfTheUniversity(), answers: await answersAt(drawn) }

    const { view, refusal } = await walk(admin, await startTrial(admin, aTrialOf(academic)))
    expect([refusal, view.studentNumber !== null]).toEqual([null, true])
    await seen()
    expect({ rows: await rowsOfTheUniversity(), answers: await answersAt(drawn) }).toEqual(before)

    await remove()
    expect({ rows: await rowsOfTheUniversity(), answers: await answersAt(drawn) }).toEqual(before)
  })

  test('issues its next student number, bill number and code as if there had been no trial', async () => {
    const counters = () => t.db.selectFrom('numberCounters').selectAll().orderBy('kind').orderBy('scope').execute()
    const before = await counters()
    await walk(admin, await startTrial(admin, aTrialOf(academic)), 'pay')
    expect(await counters()).toEqual(before)
    await remove()
  })

  test('connected to a real bank, runs trials at the demo bank, and its own bank gets no calls', async () => {
    const university = await testApp({ config: { demo: false } })
    try {
      const { peer } = await aMidtrans(university)
      const settings = await academicFixture(university.db)
      await aPlace(university)
      await aSchool(university)
      const clerk = await asStaff(university)
      const { refusal } = await walk(clerk, await startTrial(clerk, aTrialOf(settings)), 'upload')
      expect(refusal).toBeNull()
      const { access_token: token } = (await clerk.post(`${trialPath}/see`)).json()
      const applicant = actorWith(university, { accountId: '', email: '', token })
      const [registration] = (await applicant.get('/dashboard')).json().data.registrations
      const { bills, banks } = (await applicant.get(`/pendaftaran/${registration.id}/bills`)).json().data
      expect(banks.every(({ demo }: { demo: boolean }) => demo)).toBe(true)
      expect([bills[0].payments.length, bills[0].virtualAccounts[0].demo]).toEqual([1, true])
      expect(peer.requestCount()).toBe(0)
    } finally {
      await university.close()
    }
  })
})

describe('the session of a test applicant', () => {
  test("shows the test applicant's own pages and reaches no other account by any id", async () => {
    const { registration } = await aBill(t, academic, { amount: 300_000 })
    await walk(admin, await startTrial(admin, aTrialOf(academic)), 'bill')
    const applicant = await seen()
    expect((await applicant.get('/auth/my-profile')).json().data.email).toBe(applicant.email)
    const [own] = (await applicant.get('/dashboard')).json().data.registrations
    expect((await applicant.get(`/pendaftaran/${own.id}`)).statusCode).toBe(200)
    for (const url of [
      `/pendaftaran/${registration.id}`,
      `/pendaftaran/${registration.id}/bills`,
      `/pendaftaran/${registration.id}/files`,
    ])
      expect([url, (await applicant.get(url)).statusCode]).toEqual([url, 404])
    for (const url of ['/settings/accounts', trialPath, '/settings/general', '/payments'])
      expect([url, [403, 404].includes((await applicant.get(url)).statusCode)]).toEqual([url, true])
    // The university does not know the test registration.
    expect((await admin.get(`/pendaftaran/${own.id}`)).statusCode).toBe(404)
    await remove()
  })

  test("ends with the way back, with the trial, and with the administrator's session, right or account", async () => {
    const isOpen = async (actor: TestActor) => (await actor.get('/auth/my-profile')).statusCode === 200
    const other = await asStaff(t)
    await startTrial(other, aTrialOf(academic))
    const first = await seen(other)
    const second = await seen(other)
    expect([await isOpen(first), await isOpen(second)]).toEqual([false, true])
    await other.post(`${trialPath}/leave`)
    expect(await isOpen(second)).toBe(false)

    const third = await seen(other)
    await t.db.updateTable('accounts').set({ active: false }).where('id', '=', other.accountId).execute()
    expect(await isOpen(third)).toBe(false)
    await t.db.updateTable('accounts').set({ active: true }).where('id', '=', other.accountId).execute()
    t.services.sessions.forget()
    expect(await isOpen(third)).toBe(true)
    await other.post('/logout')
    expect(await isOpen(third)).toBe(false)

    await startTrial(admin, aTrialOf(academic))
    const fourth = await seen()
    await remove()
    expect(await isOpen(fourth)).toBe(false)
  })

  test('shows pictures of the trial by their signed address, and to nobody once the trial is removed', async () => {
    await walk(admin, await startTrial(admin, aTrialOf(academic)), 'submit')
    const applicant = await seen()
    const { photoUrl } = (await applicant.get('/auth/my-profile')).json().data
    expect((await t.app.inject(photoUrl)).headers['content-type']).toBe('image/jpeg')
    await remove()
    expect((await t.app.inject(photoUrl)).statusCode).toBeGreaterThanOrEqual(400)
  })

  test('adds no school to the register', async () => {
    await startTrial(admin, aTrialOf(academic))
    const applicant = await seen()
    const answer = await applicant.post('/schools/propose', { name: 'SMA Usulan', status: 'negeri' })
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'trial_settings_only'])
    await remove()
  })

  test('is in the audit log: who started, viewed, left and removed it', async () => {
    const other = await asStaff(t)
    await startTrial(other, aTrialOf(academic))
    await seen(other)
    await other.post(`${trialPath}/leave`)
    await remove(other)
    const entries = await t.db
      .selectFrom('auditLog')
      .select('action')
      .where('actorId', '=', other.accountId)
      .where('subjectType', '=', 'trial')
      .orderBy('id')
      .execute()
    expect(entries.map(({ action }) => action)).toEqual(['trial.start', 'trial.see', 'trial.leave', 'trial.remove'])
  })
})

describe('an attacker', () => {
  const refusal = (text: string, db = t.db) =>
    sql
      .raw(text)
      .execute(db)
      .then(
        () => 'done',
        (error: Error) => error.message,
      )

  test("cannot pay a bill of the university with a trial's money", async () => {
    const { bill, actor } = await aBill(t, academic, { amount: 300_000 })
    const { number } = await aVirtualAccount(actor, bill.id)
    const { view } = await walk(admin, await startTrial(admin, aTrialOf(academic)), 'pay')
    const applicant = await seen()
    // The number does not exist at the trial's demo bank.
    expect((await applicant.post(`/sandbox-bank/${number}`, { action: 'pay', amount: 300_000 })).statusCode).toBe(404)
    // A report with the trial's signature is not genuine for the university.
    const key = crypto.createHmac('sha256', t.services.config.secretKey).update(`trial ${view.id}`).digest('hex')
    const payment = { reference: 'TRIAL-1', virtualAccountNumber: number, amount: 300_000, channel: null }
    const report = signedReport(key, { ...payment, paidAt: t.clock.now() }, t.clock.now())
    const answer = await t.app.inject({
      method: 'POST',
      url: '/api/providers/sandbox/report',
      headers: report.headers as Record<string, string>,
      payload: report.body,
    })
    expect(answer.statusCode).toBe(401)
    expect(await t.db.selectFrom('payments').selectAll().execute()).toEqual([])
    expect(await t.db.selectFrom('sandboxTransactions').selectAll().execute()).toEqual([])
    await remove()
  })

  test('neither the server nor a trial reaches a table of the other, not even with SQL', async () => {
    const { id } = await startTrial(admin, aTrialOf(academic))
    const schema = schemaOf(id)
    const trialDb = (await t.services.connectTrial(schema))!
    for (const statement of [
      'SELECT * FROM public.accounts',
      'SELECT * FROM public.registrations',
      'INSERT INTO public.payments SELECT * FROM payments',
      'UPDATE public.waves SET active = false',
      'UPDATE public.track_details SET quota = 1',
      'DELETE FROM public.bills',
      "INSERT INTO schools (name, npsn) VALUES ('x', '1')",
      `SELECT remove_trial('${id}', now())`,
      `SELECT build_trial('${id}')`,
      'SELECT * FROM pgboss.job',
    ])
      expect([statement, await refusal(statement, trialDb)]).toEqual([
        statement,
        expect.stringContaining('permission denied'),
      ])
    for (const statement of [
      `SELECT * FROM ${schema}.registrations`,
      `INSERT INTO ${schema}.registrations SELECT * FROM registrations`,
      `INSERT INTO payments SELECT * FROM ${schema}.payments`,
      `ALTER TABLE registrations SET SCHEMA ${schema}`,
      `CREATE TABLE ${schema}.more (id int)`,
      `DROP SCHEMA ${schema} CASCADE`,
    ])
      expect([statement, await refusal(statement)]).toEqual([
        statement,
        expect.stringMatching(/permission denied|must be owner/),
      ])
    await trialDb.destroy()
    await remove()
  })

  test('can remove nothing but a trial: payments and bills stay refused, and so does an id that is no trial', async () => {
    expect(await refusal('DELETE FROM payments')).toContain('permission denied')
    expect(await refusal('DELETE FROM allocations')).toContain('permission denied')
    expect(await refusal(`SELECT remove_trial('${academic.wave}', now())`)).toContain('there is no trial')
    expect(await refusal(`SELECT build_trial('${academic.wave}')`)).toContain('there is no open trial')
  })

  test("cannot use a trial's token under another trial, nor an invented token", async () => {
    const other = await asStaff(t)
    const [mine, theirs] = [await startTrial(admin, aTrialOf(academic)), await startTrial(other, aTrialOf(academic))]
    const [applicant] = [await seen(), await seen(other)]
    const token = applicant.token.replace(mine.id, theirs.id)
    for (const forged of [token, `trial.${mine.id}.`, `trial.${mine.id}.${'A'.repeat(43)}`, `trial.${academic.wave}.x`])
      expect((await actorWith(t, { ...applicant, token: forged }).get('/auth/my-profile')).statusCode).toBe(401)
    await remove(other)
    await remove()
  })

  test('without the right to open registration any more cannot see a trial', async () => {
    const limited = await asWithPermissions(t, ['settings-opening-view', 'settings-opening-update'])
    await startTrial(limited, aTrialOf(academic))
    const applicant = await seen(limited)
    expect((await applicant.get('/auth/my-profile')).statusCode).toBe(200)
    await t.db
      .deleteFrom('rolePermissions')
      .where('permission', '=', 'settings-opening-update')
      .where('roleId', 'in', (eb) => eb.selectFrom('accounts').select('roleId').where('id', '=', limited.accountId))
      .execute()
    expect((await applicant.get('/auth/my-profile')).statusCode).toBe(401)
  })
})

describe('removing', () => {
  const folderOf = (id: string) => path.join(t.services.config.dataDir, 'files', 'trials', id)
  const filesIn = (folder: string) =>
    fs.existsSync(folder)
      ? fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      : []
  const exists = async (id: string) =>
    (await sql`SELECT FROM pg_namespace WHERE nspname = ${schemaOf(id)}`.execute(t.owner)).rows.length === 1

  test('drops the tables and files of a half-done trial, and can be repeated', async () => {
    const started = await startTrial(admin, aTrialOf(academic))
    await walk(admin, started, 'approve')
    expect(filesIn(folderOf(started.id)).length).toBeGreaterThan(2)
    const answers = await Promise.all(Array.from({ length: 5 }, () => admin.delete(trialPath)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(5).fill(200))
    await remove()
    expect([await exists(started.id), filesIn(folderOf(started.id))]).toEqual([false, []])
    expect((await admin.get(trialPath)).json()).toEqual({ data: null })
  })

  test('the nightly job deletes files that could not be deleted', async () => {
    const started = await startTrial(admin, aTrialOf(academic))
    await walk(admin, started, 'submit')
    await sql`SELECT remove_trial(${started.id}, ${t.clock.now()})`.execute(t.db)
    expect(filesIn(folderOf(started.id))).not.toEqual([])
    t.clock.set(new Date(Date.now() + 2 * 3_600_000))
    await forgetTrialsJob.run(t.services, {})
    t.clock.reset()
    expect(filesIn(folderOf(started.id))).toEqual([])
  })

  test('the nightly job removes a trial unused for seven days; a younger one stays', async () => {
    const other = await asStaff(t)
    const [old, young] = [await startTrial(admin, aTrialOf(academic)), await startTrial(other, aTrialOf(academic))]
    await t.db
      .updateTable('trials')
      .set({ startedAt: new Date(Date.now() - 7 * 86_400_000 - 1000) })
      .where('id', '=', old.id)
      .execute()
    await forgetTrialsJob.run(t.services, {})
    expect([await exists(old.id), await exists(young.id)]).toEqual([false, true])
    expect((await admin.get(trialPath)).json()).toEqual({ data: null })
    await remove(other)
  })
})

describe('the tables of a trial', () => {
  test('are those of the university with the same columns, indexes, keys and triggers, except the settings', async () => {
    const { id } = await startTrial(admin, aTrialOf(academic))
    const shapeOf = (schema: string) =>
      sql<{ name: string; shape: string }>`
        SELECT c.relname AS name, concat_ws('/', 
          (SELECT string_agg(attname || ' ' || format_type(atttypid, atttypmod), ',' ORDER BY attnum) FROM pg_attribute
            WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped),
          (SELECT string_agg(relname, ',' ORDER BY relname) FROM pg_index JOIN pg_class i ON i.oid = indexrelid WHERE indrelid = c.oid),
          (SELECT string_agg(tgname, ',' ORDER BY tgname) FROM pg_trigger WHERE tgrelid = c.oid AND NOT tgisinternal),
          (SELECT string_agg(conname, ',' ORDER BY conname) FROM pg_constraint WHERE conrelid = c.oid
            AND (contype <> 'f' OR (SELECT relname FROM pg_class WHERE oid = confrelid) <> ALL (trial_settings())))
        ) AS shape
        FROM pg_class c WHERE relnamespace = ${schema}::regnamespace AND relkind IN ('r', 'v')
          AND relname <> ALL (trial_settings()) AND relname NOT LIKE 'pg_stat%' ORDER BY 1`.execute(t.owner)
    const [own, public_] = [await shapeOf(schemaOf(id)), await shapeOf('public')]
    expect(own.rows.length).toBeGreaterThan(50)
    expect(own.rows).toEqual(public_.rows)
    await remove()
  })

  test("need less than half of the embedded server's locks, which other work needs too", async () => {
    const { id } = await startTrial(admin, aTrialOf(academic))
    const tx = await t.owner.startTransaction().execute()
    await sql`DROP SCHEMA ${sql.id(schemaOf(id))} CASCADE`.execute(tx)
    const { rows } = await sql<{ used: number; all: number }>`
      SELECT (SELECT count(*)::int FROM pg_locks WHERE pid = pg_backend_pid()) AS used,
        current_setting('max_locks_per_transaction')::int * current_setting('max_connections')::int AS all`.execute(tx)
    await tx.rollback().execute()
    expect(rows[0]!.used * 2).toBeLessThan(rows[0]!.all)
    await remove()
  })

  test('every table of settings exists, and three of them refer to an account', async () => {
    const { rows } = await sql<{ name: string; found: boolean; people: string | null }>`
      SELECT name, to_regclass(name) IS NOT NULL AS found, (SELECT string_agg(confrelid::regclass::text, ',')
        FROM pg_constraint WHERE contype = 'f' AND conrelid = to_regclass(name)
          AND confrelid::regclass::text IN ('accounts', 'applicants', 'registrations', 'bills', 'payments')) AS people
      FROM unnest(trial_settings()) AS name`.execute(t.owner)
    expect(rows.filter(({ found }) => !found)).toEqual([])
    // The proposer of a school, the account of an affiliate, and the author of a letter's text.
    expect(rows.filter(({ people }) => people).map(({ name, people }) => [name, people])).toEqual([
      ['schools', 'accounts'],
      ['affiliates', 'accounts'],
      ['letter_templates', 'accounts'],
    ])
  })
})
