import { PassThrough, Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Insertable } from 'kysely'
import { calendarOf } from '#domain/calendar.ts'
import type { Language } from '#entities/define/language.ts'
import { longDate, timeOfDay } from '#locales/format.ts'
import { type Actor, actorOf } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Database, Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { resizePicture } from '#server/platform/files/pictures.ts'
import { openSpool } from '#server/platform/files/spool.ts'
import { getFile } from '#server/platform/files/stored-files.ts'
import { addressOf } from '#server/platform/http/address.ts'
import { languageOfRequest } from '#server/platform/http/error-handler.ts'
import { limitPlaces } from '#server/platform/places.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings, type Settings } from '#server/platform/settings.ts'
import type { SheetColumn, SheetOptions, SheetRow } from './columns.ts'
import { writeCsv } from './csv-writer.ts'
import type { PdfOptions } from './pdf-writer.ts'
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
  /** Keeps the search words out of the register. */
  searchUntold?: boolean
}

/** Each running export holds a database connection, then disk space until its reader has it. */
const takePlace = limitPlaces({ whole: 5, perAccount: 5 })

/** A reader that takes no byte for this long is cut off. */
const idleLimitMs = 120_000

/**
 * Streams a list to the reader and records it in the register of exports: the row is written before the first byte and
 * completed after the last, even if the reader hangs up half-way. Throws if the first row cannot be read.
 */
export async function sendExport(services: Services, request: FastifyRequest, reply: FastifyReply, list: Export) {
  const { db, clock, log } = services
  const { name, title, format, columns, filter = [] } = list
  // The register of exports names one account, so viewing as another account is refused.
  if (actorOf(request).seenBy) throw new AppError(403, 'seen_as_read_only')
  const language = languageOfRequest(request)
  // Taken before the first `await`: simultaneous requests would all pass the check.
  const freePlace = takePlace(actorOf(request).accountId)
  const words = filter.map(({ label, value }) => `${label}: ${value}`).join(', ')
  const startedAt = clock.now()
  const { id, settings } = await registerExport(services, request, list, words, startedAt).catch((error) => {
    freePlace()
    throw error
  })

  const unread = list.rows[Symbol.asyncIterator]()
  let rows = 0
  let bytes = 0
  let isFinished = false
  /** Rows read by the time so many bytes were made: gives the rows received by a reader who hung up. */
  const marks: { bytes: number; rows: number }[] = [{ bytes: 0, rows: 0 }]

  function finish(status: 'done' | 'stopped' | 'failed') {
    if (isFinished) return
    isFinished = true
    freePlace()
    // Returns the cursor's connection if the writer never started reading. Its errors have already reached the reader.
    unread.return?.().catch(() => {})
    db.updateTable('exports')
      .set({ status, rows: marks.findLast((mark) => mark.bytes <= bytes)!.rows, bytes, finishedAt: clock.now() })
      .where('id', '=', id)
      .execute()
      .catch((error) => log.warn({ err: error, export: id }, 'the register of exports could not be completed'))
  }

  async function openContent() {
    const logo = format === 'pdf' ? await logoOf(services, settings) : undefined
    // A query the database refuses gets its status here; after the first byte the answer could only be cut off.
    const firstRow = await unread.next()
    async function* countRows() {
      for (let next = firstRow; !next.done; next = await unread.next()) {
        rows++
        yield next.value
      }
    }
    const options: SheetOptions = { title, columns, language, timeZone: settings.timeZone }
    const content = await contentOf(format, countRows(), {
      ...options,
      settings,
      logo,
      subtitle: subtitleOf(words, startedAt, options),
    })
    async function* markChunks() {
      for await (const chunk of content) {
        marks.push({ bytes: marks.at(-1)!.bytes + Buffer.byteLength(chunk), rows })
        yield chunk
      }
    }
    return openSpool(Readable.from(markChunks(), { objectMode: false }))
  }
  const { reader } = await openContent().catch((error) => {
    finish('failed')
    throw error
  })
  const output = new PassThrough()
  let idleTimer = setTimeout(giveUp, idleLimitMs)
  function giveUp() {
    output.destroy(new Error('the reader takes nothing'))
  }
  reader.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    clearTimeout(idleTimer)
    idleTimer = setTimeout(giveUp, idleLimitMs)
  })
  reader.on('error', (error) => {
    log.error({ err: error, list: name }, 'export failed')
    finish('failed')
    output.destroy(error)
  })
  output.on('error', () => {})
  output.on('close', () => {
    clearTimeout(idleTimer)
    finish(output.readableEnded ? 'done' : 'stopped')
    reader.destroy()
  })
  reader.pipe(output)

  return reply
    .type(sheetTypes[format])
    .header('cache-control', 'no-store')
    .header('content-disposition', attachment(fileName(name, startedAt, settings, format)))
    .send(output)
}

/** Inserts the running export and its audit entry; returns its id and the settings it is written with. */
async function registerExport(
  { db }: Services,
  request: FastifyRequest,
  { name, title, format, columns, searchUntold }: Export,
  words: string,
  startedAt: Date,
) {
  const actor = actorOf(request)
  const settings = await getSettings(db)
  return db.transaction().execute(async (tx) => {
    const id = await insertExport(
      tx,
      actor,
      { name, title, format, columns, words, startedAt },
      {
        filter: JSON.stringify({
          ...(request.params as object),
          ...(request.query as object),
          ...(searchUntold && { q: undefined }),
        }),
        ip: addressOf(request),
        requestId: request.id,
      },
    )
    return { id, settings }
  })
}

type Registered = Pick<Export, 'name' | 'title' | 'format' | 'columns'> & { words: string; startedAt: Date }
type Details = Pick<
  Insertable<Database['exports']>,
  'filter' | 'ip' | 'requestId' | 'status' | 'rows' | 'bytes' | 'finishedAt'
>

async function insertExport(
  tx: Db,
  actor: Actor,
  { name, title, format, columns, words, startedAt }: Registered,
  details: Details,
) {
  const { id } = await tx
    .insertInto('exports')
    .values({
      accountId: actor.accountId,
      accountName: actor.name,
      roleName: actor.role.name,
      list: name,
      title,
      format,
      columns: columns.map(({ key }) => key),
      filterWords: words,
      startedAt,
      ...details,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await recordAudit(tx, actor, {
    action: 'export.run',
    on: { export: id },
    after: { list: name, format, ...(words && { filter: words }) },
  })
  return id
}

export type WrittenExport = Registered & { fileName: string; bytes: Buffer; rows: number }

/** Writes a short list into a file in memory, outside any transaction; `registerWritten` registers its reader. */
export async function writeExport(services: Services, list: Export, language: Language): Promise<WrittenExport> {
  const { name, title, format, columns, filter = [] } = list
  const startedAt = services.clock.now()
  const settings = await getSettings(services.db)
  const words = filter.map(({ label, value }) => `${label}: ${value}`).join(', ')
  let rows = 0
  async function* countRows() {
    for await (const row of list.rows) {
      rows++
      yield row
    }
  }
  const options: SheetOptions = { title, columns, language, timeZone: settings.timeZone }
  const content = await contentOf(format, countRows(), {
    ...options,
    settings,
    logo: format === 'pdf' ? await logoOf(services, settings) : undefined,
    subtitle: subtitleOf(words, startedAt, options),
  })
  const chunks: Buffer[] = []
  for await (const chunk of content) chunks.push(Buffer.from(chunk))
  return {
    ...{ name, title, format, columns, words, startedAt, rows },
    fileName: fileName(name, startedAt, settings, format),
    bytes: Buffer.concat(chunks),
  }
}

type HandedOver = {
  filter: object
  now: Date
  /** How the reader gets the file, for the register. */
  way: string
}

/** Registers a written file with its reader in the transaction that hands it over; returns the entry's id. */
export const registerWritten = (tx: Db, reader: Actor, file: WrittenExport, { filter, now, way }: HandedOver) =>
  insertExport(
    tx,
    reader,
    { ...file, words: [way, file.words].filter(Boolean).join(', ') },
    {
      filter: JSON.stringify(filter),
      ip: null,
      requestId: null,
      status: 'done',
      rows: file.rows,
      bytes: file.bytes.length,
      finishedAt: now,
    },
  )

/** Corrects the register when a written file did not reach its reader. */
export const noteNotArrived = (tx: Db, exportId: string) =>
  tx.updateTable('exports').set({ status: 'failed' }).where('id', '=', exportId).execute()

const attachment = (name: string) => `attachment; filename="${name}"; filename*=UTF-8''${encodeURIComponent(name)}`

/** `fakultas-2026-11-27.xlsx`. */
function fileName(name: string, moment: Date, { timeZone }: Settings, format: SheetFormat) {
  const day = calendarOf(timeZone).dayOf(moment)
  return `${name.replace(/[^A-Za-z0-9._-]+/g, '-')}-${day}.${format}`
}

async function contentOf(format: SheetFormat, rows: AsyncIterable<SheetRow>, options: PdfOptions): Promise<Readable> {
  if (format === 'xlsx') return writeXlsx(rows, options)
  if (format === 'csv') return writeCsv(rows, options)
  const { writePdf } = await import('./pdf-writer.ts')
  return writePdf(rows, options)
}

/** Filter in words and time of export, for the line under the title. */
const subtitleOf = (words: string, moment: Date, { language, timeZone }: Pick<SheetOptions, 'language' | 'timeZone'>) =>
  [words, `${longDate(moment, language, timeZone)}, ${timeOfDay(moment, language, timeZone)}`]
    .filter(Boolean)
    .join(' · ')

/** Logo for a printed list; undefined if it cannot be read. */
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
