import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { writingEveryMs, writingMs } from '#domain/chat/chat.ts'
import type { ChatEvent } from '#domain/chat/endpoints.ts'
import { onChat } from '#web/modules/chat/stream/chat-stream.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { onSent } from './outbox.ts'
import { portOf } from './port.ts'
import { createThread } from './thread-store.ts'

/**
 * Interval between refetches of the newest messages while a WhatsApp message is neither read nor failed, or a file is
 * being fetched. `catchUp` reads only new messages and would miss these changes.
 */
const deliveryEveryMs = 15_000

/** Null if nobody is typing. For applicants, `by` is null, so that they do not learn which agent is typing. */
type Writer = { by: string | null } | null

/** Messages of an open conversation, who is typing, and functions to mark messages as read and to signal typing. */
export function useThread(conversationId: string | null) {
  const { user } = useSession()
  const ownId = user?.id
  const port = useMemo(() => portOf(conversationId), [conversationId])
  const store = useMemo(() => createThread(port.read), [port])
  const thread = useSyncExternalStore(store.subscribe, store.current)
  const [writer, setWriter] = useState<Writer>(null)

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const isHere = ({ conversation }: ChatEvent) => conversationId === null || conversation === conversationId
    const leave = onChat({
      onCatchUp: () => void store.catchUp(),
      onEvents: (events) => {
        const news = events.filter(isHere)
        if (news.some(({ kind }) => kind === 'message' || kind === 'read')) void store.catchUp()
        if (news.some(({ kind, by }) => kind === 'message' && by !== ownId)) setWriter(null)
        const writing = news.findLast(({ kind, by }) => kind === 'writing' && by !== ownId)
        if (!writing) return
        setWriter({ by: writing.by })
        clearTimeout(timer)
        timer = setTimeout(() => setWriter(null), writingMs)
      },
    })
    const leaveSent = onSent((id, message) => {
      if (id === conversationId) store.add(message)
    })
    void store.catchUp()
    return () => {
      clearTimeout(timer)
      leave()
      leaveSent()
    }
  }, [store, conversationId, ownId])

  const isUnderWay = thread.messages.some(
    ({ delivery, media }) =>
      (delivery && ['queued', 'sent', 'delivered'].includes(delivery.status)) || media?.state === 'waiting',
  )
  useEffect(() => {
    if (!isUnderWay) return
    const timer = setInterval(() => document.visibilityState === 'visible' && void store.refresh(), deliveryEveryMs)
    return () => clearInterval(timer)
  }, [isUnderWay, store])

  const markedSeq = useRef(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each conversation has marks of its own
  useEffect(() => {
    markedSeq.current = 0
  }, [store])
  const mark = useCallback(
    (seq: number) => {
      if (seq <= markedSeq.current) return
      markedSeq.current = seq
      port.mark(seq).catch(() => {
        // The next call covers this message too.
        markedSeq.current = 0
      })
    },
    [port],
  )

  const lastSign = useRef(0)
  const tellWriting = useCallback(() => {
    if (Date.now() - lastSign.current < writingEveryMs) return
    lastSign.current = Date.now()
    port.tellWriting().catch(() => {})
  }, [port])

  return { ...thread, store, writer, mark, tellWriting }
}
export type ThreadView = ReturnType<typeof useThread>
