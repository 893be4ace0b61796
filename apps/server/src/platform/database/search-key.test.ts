import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { searchKeyOf } from '#domain/search/search-key.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t?.close())

const latin = fc.string({ unit: fc.integer({ min: 0x20, max: 0x24f }).map((code) => String.fromCodePoint(code)) })

test('a stored text and a typed one are compared in the same form', async () => {
  const texts = [
    'Ma’ruf',
    'Ma´ruf',
    'José',
    'Jose\u0301',
    'İbrahim',
    'ＡＢＣ',
    'Ngũgĩ',
    'محمد',
    ...fc.sample(latin, 500),
  ]
  const { rows } = await sql<{ text: string; key: string }>`
    SELECT text, search_key(text) AS key FROM unnest(${texts}::text[]) AS texts (text)`.execute(t.db)
  expect(rows.filter(({ text, key }) => key !== searchKeyOf(text))).toEqual([])
  expect(searchKeyOf('Ma‘ruf JOSÉ')).toBe('maruf jose')
})
