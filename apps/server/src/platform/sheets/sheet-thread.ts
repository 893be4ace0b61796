import { answerWith } from '#server/platform/threads/thread-side.ts'
import { readCsv } from './csv-reader.ts'
import { lengthOf, type SheetLine } from './sheet-reader.ts'
import { readXlsx } from './xlsx-reader.ts'

/** Task for this thread, started by `readSheet`. `workbook` reads every sheet of an XLSX file. */
export type SheetTask = { path: string; format: 'xlsx' | 'workbook' | 'csv' }
export type SheetBatch = { lines: SheetLine[]; progress: number }

const maxLines = 500
/** Characters after which a batch is handed over, so that little text is copied at a time. */
const maxTextLength = 1_000_000

answerWith<SheetTask, SheetBatch>(async function* ({ path, format }) {
  const reader = await (format === 'csv' ? readCsv(path) : readXlsx(path, format === 'workbook' ? 'all' : 'first'))
  let lines: SheetLine[] = []
  let textLength = 0
  for await (const line of reader.lines) {
    lines.push(line)
    textLength += lengthOf(line)
    if (lines.length < maxLines && textLength < maxTextLength) continue
    yield { lines, progress: reader.progress() }
    lines = []
    textLength = 0
  }
  yield { lines, progress: reader.progress() }
})
