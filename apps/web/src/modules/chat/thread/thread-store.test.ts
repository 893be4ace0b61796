import { describe, expect, it } from 'vitest'
import type { ChatMessage, ChatPage } from '#domain/chat/endpoints.ts'
import { createThread } from './thread-store.ts'

const pageSize = 5

/** Fakes a conversation on a server. Reads fail while `isCut` is set. */
function aConversation(count = 0) {
  const messages: ChatMessage[] = []
  const write = (id = `m${messages.length + 1}`) => {
    const message = { id, seq: messages.length + 1, at: '' } as ChatMessage
    messages.push(message)
    return message
  }
  for (let number = 0; number < count; number++) write()
  const state = { isCut: false, requests: 0 }
  const read = async ({ after, before }: { after?: number; before?: number }): Promise<ChatPage> => {
    state.requests++
    await Promise.resolve()
    if (state.isCut) throw new Error('lost')
    const meta = { lastSeq: messages.length, personReadSeq: 0, officeReadSeq: 0 }
    const found = messages.filter(({ seq }) => seq > (after ?? 0) && seq < (before ?? Number.POSITIVE_INFINITY))
    const data = after === undefined ? found.slice(-pageSize) : found.slice(0, pageSize)
    return { data, meta: { ...meta, more: found.length > pageSize } }
  }
  return { state, write, read }
}
const seqs = (thread: ReturnType<typeof createThread>) => thread.current().messages.map(({ seq }) => seq)
const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, index) => first + index)

describe('a conversation on the screen', () => {
  it('begins with the newest messages and reads earlier ones when asked', async () => {
    const { read } = aConversation(12)
    const thread = createThread(read)
    await thread.catchUp()
    expect(seqs(thread)).toEqual([8, 9, 10, 11, 12])
    await thread.readEarlier()
    await thread.readEarlier()
    expect(seqs(thread)).toEqual(upTo(12))
    expect(thread.current().hasEarlier).toBe(false)
  })

  it('fills a gap of more than one page', async () => {
    const { read, write } = aConversation(1)
    const thread = createThread(read)
    await thread.catchUp()
    for (let number = 0; number < 17; number++) write()
    await thread.catchUp()
    expect(seqs(thread)).toEqual(upTo(18))
  })

  it('does not show its own message before those that arrived in between', async () => {
    const { read, write } = aConversation(1)
    const thread = createThread(read)
    await thread.catchUp()
    write()
    thread.add(write())
    expect(seqs(thread)).toEqual([1])
    await thread.catchUp()
    expect(seqs(thread)).toEqual([1, 2, 3])
  })

  it('misses nothing and shows nothing twice while reads are lost', async () => {
    const { read, write, state } = aConversation()
    const thread = createThread(read)
    for (let round = 0; round < 1000; round++) {
      state.isCut = round % 3 === 0
      const own = write()
      if (round % 2 === 0) thread.add(own)
      const reading = thread.catchUp()
      if (round % 5 === 0) write()
      await reading
    }
    state.isCut = false
    await thread.catchUp()
    expect(seqs(thread)).toEqual(upTo(1200))
    expect(new Set(thread.current().messages.map(({ id }) => id)).size).toBe(1200)
  })

  it('keeps its messages when a read is lost, and shows the error until the next read', async () => {
    const { read, write, state } = aConversation(2)
    const thread = createThread(read)
    await thread.catchUp()
    write()
    state.isCut = true
    await thread.catchUp()
    expect(seqs(thread)).toEqual([1, 2])
    expect(thread.current().error).not.toBeNull()
    state.isCut = false
    await thread.catchUp()
    expect(seqs(thread)).toEqual([1, 2, 3])
    expect(thread.current().error).toBeNull()
  })

  it('reads once more after any number of events during a read, not once per event', async () => {
    const { read, write, state } = aConversation(1)
    const thread = createThread(read)
    await thread.catchUp()
    state.requests = 0
    const reads = upTo(20).map(() => {
      write()
      return thread.catchUp()
    })
    await Promise.all(reads)
    expect(seqs(thread)).toEqual(upTo(21))
    expect(state.requests).toBeLessThan(8)
  })
})
