import { PassThrough, Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { calendarOf } from '#domain/calendar.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { AppError } from '#server/platform/errors.ts'
import { getFile } from '#server/platform/files/files.ts'
import { resizePicture } from '#server/platform/files/pictures.ts'
import { spooled } from '#server/platform/files/spool.ts'
import { addressOf } from '#server/platform/http/address.ts'
import { languageOfRequest } from '#server/platform/http/error-handler.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings, type Settings } from '#server/platform/settings.ts'
import type { SheetColumn, SheetOptions, SheetRow } from './columns.ts'
import { writeCsv } from './csv-writer.ts'
import { subtitleOf, writePdf } from './pdf-writer.ts'
import { writeXlsx } from './xlsx-writer.ts'

export type SheetFormat = 'xlsx' | 'csv' | 'pdf'

export const sheetTypes: Record<SheetFormat, string> = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
  pdf: 'application/pdf',
}

export type Export = {
  /** Name of the list in the register and of the file, such as `fakultas`. */
  name: string
  title: string
  format: SheetFormat
  columns: readonly SheetColumn[]
  rows: AsyncIterable<SheetRow>
  /** The filter in words, in the reader's language: `{ label: 'Status', value: 'Paid' }`. */
  filter?: readonly { label: string; value: string }[]
}

/** Each export reads through a connection to the database of its own, and lies on the disk until its reader has it. */
const mostAtOnce = 5
let atOnce = 0

/** A reader that takes nothing for this long has gone. */
const patience = 120_000

/**
 * Streams a list to the reader and writes the register of exports: a row before the first byte leaves, completed when
 * the last one has, also when the reader hangs up half-way.
 */
export async function sendExport(services: Services, request: FastifyRequest, reply: FastifyReply, wanted: Export) {
  const { db, clock, log } = services
  const { name, title, format, columns, filter = [] } = wanted
  const actor = actorOf(request)
  // The register of exports names one person.
  if (actor.seenBy) throw new AppError(403, 'seen_as_read_only')
  const language = languageOfRequest(request)
  if (atOnce >= mostAtOnce) throw new AppError(429, 'too_many_requests', { retryAfter: 10 })
  const settings = await getSettings(db)
  const words = filter.map(({ label, value }) => `${label}: ${value}`).join(', ')
  const startedAt = clock.now()
  const { id } = await db
    .insertInto('exports')
    .values({
      accountId: actor.accountId,
      accountName: actor.name,
      roleName: actor.role.name,
      list: name,
      title,
      format,
      columns: columns.map(({ key }) => key),
      filter: JSON.stringify({ ...(request.params as object), ...(request.query as object) }),
      filterWords: words,
      ip: addressOf(request),
      requestId: request.id,
      startedAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await recordAudit(
    db,
    actor,
    'export.run',
    { type: 'export', id },
    { after: { list: name, format, ...(words && { filter: words }) } },
  )

  let rows = 0
  let finished = false
  async function* counted() {
    for await (const row of wanted.rows) {
      rows++
      yield row
    }
  }
  const options: SheetOptions = { title, columns, language, timeZone: settings.timeZone }
  const content = await contentOf(services, format, counted(), options, settings, words, startedAt)
  /** How many rows had been read when so many bytes were made: the rows a reader has who hangs up half-way. */
  const made: { bytes: number; rows: number }[] = [{ bytes: 0, rows: 0 }]
  async function* measured() {
    for await (const chunk of content) {
      made.push({ bytes: made.at(-1)!.bytes + Buffer.byteLength(chunk), rows })
      yield chunk
    }
  }
  const { reader } = await spooled(Readable.from(measured(), { objectMode: false }))
  const output = new PassThrough()
  let bytes = 0
  let quietSince = setTimeout(giveUp, patience)
  function giveUp() {
    output.destroy(new Error('the reader takes nothing'))
  }
  reader.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    clearTimeout(quietSince)
    quietSince = setTimeout(giveUp, patience)
  })
  reader.on('error', (error) => {
    log.error({ err: error, list: name }, 'export failed')
    finish('failed')
    output.destroy(error)
  })
  output.on('error', () => {})
  output.on('close', () => {
    clearTimeout(quietSince)
    finish(output.readableEnded ? 'done' : 'stopped')
    reader.destroy()
  })
  reader.pipe(output)
  atOnce++

  function finish(status: 'done' | 'stopped' | 'failed') {
    if (finished) return
    finished = true
    atOnce--
    db.updateTable('exports')
      .set({ status, rows: made.findLast((at) => at.bytes <= bytes)!.rows, bytes, finishedAt: clock.now() })
      .where('id', '=', id)
      .execute()
      .catch((error) => log.warn({ err: error, export: id }, 'the register of exports could not be completed'))
  }

  return reply
    .type(sheetTypes[format])
    .header('cache-control', 'no-store')
    .header('content-disposition', attachment(fileName(name, startedAt, settings, format)))
    .send(output)
}

const attachment = (name: string) => `attachment; filename="${name}"; filename*=UTF-8''${encodeURIComponent(name)}`

/** `fakultas-2026-11-27.xlsx`. */
function fileName(name: string, at: Date, { timeZone }: Settings, format: SheetFormat) {
  const day = calendarOf(timeZone).dayOf(at)
  return `${name.replace(/[^A-Za-z0-9._-]+/g, '-')}-${day}.${format}`
}

async function contentOf(
  services: Services,
  format: SheetFormat,
  rows: AsyncIterable<SheetRow>,
  options: SheetOptions,
  settings: Settings,
  words: string,
  at: Date,
): Promise<Readable> {
  if (format === 'xlsx') return writeXlsx(rows, options)
  if (format === 'csv') return writeCsv(rows, options)
  const subtitle = subtitleOf(words, at, options)
  return writePdf(rows, { ...options, settings, subtitle, logo: await logoOf(services, settings) })
}

/** The printed list does without a logo that cannot be read. */
async function logoOf(services: Services, { logoFileId }: Settings) {
  if (!logoFileId) return undefined
  try {
    const file = await getFile(services.db, logoFileId)
    const bytes = await services.files.bytes(file.storageKey)
    return await resizePicture(services, bytes, { width: 240, height: 240, fit: 'inside' })
  } catch {
    return undefined
  }
}
