import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shiftDay, universityCalendar } from '#domain/calendar.ts'
import { revertDecision } from '#server/modules/admissions/results/decide-registration.ts'
import { moveStep, recordSteps } from '#server/modules/admissions/steps/registration-steps.ts'
import { type Actor, systemActor } from '#server/platform/access/authorization.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { asStaff } from '#server-test/actors.ts'
import { demoApp } from '#server-test/demo-app.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { keepSeasons } from './keep-seasons.ts'
import { readKeptUntil, seasonRows } from './season-rows.ts'

let t: TestApp
let staff: Actor
const calendar = universityCalendar()
const dayMs = 86_400_000
const today = () => calendar.dayOf(t.clock.now())
/** Noon that many days later; the clock never goes back in this file. */
const laterBy = (days: number) =>
  t.clock.set(new Date(calendar.startOfDay(shiftDay(today(), days)).getTime() + dayMs / 2))
const keep = (on: TestApp = t) => keepSeasons(on.db, { now: t.clock.now() })

beforeAll(async () => {
  t = await demoApp()
  staff = { ...systemActor, accountId: (await asStaff(t)).accountId }
}, 240_000)
afterAll(() => t?.close())

type Standing = { day: string; stage: string; count: number }

/** Counts by stage at the end of each stored day, computed from the steps. */
const standingBySteps = async () =>
  (
    await sql<Standing>`
      SELECT to_char(d.day, 'YYYY-MM-DD') AS day, s.step AS stage, count(*)::int AS count
      FROM season_days d JOIN registration_steps s ON s.at < d.ends_at AND (s.undone_at IS NULL OR s.undone_at >= d.ends_at)
      WHERE s.step <> 'moved' GROUP BY 1, 2 ORDER BY 1, 2`.execute(t.db)
  ).rows

const standingKept = async (table: 'season_daily' | 'season_sums') =>
  (
    await sql<Standing>`
      SELECT to_char(d.day, 'YYYY-MM-DD') AS day, k.stage, sum(k.count)::int AS count
      FROM season_days d JOIN ${sql.raw(table)} k ON k.day <= d.day
      WHERE k.stage <> 'received' GROUP BY 1, 2 HAVING sum(k.count) <> 0 ORDER BY 1, 2`.execute(t.db)
  ).rows

const allRows = async () =>
  (
    await sql`SELECT md5(string_agg(k::text, ',' ORDER BY k::text)) AS hash, count(*)::int FROM season_daily k`.execute(
      t.db,
    )
  ).rows[0]

const someAccepted = async () =>
  (
    await t.db
      .selectFrom('registrations')
      .select(['id', 'programmeId', 'classProgrammeId', 'submittedAt'])
      .where('status', '=', 'decided')
      .where('decision', '=', 'accepted')
      .orderBy('code')
      .execute()
  ).at(0)!

describe('days of a season', () => {
  it('are stored once by two servers at the same time', async () => {
    const other = await testApp({ sameDatabaseAs: t })
    const [one, two] = await Promise.all([keep(), keep(other)])
    await other.close()
    expect([one, two].filter(({ rows }) => rows > 0)).toHaveLength(1)
    expect([one.until, two.until]).toEqual([shiftDay(today(), -1), shiftDay(today(), -1)])
    const first = await allRows()
    expect(await keep()).toEqual({ until: shiftDay(today(), -1), days: 0, rows: 0 })
    expect(await allRows()).toEqual(first)
  })

  it('equal the steps at the end of every day', async () => {
    const bySteps = await standingBySteps()
    expect(bySteps.length).toBeGreaterThan(100)
    expect(await standingKept('season_daily')).toEqual(bySteps)
    expect(await standingKept('season_sums')).toEqual(bySteps)
  })

  it('contain the money booked by then', async () => {
    const { rows } = await sql<{ kept: number; booked: number }>`
      SELECT (SELECT sum(rupiah) FROM season_daily) AS kept, (SELECT sum(amount) FROM allocations a JOIN bills b ON b.id = a.bill_id
        WHERE b.registration_id IS NOT NULL AND a.created_at < (SELECT max(ends_at) FROM season_days)) AS booked`.execute(
      t.db,
    )
    expect(rows[0]!.kept).toBe(rows[0]!.booked)
  })

  it('cannot be changed, neither by the server nor by the owner of the tables', async () => {
    for (const table of ['season_days', 'season_daily', 'season_sums'])
      for (const change of [`UPDATE ${table} SET day = day`, `DELETE FROM ${table}`, `TRUNCATE ${table} CASCADE`]) {
        await expect(sql.raw(change).execute(t.db), change).rejects.toThrow()
        await expect(sql.raw(change).execute(t.owner), change).rejects.toThrow()
      }
  })

  it('keep a step undone later, with a minus on the day it was undone', async () => {
    const before = await standingKept('season_daily')
    const { id, programmeId } = await someAccepted()
    laterBy(1)
    await inTransaction(t.services, staff, (context) => revertDecision(context, id, 'Salah baca nilai'))
    const undoneOn = today()
    laterBy(2)
    await keep()
    const after = await standingKept('season_daily')
    expect(after.slice(0, before.length)).toEqual(before)
    expect(after).toEqual(await standingBySteps())
    const { rows } = await sql<{ count: number }>`SELECT count FROM season_daily
      WHERE day = ${undoneOn} AND stage = 'accepted' AND count < 0 AND programme_id = ${programmeId}`.execute(t.db)
    expect(rows).toEqual([{ count: -1 }])
  })

  it('move current steps to another programme on the day of the change, not before', async () => {
    const { id, programmeId, classProgrammeId } = await someAccepted()
    const other = await t.db
      .selectFrom('studyProgrammes')
      .select('id')
      .where('id', '<>', programmeId!)
      .limit(1)
      .executeTakeFirstOrThrow()
    const submittedOf = async (programme: string) =>
      (
        await sql<{ day: string; count: number }>`
          SELECT to_char(d.day, 'YYYY-MM-DD') AS day, coalesce(sum(k.count), 0)::int AS count FROM season_days d
          LEFT JOIN season_sums k ON k.day <= d.day AND k.stage = 'submitted' AND k.programme_id = ${programme}
          GROUP BY 1 ORDER BY 1`.execute(t.db)
      ).rows
    const [from, to] = [await submittedOf(programmeId!), await submittedOf(other.id)]
    laterBy(1)
    const now = t.clock.now()
    await t.db.transaction().execute(async (tx) => {
      await tx.updateTable('registrations').set({ programmeId: other.id }).where('id', '=', id).execute()
      await recordSteps(tx, systemActor, id, [moveStep(programmeId, classProgrammeId, now)])
    })
    laterBy(1)
    await keep()
    const [fromAfter, toAfter] = [await submittedOf(programmeId!), await submittedOf(other.id)]
    expect(fromAfter.slice(0, from.length)).toEqual(from)
    expect(toAfter.slice(0, to.length)).toEqual(to)
    expect(fromAfter.at(-1)!.count).toBe(from.at(-1)!.count - 1)
    expect(toAfter.at(-1)!.count).toBe(to.at(-1)!.count + 1)
    expect(await standingKept('season_daily')).toEqual(await standingBySteps())
  })

  it('store a step that became known later under the next day, without touching earlier rows', async () => {
    const rowsBefore = await allRows()
    const { id } = await t.db
      .selectFrom('registrations')
      .select('id')
      .where('status', '=', 'draft')
      .limit(1)
      .executeTakeFirstOrThrow()
    const at = new Date(t.clock.now().getTime() - 5 * dayMs)
    await t.db.transaction().execute((tx) => recordSteps(tx, systemActor, id, [{ step: 'verified', at }]))
    const keptUntil = shiftDay(today(), -1)
    expect((await keep()).rows).toBe(0)
    expect(await allRows()).toEqual(rowsBefore)
    laterBy(1)
    expect((await keep()).days).toBe(1)
    const { rows } = await sql<{
      keptOn: string
      count: number
    }>`SELECT to_char(kept_on, 'YYYY-MM-DD') AS kept_on, count
      FROM season_daily WHERE day = ${calendar.dayOf(at)} AND stage = 'verified' AND kept_on > ${keptUntil}`.execute(
      t.db,
    )
    expect(rows).toEqual([{ keptOn: shiftDay(today(), -1), count: 1 }])
    expect(await standingKept('season_sums')).toEqual(await standingBySteps())
  })

  it('count a late step once for a reader who looked up the last stored day before the next one was stored', async () => {
    const { id } = await t.db
      .selectFrom('registrations')
      .select('id')
      .where('status', '=', 'draft')
      .limit(1)
      .executeTakeFirstOrThrow()
    laterBy(1)
    await keep()
    const lastKept = await readKeptUntil(t.db)
    const tested = async (at: Date) => {
      const { rows } = await sql<{ count: number }>`SELECT coalesce(sum(k.count), 0)::int AS count
        FROM ${seasonRows({ kept: lastKept, at, calendar })} k WHERE k.stage = 'tested'`.execute(t.db)
      return rows[0]!.count
    }
    const [now, daysAgo] = [t.clock.now(), new Date(t.clock.now().getTime() - 3 * dayMs)]
    const before = [await tested(now), await tested(daysAgo)]
    const at = new Date(now.getTime() - 5 * dayMs)
    await t.db.transaction().execute((tx) => recordSteps(tx, systemActor, id, [{ step: 'tested', at }]))
    laterBy(1)
    await keep()
    expect([await tested(now), await tested(daysAgo)]).toEqual(before.map((count) => count + 1))
  })

  it('that ended minutes ago wait until transactions open at midnight have committed', async () => {
    const midnight = calendar.startOfDay(shiftDay(today(), 1))
    t.clock.set(new Date(midnight.getTime() + 5 * 60_000))
    expect((await keep()).days).toBe(0)
    t.clock.set(new Date(midnight.getTime() + 20 * 60_000))
    expect((await keep()).days).toBe(1)
  })

  it('are unchanged by a run that fails', async () => {
    laterBy(2)
    const before = await allRows()
    await sql`CREATE FUNCTION fail_now() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'killed'; END $$`.execute(
      t.owner,
    )
    await sql`CREATE TRIGGER fail_now BEFORE INSERT ON season_sums EXECUTE FUNCTION fail_now()`.execute(t.owner)
    await expect(keep()).rejects.toThrow('killed')
    await sql`DROP TRIGGER fail_now ON season_sums`.execute(t.owner)
    expect(await allRows()).toEqual(before)
    expect((await keep()).days).toBe(2)
    expect(await standingKept('season_daily')).toEqual(await standingBySteps())
  })
})
