import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listAccounts } from '#domain/accounts/lists.ts'
import { matchingRows, readerFor } from '#server/list/serve-list.ts'
import { type Actor, systemActor } from '#server/platform/access/authorization.ts'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { type AccountFilter, accountColumns, accountSource, chooseSorts, joinForSort } from './find-accounts.ts'

let t: TestApp
let admin: TestActor
const applicants = 200_000

beforeAll(async () => {
  t = await testApp()
  admin = await asStaff(t)
  await sql`INSERT INTO accounts (name, email, phone, role_id, email_verified_at, active, created_at)
    SELECT (ARRAY['Siti','Budi','Dewi','Agus','Rina','Putri','Eko','Wahyu','Ayu','Bayu'])[1 + n % 10] || ' ' || md5(n::text),
      'pendaftar' || n || '@contoh.example', '+62812' || lpad(n::text, 8, '0'),
      (SELECT id FROM roles WHERE name = 'Mahasiswa'), CASE WHEN n % 20 = 0 THEN NULL ELSE now() END, n % 500 <> 0,
      now() - n * interval '1 minute'
    FROM generate_series(1, ${applicants}::int) n`.execute(t.owner)
  await sql`UPDATE account_visits v SET last_signed_in_at = a.created_at FROM accounts a
    WHERE a.id = v.account_id AND hashtext(a.name) % 3 <> 0`.execute(t.owner)
  await sql`INSERT INTO accounts (name, email, role_id)
    SELECT 'Petugas ' || n, 'petugas' || n || '@kampus.example', (SELECT id FROM roles WHERE name = 'Panitia PMB')
    FROM generate_series(1, 60) n`.execute(t.owner)
  await sql`VACUUM (ANALYZE) accounts, account_visits`.execute(t.owner)
}, 120_000)
afterAll(() => t.close())

const matchingAccounts = async (actor: Actor, filter: AccountFilter) =>
  (await matchingRows(listAccounts, accountSource(t), readerFor(t.services, actor), filter)).from

describe('among 200,000 applicants', () => {
  it.each([
    ['everybody', {}, 'name'],
    ['everybody by address', {}, 'email'],
    ['the newest accounts', {}, '-createdAt'],
    ['the latest sign-ins', {}, '-lastSignedInAt'],
    ['accounts that never signed in', {}, 'lastSignedInAt'],
    ['a name', { q: 'c4ca4238' }, 'name'],
    ['a part of a name without matches', { q: 'zzzqqq' }, 'name'],
    ['a part of every address', { q: 'contoh' }, 'name'],
    ['the beginning of a name without matches', { q: 'zq' }, 'name'],
    ['an address', { q: 'pendaftar199999@' }, 'name'],
    ['a phone number', { q: '0812 0012 3456' }, 'name'],
    ['the end of a phone number', { q: '0123456' }, 'name'],
    ['staff', { kind: 'staff' as const }, 'name'],
    ['staff by address', { kind: 'staff' as const }, 'email'],
    ['deactivated accounts', { active: 'false' as const }, 'name'],
    ['unconfirmed addresses', { emailVerified: 'false' as const }, 'name'],
    ['locked accounts', { locked: 'true' as const }, 'name'],
    ['accounts with a second factor', { twoFactor: 'true' as const }, 'name'],
    ['open invitations', { invited: 'true' as const }, 'name'],
  ])('a page of %s scans no table and reads at most a thousand blocks', async (_what, filter, sort) => {
    const actor = { ...systemActor, permissions: new Set(['settings-accounts-update']) }
    const matching = await matchingAccounts(actor, filter as AccountFilter)
    const sorts = await chooseSorts(t.db, filter as AccountFilter, matching)
    const { by } = sorts[sort.replace('-', '') as keyof typeof sorts]
    const direction = sort.startsWith('-') ? 'desc' : 'asc'
    const id = sort.endsWith('lastSignedInAt') ? sql`v.account_id` : sql`a.id`
    const page = joinForSort(matching, sort)
      .select(accountColumns)
      .orderBy(by, direction)
      .orderBy(id, direction)
      .limit(26)
    const compiled = page.compile()
    const { rows } = await t.db.executeQuery<Record<string, string>>({
      ...compiled,
      sql: `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF) ${compiled.sql}`,
    })
    const plan = rows.map((row) => Object.values(row)[0]).join('\n')
    expect(plan).not.toContain('Seq Scan')
    const [, hit = '0', read = '0'] = /Buffers: shared(?: hit=(\d+))?(?: read=(\d+))?/.exec(plan) ?? []
    expect(Number(hit) + Number(read), plan).toBeLessThan(1000)
  })

  it('a prefix shared by many names, all at the end of the list, is found through the trigram index', async () => {
    const filter = { q: 'si' } as AccountFilter
    const matching = await matchingAccounts(systemActor, filter)
    const { by } = (await chooseSorts(t.db, filter, matching)).name
    const compiled = matching.select('a.id').orderBy(by).limit(26).compile()
    const { rows } = await t.db.executeQuery<Record<string, string>>({
      ...compiled,
      sql: `EXPLAIN (ANALYZE, BUFFERS) ${compiled.sql}`,
    })
    const plan = rows.map((row) => Object.values(row)[0]).join('\n')
    expect(plan).toContain('accounts_name')
    expect(plan).not.toMatch(/accounts_by_name|Seq Scan/)
  })

  it('readers who see masked addresses cannot sort by them', async () => {
    const reader = await asWithPermissions(t, ['settings-accounts-view'])
    for (const sort of ['email', '-email']) {
      const answer = await reader.get(`/settings/accounts?kind=applicants&per_page=1&sort=${sort}`)
      expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([422, ['sort']])
    }
    expect((await admin.get('/settings/accounts?kind=applicants&per_page=1&sort=email')).statusCode).toBe(200)
  })

  it('the list answers with an estimate, and paging to its end repeats no row', async () => {
    const one = (await admin.get('/settings/accounts?per_page=100')).json()
    expect(one.meta.total_is_estimate).toBe(true)
    expect(one.meta.total).toBeGreaterThan(applicants * 0.9)
    const two = (await admin.get(`/settings/accounts?per_page=100&after=${one.meta.next}`)).json()
    const ids = [...one.data, ...two.data].map(({ id }: { id: string }) => id)
    expect(new Set(ids).size).toBe(200)
  })
})
