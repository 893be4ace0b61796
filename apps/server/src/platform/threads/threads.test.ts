import { expect, test } from 'vitest'
import { batchesOf, type ThreadLimits } from './threads.ts'

const limits: ThreadLimits = { memoryMb: 32, timeMs: 20_000 }

/** A thread that answers each call for a batch by running `code`. */
const threadOf = (code: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`import { parentPort, workerData } from 'node:worker_threads'
      let count = 0
      const batch = (value) => parentPort.postMessage({ batch: value })
      parentPort.on('message', () => { ${code} })`)}`,
  )

async function outcomeOf(code: string, changes: Partial<ThreadLimits> = {}) {
  const batches: unknown[] = []
  try {
    for await (const batch of batchesOf(threadOf(code), 7, { ...limits, ...changes })) batches.push(batch)
    return batches
  } catch (error) {
    return (error as { fault: string }).fault
  }
}

test('batches come in order, and the thread ends when it has no more', async () => {
  expect(await outcomeOf(`++count < 4 ? batch(count * workerData) : parentPort.postMessage({ done: true })`)).toEqual([
    7, 14, 21,
  ])
})

test.each([
  ['takes all its memory for many things', 'const items = []; for (;;) items.push({ a: 1 })', 'out_of_memory'],
  ['takes all its memory for one text', `let text = ''; for (;;) text += '<a>' + text.length`, 'out_of_memory'],
  ['never answers', 'for (;;);', 'out_of_time'],
  ['calls itself for ever', 'const again = (n) => [again(n + 1)]; again(0)', 'broken'],
  ['ends by itself', 'process.exit(3)', 'broken'],
  ['says what is wrong', `parentPort.postMessage({ fault: 'unreadable', message: '' })`, 'unreadable'],
])('a thread that %s throws a ThreadError and the process lives', async (_, code, fault) => {
  expect(await outcomeOf(code, { timeMs: fault === 'out_of_time' ? 1_000 : 60_000 })).toBe(fault)
})

test('a slow caller keeps the thread waiting, and its own time is not counted', async () => {
  const batches: number[] = []
  const thread = threadOf('batch(++count)')
  for await (const batch of batchesOf<number>(thread, null, { ...limits, timeMs: 3_000 })) {
    batches.push(batch)
    // If batches were made ahead without limit, the thread would be far ahead of the caller by now.
    await new Promise((resolve) => setTimeout(resolve, 800))
    if (batches.length === 5) break
  }
  expect(batches).toEqual([1, 2, 3, 4, 5])
})
