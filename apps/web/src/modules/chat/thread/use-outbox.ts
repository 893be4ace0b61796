import { useCallback, useEffect, useRef, useState } from 'react'
import type { ChatMessage } from '#domain/chat/endpoints.ts'
import { ApiError } from '#web/api/client.ts'
import { draftPrefix } from '#web/ui/form/forget-drafts.ts'
import { readStored, writeStored } from '#web/ui/stored.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { newId } from './new-id.ts'

export type Unsent = {
  id: string
  body: string
  note: boolean
  /** Sentence of the refusal; null while it waits or is on its way. */
  refusal: string | null
}

/** Milliseconds before the next attempt after a lost line; doubled up to `longestWaitMs`. */
const firstWaitMs = 2_000
const longestWaitMs = 30_000

/** Whether a later attempt may succeed: no answer, a server in trouble, or too many at once. */
const isTemporary = (error: unknown) =>
  !(error instanceof ApiError) || error.status === 0 || error.status >= 500 || error.status === 429

type Options = {
  key: string
  send: (message: Unsent) => Promise<ChatMessage>
  onSent: (message: ChatMessage) => void
  /** Takes a refused message out of the outbox, for example to give its text back; false leaves it there. */
  onRefused?: (message: Unsent, error: ApiError) => boolean
}

/**
 * Messages that are not stored at the server yet. They stay on the device through a lost line and a reload, and go out in
 * order under the id that they got when they were written, so that none arrives twice.
 */
export function useOutbox({ key, send, onSent, onRefused }: Options) {
  const { owner } = useSurroundings()
  const place = `${draftPrefix}${owner}:chat-outbox:${key}`
  const [unsent, setUnsent] = useState<readonly Unsent[]>(() => readStored<Unsent[]>('localStorage', place) ?? [])
  const latest = useRef(unsent)
  const [isWaiting, setWaiting] = useState(false)
  const isSending = useRef(false)
  const failures = useRef(0)
  const calls = useRef({ send, onSent, onRefused })
  calls.current = { send, onSent, onRefused }

  const change = useCallback(
    (next: readonly Unsent[]) => {
      latest.current = next
      setUnsent(next)
      writeStored('localStorage', place, next.length > 0 ? next : null)
    },
    [place],
  )

  const work = useCallback(async () => {
    if (isSending.current) return
    isSending.current = true
    try {
      for (;;) {
        const next = latest.current.find(({ refusal }) => refusal === null)
        if (!next) break
        try {
          const message = await calls.current.send(next)
          failures.current = 0
          setWaiting(false)
          change(latest.current.filter(({ id }) => id !== next.id))
          calls.current.onSent(message)
        } catch (error) {
          if (isTemporary(error)) {
            failures.current++
            setWaiting(true)
            break
          }
          const isTaken = calls.current.onRefused?.(next, error as ApiError) ?? false
          change(
            isTaken
              ? latest.current.filter(({ id }) => id !== next.id)
              : latest.current.map((one) => (one.id === next.id ? { ...one, refusal: (error as Error).message } : one)),
          )
        }
      }
    } finally {
      isSending.current = false
    }
  }, [change])

  useEffect(() => {
    void work()
    addEventListener('online', work)
    return () => removeEventListener('online', work)
  }, [work])

  // biome-ignore lint/correctness/useExhaustiveDependencies: every further failure waits anew
  useEffect(() => {
    if (!isWaiting) return
    const timer = setInterval(work, Math.min(firstWaitMs * 2 ** (failures.current - 1), longestWaitMs))
    return () => clearInterval(timer)
  }, [isWaiting, work, failures.current])

  return {
    unsent,
    /** The line is lost; messages wait for the next attempt. */
    isWaiting,
    post: (body: string, note = false) => {
      change([...latest.current, { id: newId(), body, note, refusal: null }])
      void work()
    },
    retry: (id: string) => {
      change(latest.current.map((one) => (one.id === id ? { ...one, refusal: null } : one)))
      void work()
    },
    discard: (id: string) => change(latest.current.filter((one) => one.id !== id)),
  }
}
