import type { SelectionInput } from '#server/modules/selection/compute/select.ts'
import { batchesOf } from '#server/platform/threads/threads.ts'
import type { TimedOutput } from './select-thread.ts'

const limits = { memoryMb: 512, timeMs: 60_000 }

/** Ranks and places in a worker thread, so that other requests are answered meanwhile. Throws `ThreadError`. */
export async function selectInThread(input: SelectionInput): Promise<TimedOutput> {
  let output: TimedOutput | undefined
  for await (const batch of batchesOf<TimedOutput>(new URL('./select-thread.ts', import.meta.url), input, limits))
    output = batch
  if (!output) throw new Error('the thread of a selection gave no output')
  return output
}
