import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { writingMs } from '#domain/chat/chat.ts'
import type { ChatMessage, ChatPage } from '#domain/chat/endpoints.ts'
import { useChatEvents, useStreamState } from '#web/modules/chat/stream/chat-stream.ts'

type Range = { after?: number; before?: number }

export type ThreadSource = {
  /** Null until the conversation exists. */
  conversationId: string | null
  /** Answer of the first read, with the last messages. */
  first: ChatPage | undefined
  refetch: () => unknown
  read: (range: Range) => Promise<ChatPage>
  /** Notes how far the reader has read. */
  mark: (seq: number) => Promise<unknown>
}

const merge = (known: ReadonlyMap<number, ChatMessage>, more: readonly ChatMessage[]) =>
  more.length === 0 ? known : new Map([...known, ...more.map((message) => [message.seq, message] as const)])

/**
 * Messages of a conversation that grow with the stream: what is new is read from the last number on, so that a line cut at
 * any moment loses and doubles nothing.
 */
export function useThread({ conversationId, first, refetch, read, mark }: ThreadSource) {
  const [bySeq, setBySeq] = useState<ReadonlyMap<number, ChatMessage>>(new Map())
  const [meta, setMeta] = useState(first?.meta)
  const [hasEarlier, setHasEarlier] = useState<boolean>()
  const [writer, setWriter] = useState<{ by: string | null; until: number } | null>(null)
  const state = useStreamState()
  const lastSeq = useRef(0)
  const reading = useRef<Promise<void> | null>(null)
  const isAskedAgain = useRef(false)

  const take = useCallback((page: ChatPage) => {
    for (const { seq } of page.data) lastSeq.current = Math.max(lastSeq.current, seq)
    setBySeq((known) => merge(known, page.data))
    setMeta(page.meta)
  }, [])

  useEffect(() => {
    if (!first) return
    take(first)
    setHasEarlier((known) => known ?? first.meta.more)
  }, [first, take])

  /** One reader at a time; a call meanwhile makes it read once more. */
  const readNewer = useCallback(async () => {
    isAskedAgain.current = true
    reading.current ??= (async () => {
      try {
        while (isAskedAgain.current) {
          isAskedAgain.current = false
          for (let more = true; more; ) {
            const page = await read({ after: lastSeq.current })
            take(page)
            more = page.meta.more
          }
        }
      } catch {
        // The stream asks again when the line is back.
      } finally {
        reading.current = null
      }
    })()
    await reading.current
  }, [read, take])

  useChatEvents((events) => {
    if (events === null) {
      void refetch()
      void readNewer()
      return
    }
    const own = events.filter(({ conversation }) => conversationId === null || conversation === conversationId)
    if (conversationId === null && own.length > 0) void refetch()
    if (own.some(({ kind }) => kind === 'message' || kind === 'read')) void readNewer()
    const writing = own.findLast(({ kind }) => kind === 'writing')
    if (writing) setWriter({ by: writing.by, until: Date.now() + writingMs })
    if (own.some(({ kind, by }) => kind === 'message' && by === writer?.by)) setWriter(null)
  })

  // Events of the time without a line come with the next one; a first answer that failed does not.
  useEffect(() => {
    if (state === 'open') void readNewer()
  }, [state, readNewer])

  useEffect(() => {
    if (!writer) return
    const timer = setTimeout(() => setWriter(null), Math.max(0, writer.until - Date.now()))
    return () => clearTimeout(timer)
  }, [writer])

  const messages = useMemo(() => [...bySeq.values()].sort((a, b) => a.seq - b.seq), [bySeq])
  const newest = messages.at(-1)?.seq ?? 0

  const marked = useRef(0)
  /** Notes everything as read, once per newest message. */
  const markAll = useCallback(() => {
    if (newest <= marked.current || document.visibilityState !== 'visible') return
    marked.current = newest
    void mark(newest).catch(() => {
      marked.current = 0
    })
  }, [newest, mark])
  useEffect(() => {
    markAll()
    document.addEventListener('visibilitychange', markAll)
    return () => document.removeEventListener('visibilitychange', markAll)
  }, [markAll])

  return {
    messages,
    newest,
    meta,
    writer,
    isLost: state === 'lost',
    /** Takes a message that was just sent. */
    add: (message: ChatMessage) => {
      setBySeq((known) => merge(known, [message]))
      // Messages of others may lie between; they are read by their numbers.
      void readNewer()
    },
    hasEarlier: hasEarlier ?? false,
    readEarlier: async () => {
      const page = await read({ before: messages[0]?.seq ?? 1 })
      setBySeq((known) => merge(known, page.data))
      setHasEarlier(page.meta.more)
    },
  }
}

export type Thread = ReturnType<typeof useThread>
