import { expect, test } from 'vitest'
import { batchesOf, type ThreadLimits } from './threads.ts'

const limits: ThreadLimits = { memoryMb: 32, timeMs: 20_000 }

/** A thread that answers each call for a batch by running `code`. */
const threadOf = (code: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`import { parentPort, threadId } from 'node:worker_threads'
      let count = 0
      let data
      const batch = (value) => parentPort.postMessage({ batch: value })
      const done = () => parentPort.postMessage({ done: true })
      parentPort.on('message', (call) => {
        if (call === 'next') { ${code} }
        else { data = call.data; count = 0 }
      })`)}`,
  )

async function outcomeOf(code: string, changes: Partial<ThreadLimits> = {}, data = 7) {
  const batches: unknown[] = []
  try {
    for await (const batch of batchesOf(threadOf(code), data, { ...limits, ...changes })) batches.push(batch)
    return batches
  } catch (error) {
    return (error as { fault: string }).fault
  }
}

test('batches come in order until there are no more', async () => {
  expect(await outcomeOf('++count < 4 ? batch(count * data) : done()')).toEqual([7, 14, 21])
})

const oneBatchWithThreadId = '++count < 2 ? batch(threadId) : done()'

test('a thread that was read to its end does the next task, and simultaneous work gets another', async () => {
  const [first] = await outcomeOf(oneBatchWithThreadId)
  const [[second], [third]] = await Promise.all([outcomeOf(oneBatchWithThreadId), outcomeOf(oneBatchWithThreadId)])
  expect([second, third]).toContain(first)
  expect(second).not.toBe(third)
})

test('a thread with other limits, one left early and one that failed are not used again', async () => {
  const [first] = await outcomeOf(oneBatchWithThreadId)
  expect(await outcomeOf(oneBatchWithThreadId, { memoryMb: 48 })).not.toEqual([first])
  const ids = []
  for (let tries = 0; tries < 2; tries++)
    for await (const id of batchesOf(threadOf('batch(threadId)'), 7, limits)) {
      ids.push(id)
      break
    }
  expect(ids[0]).not.toBe(ids[1])
  const failing = `++count < 2 ? batch(threadId) : parentPort.postMessage({ fault: 'unreadable', message: '' })`
  const idOfFailing = async () => {
    for await (const id of batchesOf(threadOf(failing), 7, limits)) return id
  }
  expect(await idOfFailing()).not.toBe(await idOfFailing())
})

test.each([
  ['after its last answer', 'done(); if (++count === 2) process.exit(1)'],
  ['while nobody uses it', 'done(); if (++count === 2) setTimeout(() => process.exit(1), 100)'],
  [
    'at the first call of the next work',
    'if (globalThis.worked) process.exit(1); done(); globalThis.worked = ++count === 2',
  ],
])('a thread that dies %s is replaced, and the work is done', async (_, code) => {
  for (let work = 0; work < 3; work++) {
    expect(await outcomeOf(code)).toEqual([])
    await new Promise((resolve) => setTimeout(resolve, 150))
  }
})

test('an answer after the last batch of one task is not taken for one of the next', async () => {
  const code = '++count < 3 ? batch(data) : done()'
  for (let work = 0; work < 30; work++) expect(await outcomeOf(code, {}, work)).toEqual([work, work])
})

test.each([
  ['takes all its memory for many things', 'const items = []; for (;;) items.push({ a: 1 })', 'out_of_memory'],
  ['takes all its memory for one text', `let text = ''; for (;;) text += '<a>' + text.length`, 'out_of_memory'],
  ['never answers', 'for (;;);', 'out_of_time'],
  ['calls itself for ever', 'const again = (n) => [again(n + 1)]; again(0)', 'broken'],
  ['ends by itself', 'process.exit(3)', 'broken'],
  ['says what is wrong', `parentPort.postMessage({ fault: 'unreadable', message: '' })`, 'unreadable'],
])('a thread that %s throws a ThreadError, and the process survives', async (_, code, fault) => {
  expect(await outcomeOf(code, { timeMs: fault === 'out_of_time' ? 1_000 : 60_000 })).toBe(fault)
})

test("a slow caller keeps the thread waiting, and the caller's time is not counted", async () => {
  const batches: number[] = []
  const thread = threadOf('batch(++count)')
  for await (const batch of batchesOf<number>(thread, null, { ...limits, timeMs: 3_000 })) {
    batches.push(batch)
    // Without a limit on batches made ahead, the thread would be far ahead of the caller by now.
    await new Promise((resolve) => setTimeout(resolve, 800))
    if (batches.length === 5) break
  }
  expect(batches).toEqual([1, 2, 3, 4, 5])
})
