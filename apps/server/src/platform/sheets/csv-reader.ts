import fs from 'node:fs'
import { Readable } from 'node:stream'
import { parse } from 'csv-parse'
import { longestText, mostColumns, SheetError, type SheetLine, type SheetReader } from './sheet-reader.ts'

const sampleSize = 64 * 1024
const separators = [',', ';', '\t', '|']

function encodingOfMark(start: Buffer) {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le'
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be'
  return start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf ? 'utf-8' : null
}

/** UTF-8 when every byte of the file fits it, else what older spreadsheets save. */
async function encodingOf(path: string, start: Buffer): Promise<string> {
  const marked = encodingOfMark(start)
  if (marked) return marked
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of fs.createReadStream(path)) decoder.decode(chunk as Buffer, { stream: true })
    decoder.decode()
    return 'utf-8'
  } catch {
    return 'windows-1252'
  }
}

/** The sign that parts most cells of the header, which is the first line that is no remark. */
function separatorOf(sample: string): string {
  const header = sample.split(/\r\n|\r|\n/).find((line) => line.trim() !== '' && !line.startsWith('#')) ?? ''
  const told = /^sep=(.)$/i.exec(header.trim())
  if (told) return told[1]!
  const bare = header.replace(/"[^"]*"/g, '')
  const counts = separators.map((separator) => bare.split(separator).length)
  return separators[counts.indexOf(Math.max(...counts))]!
}

async function firstBytes(path: string) {
  const file = await fs.promises.open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(sampleSize), 0, sampleSize, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Reads a CSV file of whatever separator and encoding, a row at a time. */
export async function readCsv(path: string): Promise<SheetReader> {
  const start = await firstBytes(path)
  const encoding = await encodingOf(path, start)
  const separator = separatorOf(new TextDecoder(encoding).decode(start))
  const { size } = await fs.promises.stat(path)
  let read = 0

  async function* decoded() {
    const decoder = new TextDecoder(encoding)
    for await (const chunk of fs.createReadStream(path)) {
      read += (chunk as Buffer).length
      yield decoder.decode(chunk as Buffer, { stream: true })
    }
    yield decoder.decode()
  }

  async function* lines(): AsyncGenerator<SheetLine> {
    const text = Readable.from(decoded())
    const parser = parse({
      delimiter: separator,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: false,
      max_record_size: longestText * 20,
    })
    text.on('error', (error) => parser.destroy(error))
    let number = 0
    try {
      for await (const record of text.pipe(parser)) {
        const cells = record as string[]
        number++
        if (number === 1 && /^sep=.$/i.test(cells.join(separator).trim())) continue
        if (cells.length > mostColumns) throw new SheetError('too_many_columns')
        yield { number, cells }
      }
    } catch (error) {
      throw error instanceof SheetError ? error : new SheetError('unreadable', error)
    } finally {
      text.destroy()
      parser.destroy()
    }
  }
  return { lines: lines(), progress: () => (size === 0 ? 1 : read / size) }
}
