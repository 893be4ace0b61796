import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { csvLine } from '#server/platform/sheets/csv-writer.ts'
import { xlsxOf } from '#server/platform/sheets/xlsx-writer.ts'
import { asApplicant, asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { anAcademicYear } from '#server-test/factories/academic.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { workThrough } from './work-through.ts'

let t: TestApp
let staff: TestActor

beforeAll(async () => {
  t = await testApp()
  staff = await asStaff(t)
})
afterAll(() => t.close())

type Cells = readonly (string | number)[]
const csvOf = (rows: readonly Cells[], separator = ',') =>
  Buffer.from(rows.map((cells) => csvLine(cells.map(String), separator)).join(''))

async function xlsx(header: readonly string[], rows: readonly Cells[]) {
  const columns = header.map((label, i) => ({ key: String(i), label, kind: 'text' as const }))
  async function* each() {
    for (const cells of rows) yield Object.fromEntries(cells.map((cell, i) => [i, cell]))
  }
  const chunks: Buffer[] = []
  for await (const chunk of xlsxOf([{ name: 'Data', columns, rows: each() }], 'Asia/Jakarta')) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function upload(slug: string, bytes: Buffer, { actor = staff, name = 'daftar.csv', query = '' } = {}) {
  const answer = await actor.upload(`/master/${slug}/imports${query}`, { name, type: 'text/csv', bytes })
  return answer
}

/** Sends a file and waits for its check. */
async function checked(slug: string, bytes: Buffer, options: Parameters<typeof upload>[2] = {}) {
  const answer = await upload(slug, bytes, options)
  expect(answer.statusCode).toBe(201)
  await t.runJobs()
  return read(answer.json().data.id, options.actor)
}

const read = async (id: string, actor = staff) => (await actor.get(`/imports/${id}`)).json().data
const problems = async (id: string, query = '') => (await staff.get(`/imports/${id}/problems${query}`)).json()

async function run(id: string, actor = staff) {
  const answer = await actor.post(`/imports/${id}/run`)
  await t.runJobs()
  return { statusCode: answer.statusCode, data: await read(id, actor) }
}

const religions = (...codes: string[]) =>
  csvOf([['Kode PDDikti', 'Nama'], ...codes.map((code) => [code, `Agama ${code}`])])
const count = async (table: string) =>
  (await sql<{ n: number }>`SELECT count(*)::int AS n FROM ${sql.table(table)}`.execute(t.db)).rows[0]!.n

describe('an import', () => {
  it('is checked first and writes nothing', async () => {
    const before = await count('religions')
    const found = await checked('agama', religions('71', '72'))
    expect(found).toMatchObject({ status: 'checked', percent: 100, rows: { total: 2, new: 2, changed: 0, wrong: 0 } })
    expect(await count('religions')).toBe(before)
  })

  it('writes every row with an entry in the audit log, and only once however often it is asked', async () => {
    const found = await checked('agama', religions('73', '74'))
    const before = await count('religions')
    const first = await run(found.id)
    expect(first.data).toMatchObject({ status: 'done', rows: { new: 2 } })
    expect((await run(found.id)).data.status).toBe('done')
    expect(await count('religions')).toBe(before + 2)
    const { rows } = await sql<{ actor: string; reason: string; name: string }>`
      SELECT actor_name AS actor, reason, after->>'name' AS name FROM audit_log
      WHERE action = 'agama.create' AND after->>'code' IN ('73', '74') ORDER BY id`.execute(t.db)
    expect(rows.map(({ name }) => name)).toEqual(['Agama 73', 'Agama 74'])
    expect(rows[0]).toMatchObject({ actor: 'Petugas Administrator', reason: 'Import: daftar.csv' })
  })

  it('says of the same file sent again that there is nothing to change', async () => {
    const file = religions('75')
    await run((await checked('agama', file)).id)
    const again = await checked('agama', file)
    expect(again.rows).toMatchObject({ new: 0, changed: 0, unchanged: 1 })
    const answer = await staff.post(`/imports/${again.id}/run`)
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'import_changes_nothing'])
  })

  it('changes rows whose code exists, keeps what the file does not tell, and shows the change in their history', async () => {
    await run(
      (
        await checked(
          'fakultas',
          csvOf([
            ['Kode', 'Nama', 'Dekan'],
            ['IMP', 'Fakultas Impor', 'Prof. Ani'],
          ]),
        )
      ).id,
    )
    const second = await checked(
      'fakultas',
      csvOf([
        ['code', 'name'],
        ['imp', 'Fakultas Baru'],
      ]),
    )
    expect(second.rows).toMatchObject({ new: 0, changed: 1 })
    await run(second.id)
    const row = (await staff.get('/master/fakultas?q=Fakultas%20Baru')).json().data[0]
    expect(row).toMatchObject({ code: 'imp', dean: 'Prof. Ani', version: 2 })
    const history = (await staff.get(`/master/fakultas/${row.id}/history`)).json().data
    expect(history[0].changes.map((change: { field: string }) => change.field)).toEqual(['code', 'name'])
  })

  it('writes nothing at all when one row has a problem', async () => {
    const before = await count('religions')
    const found = await checked('agama', religions('76', 'SALAH', '77'))
    expect(found.rows).toMatchObject({ new: 2, wrong: 1 })
    const refused = await run(found.id)
    expect([refused.statusCode, refused.data.status]).toEqual([409, 'checked'])
    expect(await count('religions')).toBe(before)
  })
})
