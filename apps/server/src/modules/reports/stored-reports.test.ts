import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkInvariants } from '#server/modules/ops/check-invariants.ts'
import { type Actor, systemActor } from '#server/platform/access/authorization.ts'
import { hideUnpublished } from '#server/platform/access/decision-scope.ts'
import { asStaff } from '#server-test/actors.ts'
import { demoApp } from '#server-test/demo-app.ts'
import type { TestApp } from '#server-test/test-app.ts'
import { readQuestion } from './engine/read-question.ts'
import { figuresOf, rowsBehind, runReport } from './engine/run-report.ts'
import { divideMoney } from './facts/divide-money.job.ts'
import { reports } from './index.ts'
import type { Facts, Measure, Report } from './report.ts'

let t: TestApp
let dean: Actor
beforeAll(async () => {
  t = await demoApp()
  await shakeUp()
  await divideMoney(t.services)
  const { accountId } = await asStaff(t)
  const { rows } = await sql<{ id: string }>`SELECT id FROM study_programmes ORDER BY code LIMIT 3`.execute(t.db)
  dean = {
    ...hideUnpublished(systemActor),
    accountId,
    scope: { kind: 'programmes', programmeIds: rows.map(({ id }) => id) },
  }
}, 240_000)
afterAll(() => t.close())

/**
 * Changes random registrations, profiles and bills, so that times, programmes, components and refusals of every kind
 * occur; a fixed seed repeats them.
 */
async function shakeUp() {
  await t.owner.transaction().execute(async (tx) => {
    await sql`SELECT setseed(0.27)`.execute(tx)
    await sql`UPDATE registrations SET programme_id = (SELECT id FROM study_programmes ORDER BY md5(id::text || code) LIMIT 1)
      WHERE random() < 0.05`.execute(tx)
    await sql`UPDATE registrations SET submitted_at = submitted_at - random() * interval '40 days',
        paid_at = paid_at + random() * interval '9 days' WHERE random() < 0.3`.execute(tx)
    await sql`UPDATE registrations SET published_after = (SELECT max(number) FROM result_publications p
          WHERE p.wave_id = registrations.wave_id AND p.track_id = registrations.track_id), hidden_since = now()
      WHERE decision IS NOT NULL AND random() < 0.2 AND EXISTS (SELECT FROM result_publications p
        WHERE p.wave_id = registrations.wave_id AND p.track_id = registrations.track_id)`.execute(tx)
    await sql`UPDATE applicants SET school_id = NULL, gender = CASE WHEN random() < 0.5 THEN 'male' END,
        clothes_size = (ARRAY['S', 'M', 'XL', NULL])[1 + floor(random() * 4)::int] WHERE random() < 0.2`.execute(tx)
    await sql`UPDATE installments SET paid_at = coalesce(paid_at, now()) - random() * interval '50 days'
      WHERE position = 1 AND random() < 0.3`.execute(tx)
    // Some numbers are older than the payment of their place.
    await sql`UPDATE students SET issued_at = issued_at - random() * interval '200 days' WHERE random() < 0.5`.execute(
      tx,
    )
    await sql`UPDATE bills SET issued_at = issued_at - random() * interval '20 days' WHERE random() < 0.3`.execute(tx)
    await sql`UPDATE fee_components SET allocation_priority = 1 + floor(random() * 99)::int`.execute(tx)
    // A discount of the whole bill, and two that take more off a component than it has.
    await sql`INSERT INTO bill_lines (bill_id, description, amount, sort_order, fee_component_id)
      SELECT id, 'Potongan', -(1 + floor(random() * 3000000))::bigint, 9, NULL FROM bills WHERE random() < 0.2
      UNION ALL SELECT l.bill_id, 'Potongan', -(l.amount + 1000), 9, l.fee_component_id FROM bill_lines l
        WHERE l.fee_component_id IS NOT NULL AND l.amount > 0 AND random() < 0.05`.execute(tx)
    await sql`INSERT INTO bill_lines (bill_id, description, amount, sort_order, added_later, added_at)
      SELECT id, 'Keringanan', -(1 + floor(random() * 500000))::bigint, 10, true, now() - random() * interval '30 days'
      FROM bills WHERE random() < 0.2`.execute(tx)
  })
}

const withoutStored = (report: Report): Report => {
  const plain = new Map<Facts, Facts>()
  const plainOf = (facts: Facts) => {
    const { stored: _stored, ...rest } = facts
    const known = plain.get(facts) ?? rest
    plain.set(facts, known)
    return known
  }
  const measures = Object.fromEntries(
    figuresOf(report).map(([name, measure]) => [name, { ...measure, facts: plainOf(measure.facts) }]),
  ) as Record<string, Measure>
  return { ...report, measures }
}

const inOrder = (lines: Awaited<ReturnType<typeof runReport>>) =>
  lines.toSorted((a, b) => (JSON.stringify(a.keys) < JSON.stringify(b.keys) ? -1 : 1))

const day = (daysAgo: number) => new Date(t.clock.now().getTime() - daysAgo * 86_400_000).toISOString().slice(0, 10)

test('what reports count equals the registrations and bills after random changes', async () => {
  expect(await checkInvariants(t.services, ['fact-registration', 'fact-place', 'fact-payment', 'fact-money'])).toEqual(
    [],
  )
})

describe.each(reports.filter((report) => figuresOf(report).some(([, { facts }]) => facts.stored)))(
  '$slug',
  (report) => {
    test('has the figures that the tables have, by each group, for each reader and on past days', async () => {
      const plain = withoutStored(report)
      const readers = {
        everyone: systemActor,
        unpublished: hideUnpublished({ ...systemActor, accountId: dean.accountId }),
        dean,
      }
      for (const group of report.groups)
        for (const [reader, actor] of Object.entries(readers))
          for (const daysAgo of reader === 'everyone' ? [0, 20] : [0]) {
            const by = report.shape === 'pivot' ? `${group},${report.groups.find((name) => name !== group)}` : group
            const canEnd = report.filters.includes('to') && daysAgo > 0
            const request = { by, year: 'all', ...(canEnd && { to: day(daysAgo) }) }
            const figures = report.shape === 'pivot' ? figuresOf(report).map(([name]) => name) : [undefined]
            for (const figure of figures) {
              const question = await readQuestion(
                t.db,
                report,
                { ...request, ...(figure && { figure }) } as never,
                t.clock.now(),
              )
              const [stored, counted] = [
                await runReport(t.db, report, actor, question),
                await runReport(t.db, plain, actor, question),
              ]
              expect(inOrder(stored), `${by} ${figure ?? ''} ${reader} ${daysAgo}`).toEqual(inOrder(counted))
            }
          }
    })

    test('has as many rows behind each total, with the same sum', async () => {
      const question = await readQuestion(t.db, report, { year: 'all', compare: 'no' } as never, t.clock.now())
      for (const [figure] of figuresOf(report)) {
        const cell = { figure, keys: {} }
        const [stored, counted] = [
          rowsBehind(report, systemActor, question, cell),
          rowsBehind(withoutStored(report), systemActor, question, cell),
        ]
        expect((await stored.count.execute(t.db)).rows, figure).toEqual((await counted.count.execute(t.db)).rows)
      }
    })
  },
)

test('another order of fee components counts at once, before the stored facts are divided again', async () => {
  const report = reports.find(({ slug }) => slug === 'pendapatan-detail-prodi')!
  const ask = async (version: Report) =>
    inOrder(
      await runReport(
        t.db,
        version,
        systemActor,
        await readQuestion(t.db, version, { by: 'programme,component', year: 'all' } as never, t.clock.now()),
      ),
    )
  const before = await ask(report)
  await sql`UPDATE fee_components SET allocation_priority = 1000 - allocation_priority`.execute(t.owner)
  const waiting = await ask(report)
  expect(waiting).not.toEqual(before)
  expect(waiting).toEqual(await ask(withoutStored(report)))
  await divideMoney(t.services)
  expect(await ask(report)).toEqual(waiting)
})
