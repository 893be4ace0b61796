import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { entities } from '#entities/index.ts'
import { forgetSeedFailures, runSeeds, seedAtStart } from '#seeds/run-seeds.ts'
import { markSeeded, runSeed } from '#seeds/seed.ts'
import type { Db } from '#server/platform/database/database.ts'
import { settleAnswers } from '#server/platform/kept-answers.ts'
import { asStaff } from '#server-test/actors.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
const asOwner = () => ({ ...t.services, db: t.owner })
const runAll = async () => {
  for (const set of ['reference', 'demo', 'history'] as const) await runSeeds(asOwner(), set)
}

beforeAll(async () => {
  t = await testApp({ ownDatabase: true })
  await runAll()
}, 480_000)
afterAll(async () => {
  await settleAnswers(t.db)
  await t.close()
})

/** Tables besides the master lists whose rows administrators rename or remove. */
const otherTables = [
  ...['menus', 'roles', 'letter_kinds', 'campaign_templates', 'canned_replies', 'events', 'surveys', 'leads'],
  ...['campaigns', 'bank_accounts', 'accounts', 'settings', 'student_card_prints', 'jacket_deliveries'],
]

/**
 * Deletes a table's rows, and renames and deactivates rows in use: everything the database lets an administrator do,
 * which is more than the pages do.
 */
const removeRows = (table: string) =>
  sql
    .raw(`DO $$
  DECLARE
    place tid;
    word text;
  BEGIN
    SET CONSTRAINTS ALL IMMEDIATE;
    FOR place IN SELECT ctid FROM ${table} LIMIT 40 LOOP
      BEGIN
        DELETE FROM ${table} WHERE ctid = place;
      EXCEPTION WHEN OTHERS THEN
        FOR word IN SELECT attname FROM pg_attribute WHERE attrelid = '${table}'::regclass AND attname IN ('active', 'code', 'name', 'slug', 'email')
        LOOP
          BEGIN
            EXECUTE format('UPDATE ${table} SET %1$I = ' || CASE word WHEN 'active' THEN 'false' ELSE '''x'' || %1$I' END
              || ' WHERE ctid = $1 RETURNING ctid', word) INTO STRICT place USING place;
          EXCEPTION WHEN OTHERS THEN NULL;
          END;
        END LOOP;
      END;
    END LOOP;
  END $$`)
    .execute(t.owner)

async function countRows(): Promise<Map<string, number>> {
  const { rows: tables } = await sql<{ name: string }>`
    SELECT c.oid::regclass::text AS name FROM pg_class c
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`.execute(t.owner)
  const counts = tables.map(({ name }) => `SELECT '${name}' AS name, count(*)::int AS count FROM ${name}`)
  const { rows } = await sql.raw<{ name: string; count: number }>(counts.join(' UNION ALL ')).execute(t.owner)
  return new Map(rows.map(({ name, count }) => [name, count]))
}

test('a failed seed is named on the health page and is tried again at the next start', async () => {
  const administrator = await asStaff(t, 'Administrator')
  const line = async () => {
    const { lines } = (await administrator.get('/settings/health')).json().data
    return lines.find(({ name }: { name: string }) => name === 'seeds')
  }
  expect(await line()).toMatchObject({ state: 'ok', code: 'seeds-done' })
  await sql`DELETE FROM seeds WHERE name = 'demo opening'`.execute(t.owner)
  await sql`ALTER TABLE registration_opening RENAME TO opening_away`.execute(t.owner)
  const log = vi.spyOn(t.services.log, 'error').mockImplementation(() => {})
  expect(await seedAtStart(asOwner(), 'demo')).toBe(false)
  expect(log).toHaveBeenCalledOnce()
  expect(await line()).toMatchObject({ state: 'red', code: 'seeds-failed', facts: { seed: 'demo opening' } })
  await sql`ALTER TABLE opening_away RENAME TO registration_opening`.execute(t.owner)
  await forgetSeedFailures(t.owner)
  expect(await seedAtStart(asOwner(), 'demo')).toBe(true)
  expect(await line()).toMatchObject({ state: 'ok', code: 'seeds-done' })
})

test('a seed that fails in the middle leaves neither rows nor a mark', async () => {
  const before = await countRows()
  const work = async (db: Db) => {
    await db.transaction().execute((tx) => tx.insertInto('religions').values({ code: 'X', name: 'Contoh' }).execute())
    throw new Error('in the middle')
  }
  await expect(runSeed(asOwner(), { name: 'half', work })).rejects.toThrow('in the middle')
  expect(await countRows()).toEqual(before)
})

test('two servers that start at the same time seed once', async () => {
  let runs = 0
  const seed = {
    name: 'once',
    work: async () => {
      runs++
    },
  }
  await Promise.all([runSeed(asOwner(), seed), runSeed(asOwner(), seed)])
  expect(runs).toBe(1)
  expect(await t.owner.transaction().execute((tx) => markSeeded(tx, ['once', 'new']))).toEqual(new Set(['new']))
})

test('after rows of every list were deleted, renamed and deactivated, a start succeeds and restores nothing', async () => {
  for (const table of [...entities.map((entity) => entity.table).reverse(), ...otherTables])
    await removeRows(table.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
  const before = await countRows()
  await runAll()
  expect(await countRows()).toEqual(before)
})
