import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Actor } from '#server/platform/access/authorization.ts'
import { invalid } from '#server/platform/errors.ts'
import { getFile, safeName, storeBytes } from '#server/platform/files/stored-files.ts'
import type { ReceivedUpload } from '#server/platform/files/uploads.ts'
import type { Services } from '#server/platform/services.ts'
import { readSheet } from '#server/platform/sheets/read-sheet.ts'
import { excelRefusal, isOle } from '#server/platform/sheets/refusals.ts'
import { sheetTypes } from '#server/platform/sheets/send-export.ts'
import { isZip } from '#server/platform/sheets/xlsx-reader.ts'

export type ImportFormat = 'xlsx' | 'csv'

/** Detects the format from the bytes, not from the name; null for other formats. */
export function formatOf(bytes: Buffer): ImportFormat | null {
  if (isZip(bytes)) return 'xlsx'
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  return isUtf16 || !bytes.subarray(0, 8192).includes(0) ? 'csv' : null
}

/** Error for an upload without an accepted format. An .xlsx file with unknown bytes counts as damaged. */
export function refusedFormat({ filename }: ReceivedUpload, bytes: Buffer, accepted: readonly ImportFormat[]) {
  const isDamaged = accepted.includes('xlsx') && /\.xlsx$/i.test(filename) && !formatOf(bytes) && !isOle(bytes)
  return invalid({
    file:
      excelRefusal(bytes) ??
      (isDamaged ? 'file_unreadable' : { code: 'file_type', params: { accepted: accepted.join(', ').toUpperCase() } }),
  })
}

/** Maximum size of an uploaded sheet. */
export const maxSheetBytes = 30_000_000

/** Stores an uploaded sheet after checking only its first bytes. */
export async function storeSheet(
  services: Services,
  actor: Actor,
  upload: ReceivedUpload | undefined,
  accepted: readonly ImportFormat[],
) {
  if (!upload) throw invalid({ file: 'file_missing' })
  const bytes = await upload.toBuffer()
  if (bytes.length === 0) throw invalid({ file: 'file_empty' })
  const format = formatOf(bytes)
  if (!format || !accepted.includes(format)) throw refusedFormat(upload, bytes, accepted)
  const name = safeName(upload.filename, format)
  const file = await storeBytes(services, actor, name, 'import', { bytes, mime: sheetTypes[format], extension: format })
  return { file, format }
}

/** Reads a stored file through a copy on the local disk; `close` deletes the copy. */
export async function openSheet({ db, files, config }: Services, fileId: string, format: ImportFormat | 'workbook') {
  const { storageKey } = await getFile(db, fileId)
  const folder = await fs.promises.mkdtemp(path.join(os.tmpdir(), 'pmb-import-'))
  const close = () => fs.promises.rm(folder, { recursive: true, force: true })
  try {
    const copy = path.join(folder, `sheet.${format}`)
    await pipeline(await files.read(storageKey), fs.createWriteStream(copy, { mode: 0o600 }))
    return { reader: readSheet(copy, format, config.reading), close }
  } catch (error) {
    await close()
    throw error
  }
}
