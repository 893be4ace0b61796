import fs from 'node:fs'
import { Readable } from 'node:stream'
import { parse } from 'csv-parse'
import { maxColumns, maxTextLength, SheetError, type SheetLine, type SheetReader } from './sheet-reader.ts'

const sampleSize = 64 * 1024
const separators = [',', ';', '\t', '|']

function encodingOfMark(start: Buffer) {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le'
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be'
  return start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf ? 'utf-8' : null
}

/** UTF-8 if the whole file is valid UTF-8, otherwise Windows-1252, which older spreadsheets save. */
async function encodingOf(path: string, start: Buffer): Promise<string> {
  const markedEncoding = encodingOfMark(start)
  if (markedEncoding) return markedEncoding
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of fs.createReadStream(path)) decoder.decode(chunk as Buffer, { stream: true })
    decoder.decode()
    return 'utf-8'
  } catch {
    return 'windows-1252'
  }
}

/** Lines used to choose the separator, since the first may be a title. */
const headLines = 10

/**
 * The separator of a `sep=` line; otherwise the one that splits most of the first lines into equally many cells,
 * preferring more cells.
 */
function separatorOf(sample: string): string {
  const lines = sample.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'))
  const declaredSeparator = /^sep=(.)$/i.exec(lines[0]?.trim() ?? '')
  if (declaredSeparator) return declaredSeparator[1]!
  const bare = lines.slice(0, headLines).map((line) => line.replace(/"[^"]*"/g, ''))
  const tallies = separators.map((separator) => {
    const counts = bare.map((line) => line.split(separator).length).filter((count) => count > 1)
    const linesOf = (cells: number) => counts.filter((count) => count === cells).length
    const cells = counts.toSorted((x, y) => linesOf(y) - linesOf(x) || y - x)[0] ?? 0
    return { separator, cells, lines: linesOf(cells) }
  })
  return tallies.toSorted((a, b) => b.lines - a.lines || b.cells - a.cells)[0]!.separator
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

const rowsOfExcelBlock = 16

/**
 * Restores empty trailing cells that Excel omits: it writes rows in blocks of sixteen and drops trailing separators if
 * the last columns are empty in the whole block, except in the first (Microsoft KB 77295). A single short row at the
 * end is left alone, since it could also be truncated.
 */
async function* withOmittedSigns(lines: AsyncIterable<SheetLine>): AsyncGenerator<SheetLine> {
  let widest = 0
  let block: SheetLine[] = []
  const widen = () => {
    const filled = block.filter(({ cells }) => cells.length > 1 || cells[0] !== '')
    const width = filled[0]?.cells.length ?? 0
    const isShort = filled.length > 1 && width < widest && filled.every(({ cells }) => cells.length === width)
    if (isShort) for (const { cells } of filled) cells.push(...Array<string>(widest - width).fill(''))
    return block
  }
  for await (const line of lines) {
    if (line.number <= rowsOfExcelBlock) {
      widest = Math.max(widest, line.cells.length)
      yield line
      continue
    }
    if (line.number % rowsOfExcelBlock === 1) {
      yield* widen()
      block = []
    }
    block.push(line)
  }
  yield* widen()
}

const faultOf = (error: unknown) =>
  (error as { code?: string }).code === 'CSV_MAX_RECORD_SIZE' ? 'text_too_long' : 'unreadable'

/** Reads a CSV file row by row; detects its separator and encoding. */
export async function readCsv(path: string): Promise<SheetReader> {
  const start = await firstBytes(path)
  const encoding = await encodingOf(path, start)
  const separator = separatorOf(new TextDecoder(encoding).decode(start))
  const { size } = await fs.promises.stat(path)
  let readBytes = 0

  async function* decode() {
    const decoder = new TextDecoder(encoding)
    for await (const chunk of fs.createReadStream(path)) {
      readBytes += (chunk as Buffer).length
      yield decoder.decode(chunk as Buffer, { stream: true })
    }
    yield decoder.decode()
  }

  async function* records(): AsyncGenerator<SheetLine> {
    const text = Readable.from(decode())
    const parser = parse({
      delimiter: separator,
      // Some programs append rows with line ends other than the headings'.
      record_delimiter: ['\r\n', '\n', '\r'],
      // A row of another width is a problem of that row (`wrongWidth`), not of the file.
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: false,
      max_record_size: maxTextLength * 20,
    })
    text.on('error', (error) => parser.destroy(error))
    let number = 0
    try {
      for await (const record of text.pipe(parser)) {
        const cells = record as string[]
        number++
        if (number === 1 && /^sep=.$/i.test(cells.join(separator).trim())) continue
        if (cells.length > maxColumns) throw new SheetError('too_many_columns')
        yield { number, cells, isSeparated: true }
      }
    } catch (error) {
      throw error instanceof SheetError ? error : new SheetError(faultOf(error), error)
    } finally {
      text.destroy()
      parser.destroy()
    }
  }
  return { lines: withOmittedSigns(records()), progress: () => (size === 0 ? 1 : readBytes / size) }
}
