import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { maskEmail, maskListedEmail, maskListedPhone, maskText } from './masks.ts'
import { maskEmailSql, maskListedEmailSql, maskListedPhoneSql, maskTextSql } from './masks-sql.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

const texts = ['3578015705084321', '+6281234567890', '123', '7', '', 'née Ø 😀😀 ab', 'two\nlines']
const emails = ['siti@example.com', 's@x.id', 'a@b@example.com', '😀b@x.id', 'İnci@x.id', '@x.id', 'no address', '']

async function inDatabase(values: string[], mask: (value: RawBuilder<unknown>) => RawBuilder<string>) {
  const { rows } = await sql<{ masked: string }>`SELECT ${mask(sql`one.value`)} AS masked
    FROM unnest(${values}::text[]) WITH ORDINALITY AS one (value, place) ORDER BY place`.execute(t.db)
  return rows.map(({ masked }) => masked)
}

test.each([
  ['maskText', maskText, maskTextSql, texts],
  ['maskListedPhone', maskListedPhone, maskListedPhoneSql, texts],
  ['maskEmail', maskEmail, maskEmailSql, emails],
  ['maskListedEmail', maskListedEmail, maskListedEmailSql, emails],
] as const)('%s gives the same mask in SQL and in code', async (_, mask, maskSql, values) => {
  expect(await inDatabase(values, maskSql)).toEqual(values.map((value) => mask(value)))
})
