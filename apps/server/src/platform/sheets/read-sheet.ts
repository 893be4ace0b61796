import { batchesOf, ThreadError, type ThreadLimits } from '#server/platform/threads/threads.ts'
import { SheetError, type SheetFault, type SheetLine, type SheetReader, sheetFaults } from './sheet-reader.ts'
import type { SheetBatch, SheetTask } from './sheet-thread.ts'

const faultOfThread: Record<string, SheetFault> = { out_of_memory: 'too_big_inside', out_of_time: 'took_too_long' }

/** Reads an uploaded sheet row by row in a separate thread; throws `SheetError`. */
export function readSheet(path: string, format: SheetTask['format'], limits: ThreadLimits): SheetReader {
  const task: SheetTask = { path, format }
  let progress = 0
  async function* lines(): AsyncGenerator<SheetLine> {
    try {
      for await (const batch of batchesOf<SheetBatch>(new URL('./sheet-thread.ts', import.meta.url), task, limits)) {
        progress = batch.progress
        yield* batch.lines
      }
    } catch (error) {
      if (!(error instanceof ThreadError)) throw error
      const sheetFault = sheetFaults.find((fault) => fault === error.fault)
      throw new SheetError(sheetFault ?? faultOfThread[error.fault] ?? 'unreadable', error)
    }
  }
  return { lines: lines(), progress: () => progress }
}
