import { useEffect, useState } from 'react'
import { useSession } from '#web/shell/session/session.tsx'
import { useDraft } from '#web/ui/form/draft.tsx'
import { discard, post, type Unsent, useOutbox } from './outbox.ts'
import type { ThreadView } from './use-thread.ts'

type TextOptions = Omit<Extract<Unsent, { kind: 'text' }>, 'kind' | 'body' | 'conversationId' | 'refusal'>

/** A text that the server refused, and why. */
export type GivenBack = { code: string; message: string }

/**
 * What the reader writes in a conversation: the text on this device, and the messages on their way. A text that the
 * server refuses comes back into the field.
 */
export function useMessageBox(conversationId: string | null, { messages, tellWriting }: ThreadView) {
  const { user } = useSession()
  const { items, failure } = useOutbox()
  const [text, setText, draft] = useDraft(`chat:${conversationId ?? 'own'}`, '')
  const [givenBack, setGivenBack] = useState<GivenBack | null>(null)
  const ownItems = items.filter(({ owner, data }) => owner === user?.id && data.conversationId === conversationId)
  const storedIds = new Set(messages.map(({ id }) => id))

  const returning = ownItems.find(({ data }) => data.refusal && data.kind === 'text' && !data.templateId)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refused text comes back once
  useEffect(() => {
    if (returning?.data.kind !== 'text') return
    const { body, refusal } = returning.data
    setText((typed) => (typed.trim() === '' || typed.trim() === body ? body : `${body}\n\n${typed}`))
    setGivenBack(refusal ?? null)
    void discard(returning.id)
  }, [returning?.id])

  return {
    text,
    type: (next: string) => {
      setText(next)
      if (next.trim() !== '') tellWriting()
    },
    unsent: ownItems.filter((item) => item !== returning && !storedIds.has(item.id)),
    /** The server cannot be reached. */
    isOffline: failure !== null,
    givenBack,
    sendText: (body: string, options: TextOptions = {}) => {
      void post({ kind: 'text', conversationId, body, ...options })
      setText('')
      draft.clear()
      setGivenBack(null)
    },
    sendTemplate: (body: string, templateId: string, seenSeq: number) =>
      void post({ kind: 'text', conversationId, body, templateId, seenSeq }),
    sendFile: (file: File) => void post({ kind: 'file', conversationId, file }),
  }
}
