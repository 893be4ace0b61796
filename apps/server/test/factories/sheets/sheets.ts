import { buffer } from 'node:stream/consumers'
import { expect } from 'vitest'
import yazl from 'yazl'
import type { ImportRecord } from '#domain/transfer/endpoints.ts'
import type { SheetColumn } from '#server/platform/sheets/columns.ts'
import { csvLine } from '#server/platform/sheets/csv-writer.ts'
import { xlsxOf } from '#server/platform/sheets/xlsx-writer.ts'
import type { TestActor } from '#server-test/actors.ts'
import type { TestApp } from '#server-test/test-app.ts'

/** A CSV file with these rows; the first one is the header. */
export const csvOf = (rows: readonly (readonly (string | number)[])[], separator = ',') =>
  Buffer.from(rows.map((cells) => csvLine(cells.map(String), separator)).join(''))

export async function xlsxOfRows(columns: readonly SheetColumn[], rows: readonly Record<string, unknown>[]) {
  async function* each() {
    yield* rows
  }
  return buffer(xlsxOf([{ name: 'Data', columns, rows: each() }], 'Asia/Jakarta'))
}

const cellXml = (cell: string | number) =>
  typeof cell === 'number' ? `<c><v>${cell}</v></c>` : `<c t="inlineStr"><is><t>${cell}</t></is></c>`

/** A workbook as another program makes it, with texts that need no escaping and numbers. */
export function xlsxOfTable(rows: readonly (readonly (string | number)[])[]) {
  const zip = new yazl.ZipFile()
  const xml = rows.map((cells, index) => `<row r="${index + 1}">${cells.map(cellXml).join('')}</row>`).join('')
  zip.addBuffer(Buffer.from(`<worksheet><sheetData>${xml}</sheetData></worksheet>`), 'xl/worksheets/sheet1.xml')
  zip.end()
  return buffer(zip.outputStream as NodeJS.ReadableStream)
}

type Options = { actor?: TestActor; name?: string; query?: string }

/** Uploads sheets and waits for the check or import. */
export function importing(t: TestApp, staff: TestActor) {
  const read = async (id: string, actor = staff): Promise<ImportRecord> =>
    (await actor.get(`/imports/${id}`)).json().data

  async function check(slug: string, bytes: Buffer, { actor = staff, name = 'daftar.csv', query = '' }: Options = {}) {
    const answer = await actor.upload(`/master/${slug}/imports${query}`, { name, type: 'text/csv', bytes })
    expect(answer.statusCode, answer.body).toBe(201)
    await t.runJobs()
    return read(answer.json().data.id, actor)
  }

  async function run(id: string, actor = staff) {
    const { statusCode } = await actor.post(`/imports/${id}/run`)
    await t.runJobs()
    return { statusCode, data: await read(id, actor) }
  }

  return {
    read,
    check,
    run,
    /** Uploads, waits for the check, runs the import and waits for its end. */
    async import(slug: string, bytes: Buffer, options: Options = {}) {
      const { id } = await check(slug, bytes, options)
      return (await run(id, options.actor)).data
    },
  }
}
