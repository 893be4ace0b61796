import type { ChatMessage, ChatPage } from '#domain/chat/endpoints.ts'

export type Thread = {
  /** Sorted by `seq`. */
  messages: readonly ChatMessage[]
  hasEarlier: boolean
  personReadSeq: number
  officeReadSeq: number
  /** Whether the newest messages have been read at least once. */
  isLoaded: boolean
  isLoadingEarlier: boolean
  error: Error | null
}

type Range = { after?: number; before?: number }
export type ReadPage = (range: Range) => Promise<ChatPage>

const empty: Thread = {
  messages: [],
  hasEarlier: false,
  personReadSeq: 0,
  officeReadSeq: 0,
  isLoaded: false,
  isLoadingEarlier: false,
  error: null,
}

/** Merges both lists by `seq`. Messages in `newer` replace older versions. */
function merge(older: readonly ChatMessage[], newer: readonly ChatMessage[]): ChatMessage[] {
  const bySeq = new Map([...older, ...newer].map((message) => [message.seq, message]))
  return [...bySeq.values()].sort((a, b) => a.seq - b.seq)
}

/**
 * Creates a store for the messages of one conversation. Chat events may come late, twice or never, so the store reads
 * messages from the server instead.
 */
export function createThread(read: ReadPage) {
  let thread = empty
  const listeners = new Set<() => void>()
  let reading: Promise<void> | null = null
  let isAskedAgain = false

  function set(change: Partial<Thread>) {
    thread = { ...thread, ...change }
    for (const listener of listeners) listener()
  }
  const lastSeq = () => thread.messages.at(-1)?.seq ?? 0

  async function readNewest() {
    const { data, meta } = await read({})
    const { personReadSeq, officeReadSeq } = meta
    set({ messages: data, hasEarlier: meta.more, personReadSeq, officeReadSeq, isLoaded: true, error: null })
  }

  async function readNews() {
    for (;;) {
      const { data, meta } = await read({ after: lastSeq() })
      const { personReadSeq, officeReadSeq } = meta
      set({ messages: merge(thread.messages, data), personReadSeq, officeReadSeq, error: null })
      if (!meta.more || data.length === 0) return
    }
  }

  /** Reads new messages. Calls during a read share one further read, unless the running read fails. */
  function catchUp(): Promise<void> {
    if (reading) {
      isAskedAgain = true
      return reading
    }
    const work = async () => {
      try {
        do {
          isAskedAgain = false
          await (thread.isLoaded ? readNews() : readNewest())
        } while (isAskedAgain)
      } catch (error) {
        // The next event, or the reopened stream, calls `catchUp` again.
        set({ error: error as Error })
      }
    }
    reading = work().finally(() => {
      reading = null
    })
    return reading
  }

  return {
    current: () => thread,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    catchUp,
    /** Adds a message returned by a request, or reads new messages if earlier ones are missing. */
    add(message: ChatMessage) {
      if (thread.isLoaded && message.seq <= lastSeq() + 1) set({ messages: merge(thread.messages, [message]) })
      else void catchUp()
    },
    /** Reads the newest page again, because deliveries and files may have changed. A failed read changes nothing. */
    async refresh() {
      const [oldest] = thread.messages
      if (!thread.isLoaded || !oldest) return
      const { data } = await read({ before: lastSeq() + 1 }).catch(() => ({ data: [] }))
      set({
        messages: merge(
          thread.messages,
          data.filter(({ seq }) => seq >= oldest.seq && seq <= lastSeq()),
        ),
      })
    },
    async readEarlier() {
      const [oldest] = thread.messages
      if (thread.isLoadingEarlier || !thread.hasEarlier || !oldest) return
      set({ isLoadingEarlier: true })
      try {
        const { data, meta } = await read({ before: oldest.seq })
        set({ messages: merge(data, thread.messages), hasEarlier: meta.more, error: null })
      } catch (error) {
        set({ error: error as Error })
      } finally {
        set({ isLoadingEarlier: false })
      }
    },
  }
}
