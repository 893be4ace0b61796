import { afterAll, beforeAll, expect, test } from 'vitest'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { aPlanned } from '#server-test/factories/campaigns.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

const rowCount = 20_000

let t: TestApp
let staff: TestActor
beforeAll(async () => {
  t = await testApp()
  staff = await asStaff(t)
})
afterAll(() => t.close())

test('a long spreadsheet is read as a stream, judged again and planned', async () => {
  const lines = Array.from({ length: rowCount }, (_, index) => {
    const phone = index % 1_000 === 999 ? 'x' : `0812${String(10_000_000 + index)}`
    return `Siswa ${index},${phone},XII-${index % 9}`
  })
  const bytes = Buffer.from(`Nama,HP,Kelas\n${lines.join('\n')}\n`)
  const answer = await staff.upload('/kirim-informasi/sheets', { name: 'panjang.csv', type: 'text/csv', bytes })
  expect(answer.statusCode, answer.body).toBe(201)
  const sheet = answer.json().data
  expect([sheet.rows, sheet.problems]).toEqual([rowCount, Math.floor(rowCount / 1_000)])
  const columns = { phoneColumn: 'HP', emailColumn: null, nameColumn: 'Kelas', languageColumn: null }
  const changed = await staff.put(`/kirim-informasi/sheets/${sheet.id}`, columns)
  expect(changed.json().data.problems).toBe(Math.floor(rowCount / 1_000))
  const planned = await aPlanned(staff, { audience: 'sheet', sheetId: sheet.id, channels: ['whatsapp'] })
  expect(planned.reachable).toBe(rowCount - Math.floor(rowCount / 1_000))
}, 180_000)
