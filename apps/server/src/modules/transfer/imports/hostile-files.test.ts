import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import yazl from 'yazl'
import type { Config } from '#server/config.ts'
import { asStaff } from '#server-test/actors.ts'
import { csvOf } from '#server-test/factories/sheets/sheets.ts'
import { testApp } from '#server-test/test-app.ts'

async function nestedWorkbook() {
  const zip = new yazl.ZipFile()
  zip.addBuffer(Buffer.from(`<worksheet><sheetData>${'<row>'.repeat(500_000)}`), 'xl/worksheets/sheet1.xml')
  zip.end()
  return buffer(zip.outputStream as NodeJS.ReadableStream)
}
const religions = () =>
  Promise.resolve(
    csvOf([
      ['kode', 'nama'],
      ['HH', 'Uji'],
    ]),
  )

test.each<[string, () => Promise<Buffer>, string, Config['reading'], string]>([
  ['nested far too deep', nestedWorkbook, 'sheet.xlsx', { memoryMb: 256, timeMs: 60_000 }, 'unreadable'],
  ['that takes too long', religions, 'sheet.csv', { memoryMb: 256, timeMs: 1 }, 'took_too_long'],
])('a sheet %s fails its own import with a reason and nothing else', async (_, make, name, reading, failure) => {
  const t = await testApp({ config: { reading } })
  const staff = await asStaff(t)
  const sent = await staff.upload('/master/agama/imports', { name, type: 'text/csv', bytes: await make() })
  expect(sent.statusCode).toBe(201)
  await t.runJobs()
  const found = (await staff.get(`/imports/${sent.json().data.id}`)).json().data
  expect(found).toMatchObject({ status: 'failed', failure, rows: { new: 0 } })
  expect((await staff.get('/master/agama')).statusCode).toBe(200)
  await t.close()
})
