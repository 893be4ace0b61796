import { useEffect, useRef, useState } from 'react'
import type { ChatTeam } from '#domain/chat/chat.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { useDraft } from '#web/ui/form/draft.tsx'
import { withReturned } from './given-back.ts'
import { discard, post, type UnsentItem, useOutbox } from './outbox.ts'
import type { ThreadView } from './use-thread.ts'

/** Why a text was not sent. */
export type GivenBack = { code: string; message: string }

/** Whether a refused item returns to the text field. Refused templates and files stay in the list. */
const comesBack = ({ data }: UnsentItem) => data.refusal !== undefined && data.kind === 'text' && !data.templateId

/** Stores the text of the field on this device. Puts refused texts back into the field. */
function useTyped(key: string, returning: readonly UnsentItem[], onReturn: (why: GivenBack) => void) {
  const [text, setText, draft] = useDraft(key, '')
  const returned = useRef('')
  const ids = returning.map(({ id }) => id).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refused text comes back once
  useEffect(() => {
    const last = returning.at(-1)?.data.refusal
    if (!last) return
    const bodies = returning.flatMap(({ data }) => (data.kind === 'text' ? data.body : []))
    const next = withReturned(text, returned.current, bodies)
    returned.current = next.returned
    setText(next.text)
    onReturn(last)
    for (const { id } of returning) void discard(id)
  }, [ids])
  return {
    text,
    setText,
    clear: () => {
      returned.current = ''
      setText('')
      draft.clear()
    },
  }
}

/**
 * The text being written in a conversation, and the unsent messages. Notes have a separate text, so that a note is not
 * sent as an answer.
 */
export function useMessageBox(conversationId: string | null, thread: ThreadView, { isNote = false } = {}) {
  const { messages, store, tellWriting } = thread
  const { user } = useSession()
  const { items, failure } = useOutbox()
  const [givenBack, setGivenBack] = useState<GivenBack | null>(null)
  const ownItems = items.filter(({ owner, data }) => owner === user?.id && data.conversationId === conversationId)
  const returning = ownItems.filter(comesBack)
  const isOfNote = ({ data }: UnsentItem) => data.kind === 'text' && data.note === true
  const giveBack = (why: GivenBack) => {
    setGivenBack(why)
    // A colleague may have answered, so show that answer before the next attempt.
    void store.catchUp()
  }
  const key = `chat:${conversationId ?? 'own'}`
  const answer = useTyped(
    key,
    returning.filter((item) => !isOfNote(item)),
    giveBack,
  )
  const note = useTyped(`${key}:note`, returning.filter(isOfNote), giveBack)
  const typed = isNote ? note : answer
  const storedIds = new Set(messages.map(({ id }) => id))
  const seenSeq = messages.at(-1)?.seq ?? 0

  return {
    /** Number of the newest message in the list. */
    seenSeq,
    text: typed.text,
    type: (next: string) => {
      typed.setText(next)
      // Applicants must not learn that staff write a note.
      if (next.trim() !== '' && !isNote) tellWriting()
    },
    unsent: ownItems.filter((item) => !comesBack(item) && !storedIds.has(item.id)),
    /** Whether the last attempt to send the queue failed with an API error. */
    isOffline: failure !== null,
    givenBack,
    sendText: (body: string, { team }: { team?: ChatTeam } = {}) => {
      void post({ kind: 'text', conversationId, body, note: isNote, seenSeq, ...(team && { team }) })
      typed.clear()
      setGivenBack(null)
    },
    sendTemplate: (body: string, templateId: string) =>
      void post({ kind: 'text', conversationId, body, templateId, seenSeq }),
    sendFile: (file: File, { team }: { team?: ChatTeam } = {}) =>
      void post({ kind: 'file', conversationId, file, seenSeq, ...(team && { team }) }),
  }
}
