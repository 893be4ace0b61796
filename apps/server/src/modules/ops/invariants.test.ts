import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { invariantNames, invariants } from '#domain/ops/invariants.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { asStaff, asWithPermissions } from '#server-test/actors.ts'
import { demoApp } from '#server-test/demo-app.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { type Books, someBooks } from '#server-test/factories/books.ts'
import { furtherMistakes } from '#server-test/factories/mistakes/further-mistakes.ts'
import type { Mistake } from '#server-test/factories/mistakes/mistake.ts'
import { mistakes } from '#server-test/factories/mistakes/mistakes.ts'
import { pastTriggers, type TestApp, testApp } from '#server-test/test-app.ts'
import { allPages } from '#web/app/all-pages.mjs'
import { checkInvariants, findImpossible } from './check-invariants.ts'
import { runChecks } from './run-checks.ts'

let t: TestApp
let academic: AcademicFixture
let world: Books

beforeAll(async () => {
  t = await testApp()
  academic = await academicFixture(t.db)
  world = await someBooks(t, academic)
})
afterAll(() => t.close())

class Undo extends Error {}

/** Findings after a mistake, and the id they should name; the mistake is rolled back. */
async function foundWith([subject, ...statements]: Mistake, area?: string) {
  let found: Awaited<ReturnType<typeof findImpossible>> = []
  let id = ''
  await t.owner
    .transaction()
    .execute(async (tx) => {
      // Turns triggers and foreign keys off.
      await sql`SET LOCAL session_replication_role = replica`.execute(tx)
      for (const statement of statements) await statement.execute(tx)
      if (typeof subject === 'string') id = subject
      else id = (await sql<{ id: string }>`SELECT ${subject}::text AS id`.execute(tx)).rows[0]!.id
      // Triggers would have kept what reports count.
      if (area !== 'facts') await sql`SELECT rebuild_report_facts()`.execute(tx)
      found = await findImpossible(tx, t.clock.now())
      throw new Undo()
    })
    .catch((error) => {
      if (!(error instanceof Undo)) throw error
    })
  return { found, id }
}

/** Whether the path is a screen of the product. */
const isScreen = (path: string) =>
  allPages.some((page) =>
    new RegExp(`^${page.path.replace(/\/:\w+/g, '/[^/]+')}$`).test(new URL(path, 'http://x').pathname),
  )

describe('the check of the books', () => {
  test('finds nothing in correct books', async () => {
    expect(await checkInvariants(t.services)).toEqual([])
  })

  test.each(invariantNames)('finds a mistake of kind %s and nothing else', async (name) => {
    const { found, id } = await foundWith(mistakes(world, academic)[name], invariants[name].area)
    expect(found.map((finding) => [finding.check, finding.id])).toEqual([[name, id]])
    const [finding] = found
    expect(finding!.label).not.toBe('')
    expect(finding!.stored).not.toBe(finding!.derived)
    expect(finding!.path).toSatisfy(isScreen)
  })

  const furtherNames = Object.keys(furtherMistakes({ counted: {} } as Books))

  test.each(furtherNames)('finds it where %s', async (name) => {
    const [check, ...mistake] = furtherMistakes(world)[name]!
    const { found, id } = await foundWith(mistake)
    expect(found.map((finding) => [finding.check, finding.id])).toContainEqual([check, id])
    for (const finding of found) {
      expect(finding.label).not.toBe('')
      expect(finding.stored).not.toBe(finding.derived)
      expect(finding.path).toSatisfy(isScreen)
    }
  })

  test('a limit lowered after it was reached is no mistake', async () => {
    const lowered = [
      sql`UPDATE discounts SET max_uses = 1, uses = 1, updated_at = now() + interval '1 second' WHERE id = ${world.discount}`,
      sql`UPDATE test_sessions SET capacity = 0, updated_at = now() + interval '1 second'`,
      sql`UPDATE programme_details SET capacity = 0, updated_at = now() + interval '1 second'`,
    ]
    expect((await foundWith(['', ...lowered])).found).toEqual([])
  })

  test('names the receipts before and after a missing number', async () => {
    const { found } = await foundWith([
      'all',
      sql`UPDATE payments SET receipt_number = NULL WHERE receipt_number =
        (SELECT receipt_number FROM payments WHERE receipt_number IS NOT NULL ORDER BY 1 OFFSET 1 LIMIT 1)`,
    ])
    expect(found[0]).toMatchObject({ check: 'receipt-gap', label: expect.stringMatching(/000001 → KW-\d+-000003$/) })
  })
})

describe('a run', () => {
  const open = () => t.db.selectFrom('invariantFindings').selectAll().where('goneAt', 'is', null).execute()
  const spoil = (amount: number) =>
    pastTriggers(t, sql`UPDATE bills SET paid = paid + ${amount}, total = total + ${amount} WHERE id = ${world.paid}`)
  const messagesTo = async (accountId: string) =>
    (
      await t.db
        .selectFrom('messages')
        .select('subject')
        .where('accountId', '=', accountId)
        .where('event', '=', 'invariants-found')
        .where('channel', '=', 'inbox')
        .execute()
    ).length

  test('announces new findings once to everyone with the whole view, and later marks them as gone', async () => {
    const clerk = await asStaff(t, 'Keuangan')
    const limited = await asWithPermissions(t, ['ops-invariants'], { programmeIds: [academic.programmes[0]!] })
    const stranger = await asStaff(t, 'Panitia PMB')
    await spoil(-1)
    expect(await runChecks(t.services, systemActor)).toMatchObject({ found: 2, fresh: 2 })
    expect(await runChecks(t.services, systemActor)).toMatchObject({ found: 2, fresh: 0 })
    expect((await open()).map(({ checkName, subjectId }) => [checkName, subjectId])).toEqual(
      expect.arrayContaining([
        ['bill-paid', world.paid],
        ['bill-lines', world.paid],
      ]),
    )
    expect(await messagesTo(clerk.accountId)).toBe(1)
    expect(await messagesTo(limited.accountId)).toBe(0)
    expect(await messagesTo(stranger.accountId)).toBe(0)
    await spoil(1)
    expect(await runChecks(t.services, systemActor)).toMatchObject({ found: 0, fresh: 0 })
    expect(await open()).toEqual([])
  })

  test('a mistake that returns is announced again', async () => {
    await spoil(-1)
    expect(await runChecks(t.services, systemActor)).toMatchObject({ fresh: 2 })
    await spoil(1)
    expect(await runChecks(t.services, systemActor)).toMatchObject({ found: 0 })
  })

  test('two concurrent runs announce each finding once', async () => {
    const clerk = await asStaff(t, 'Keuangan')
    await spoil(-1)
    const runs = await Promise.all([runChecks(t.services, systemActor), runChecks(t.services, systemActor)])
    expect(runs.map(({ fresh }) => fresh).sort()).toEqual([0, 2])
    expect(await messagesTo(clerk.accountId)).toBe(1)
    await spoil(1)
    await runChecks(t.services, systemActor)
  })

  test('over the API: reading writes nothing, checking does, and both need the permission and the whole view', async () => {
    const clerk = await asWithPermissions(t, ['ops-invariants'])
    const before = await t.db.selectFrom('invariantRuns').selectAll().execute()
    await spoil(-1)
    const looked = await clerk.get('/ops/invariants')
    expect(looked.statusCode, looked.body).toBe(200)
    expect(looked.json().data).toMatchObject({ checks: invariantNames.length, found: [] })
    expect(await t.db.selectFrom('invariantRuns').selectAll().execute()).toEqual(before)
    const checked = await clerk.post('/ops/invariants')
    expect(checked.statusCode, checked.body).toBe(200)
    expect(checked.json().data.run).toMatchObject({ found: 2, startedBy: 'Sari Wulandari' })
    expect(checked.json().data.found).toContainEqual(
      expect.objectContaining({
        check: 'bill-paid',
        subject: { type: 'bill', id: world.paid, label: expect.any(String) },
        stored: '249999',
        derived: '250000',
        path: expect.stringMatching(/^\/pendaftaran\/.*\/pembayaran$/),
      }),
    )
    expect((await clerk.get('/ops/invariants')).json()).toEqual(checked.json())
    const list = async (query: string) => (await clerk.get(`/ops/findings?${query}`)).json()
    expect(await list('check=bill-paid')).toMatchObject({
      data: [{ check: 'bill-paid', goneAt: null }],
      meta: { total: 1 },
    })
    await spoil(1)
    expect((await clerk.post('/ops/invariants')).json().data).toMatchObject({ run: { found: 0 }, found: [] })
    expect((await list('')).meta.total).toBe(0)
    expect((await list('state=gone&check=bill-lines')).meta.total).toBeGreaterThan(0)
    expect((await list(`state=gone&q=${checked.json().data.found[0].subject.label}`)).meta.total).toBeGreaterThan(0)
    const [audit] = await t.db
      .selectFrom('auditLog')
      .select(['action', 'actorId'])
      .where('action', '=', 'invariants.run')
      .orderBy('id', 'desc')
      .limit(1)
      .execute()
    expect(audit).toEqual({ action: 'invariants.run', actorId: clerk.accountId })

    const stranger = await asWithPermissions(t, ['pembayaran-mahasiswa-view'])
    const limited = await asWithPermissions(t, ['ops-invariants'], { programmeIds: [academic.programmes[0]!] })
    for (const actor of [stranger, limited])
      for (const answer of [
        await actor.get('/ops/invariants'),
        await actor.post('/ops/invariants'),
        await actor.get('/ops/findings'),
      ])
        expect(answer.statusCode).toBe(403)
  })
})

test('finds nothing in the demo university', async () => {
  const demo = await demoApp()
  try {
    expect((await checkInvariants(demo.services)).slice(0, 10)).toEqual([])
  } finally {
    await demo.close()
  }
}, 120_000)
