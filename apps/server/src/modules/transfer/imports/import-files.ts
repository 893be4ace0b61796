import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { getFile } from '#server/platform/files/files.ts'
import type { Services } from '#server/platform/services.ts'
import { readSheet } from '#server/platform/sheets/read-sheet.ts'

export type ImportFormat = 'xlsx' | 'csv'

/** Detects the format by the bytes, not the name; null for other formats. */
export function formatOf(bytes: Buffer): ImportFormat | null {
  if (bytes.subarray(0, 4).equals(Buffer.from('PK\x03\x04', 'latin1'))) return 'xlsx'
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  return isUtf16 || !bytes.subarray(0, 8192).includes(0) ? 'csv' : null
}

/** Reads a stored file through a copy on the local disk; `close` deletes the copy. */
export async function openSheet({ db, files, config }: Services, fileId: string, format: ImportFormat) {
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
