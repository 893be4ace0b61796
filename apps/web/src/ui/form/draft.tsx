import { Text } from '@mantine/core'
import { useCallback, useEffect, useRef, useState } from 'react'
import { timeOfDay } from '#locales/format.ts'
import { readStored, writeStored } from '#web/ui/stored.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { draftPrefix } from './forget-drafts.ts'

const saveDelayMs = 400

type StoredDraft<T> = { at: number; value: T }

/**
 * State that survives a closed tab, stored on this device per account. `clear` deletes it after sending; `restored` is
 * true if the initial value came from the device.
 */
export function useDraft<T>(key: string, initial: T) {
  const { owner } = useSurroundings()
  const place = `${draftPrefix}${owner}:${key}`
  const [start] = useState(() => readStored<StoredDraft<T>>('localStorage', place))
  const [value, setValue] = useState<T>(start ? start.value : initial)
  const [savedAt, setSavedAt] = useState<number | null>(start?.at ?? null)
  const [failed, setFailed] = useState(false)
  const pending = useRef<{ timer: ReturnType<typeof setTimeout>; value: T } | null>(null)
  const latest = useRef(value)

  const write = useCallback(
    (next: T) => {
      pending.current = null
      const at = Date.now()
      const isStored = writeStored('localStorage', place, { at, value: next } satisfies StoredDraft<T>)
      if (isStored) setSavedAt(at)
      setFailed(!isStored)
    },
    [place],
  )

  const set = useCallback(
    (next: T | ((before: T) => T)) => {
      const nextValue = typeof next === 'function' ? (next as (before: T) => T)(latest.current) : next
      latest.current = nextValue
      setValue(nextValue)
      if (pending.current) clearTimeout(pending.current.timer)
      pending.current = { value: nextValue, timer: setTimeout(() => write(nextValue), saveDelayMs) }
    },
    [write],
  )

  const clear = useCallback(() => {
    if (pending.current) clearTimeout(pending.current.timer)
    pending.current = null
    writeStored('localStorage', place, null)
    setSavedAt(null)
  }, [place])

  useEffect(() => {
    // Leaving the page within the delay must not lose the last input.
    const flush = () => {
      if (!pending.current) return
      clearTimeout(pending.current.timer)
      write(pending.current.value)
    }
    addEventListener('pagehide', flush)
    return () => {
      removeEventListener('pagehide', flush)
      flush()
    }
  }, [write])

  return [value, set, { savedAt, failed, restored: start !== null, clear }] as const
}

/** Shows when the draft was last stored on this device. */
export function DraftSaved({ savedAt, failed }: { savedAt: number | null; failed?: boolean }) {
  const { say, language } = useSurroundings()
  return (
    <Text size="sm" c="dimmed" role="status" aria-live="polite" mih="1.5em">
      {failed ? say('notSaved') : savedAt ? say('saved', { time: timeOfDay(new Date(savedAt), language) }) : ''}
    </Text>
  )
}
