import { afterAll, beforeAll, expect, test } from 'vitest'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { aBankAccount, aCsvStatement, sendStatement } from '#server-test/factories/statements.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let clerk: TestActor
let accountId: string
beforeAll(async () => {
  t = await testApp({ config: { reading: { memoryMb: 256, timeMs: 1 } } })
  clerk = await asStaff(t)
  accountId = (await aBankAccount(t, clerk)).id
})
afterAll(() => t.close())

/** Rows that no machine reads within a millisecond. */
const statement = aCsvStatement(
  Array.from({ length: 5_000 }, (_, index) => ['2026-11-20', 'SETORAN', `A${index}`, 100_000]),
)

test('a statement that takes too long to read is refused beside the file, in the reader’s language', async () => {
  const imported = await sendStatement(clerk, accountId, statement)
  expect(imported.statusCode).toBe(422)
  expect(imported.json().errors.file[0]).toMatch(/^Reading this file took too long/)
  const indonesian = await asStaff(t, 'Administrator', { language: 'id' })
  const tried = await indonesian.upload(`/bank-accounts/${accountId}/statements/preview`, {
    name: 'koran.csv',
    type: 'text/csv',
    bytes: statement,
  })
  expect(tried.statusCode).toBe(422)
  expect(tried.json().errors.file[0]).toMatch(/terlalu lama dibaca/)
  expect(await t.db.selectFrom('statementImports').selectAll().execute()).toEqual([])
})
