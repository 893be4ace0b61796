/** @jsxImportSource preact */
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import { keepFlushing } from '#web/offline/send-queue.ts'
import { CallFailure } from './api.ts'
import type { FinishedAnswers } from './finished-answers.ts'
import type { Say } from './say.ts'

const pauses = { idleMs: 10_000, firstMs: 5_000, longestMs: 300_000 }

/**
 * Milliseconds to wait after `failures` failed attempts in a row. `retryAfterMs` is the wait that the server asked for,
 * or 0.
 */
export function pauseAfter(failures: number, retryAfterMs: number): number {
  if (failures === 0) return pauses.idleMs
  const growing = Math.min(pauses.longestMs, pauses.firstMs * 2 ** (failures - 1))
  // Jitter, so that phones whose attempts failed at the same moment do not all retry together.
  return Math.max(growing, retryAfterMs) * (1 + Math.random() / 2)
}

/** Finished responses on this device that wait to be sent, and those that the server refused. */
export type Counts = { waiting: number; refused: number }

/**
 * Sends the waiting responses in `finished` while the page is open. `failure` is the error of the last attempt, or
 * null.
 */
export function useSending(finished: FinishedAnswers) {
  const [counts, setCounts] = useState<Counts>({ waiting: 0, refused: 0 })
  const [failure, setFailure] = useState<CallFailure | null>(null)
  const channel = useMemo(() => new BroadcastChannel(finished.topic), [finished])

  const recount = useCallback(async () => setCounts(await finished.count()), [finished])
  /** Recounts in the survey's other tabs too, because all tabs share the stored responses. */
  const recountEverywhere = useCallback(() => {
    channel.postMessage('changed')
    void recount()
  }, [channel, recount])
  const flush = useCallback(async () => {
    let outcome: CallFailure | null = null
    try {
      if (!navigator.onLine) throw new CallFailure(0)
      await finished.send(recountEverywhere)
    } catch (error) {
      outcome = error instanceof CallFailure ? error : new CallFailure(0)
    }
    setFailure(outcome)
    await recount()
    return outcome
  }, [finished, recountEverywhere, recount])

  useEffect(() => {
    channel.onmessage = () => void recount()
    let retryAfterMs = 0
    const attempt = async () => {
      const outcome = await flush()
      retryAfterMs = outcome?.retryAfterMs ?? 0
      return outcome === null
    }
    return keepFlushing(attempt, (failures) => pauseAfter(failures, retryAfterMs))
  }, [channel, recount, flush])

  return { counts, failure, flush, recountEverywhere }
}

/** Whether the browser reports a network. Calls `onReturn` when the network returns. */
export function useOnline(onReturn: () => void) {
  const [isOnline, setOnline] = useState(navigator.onLine)
  useEffect(() => {
    const follow = () => {
      setOnline(navigator.onLine)
      if (navigator.onLine) onReturn()
    }
    addEventListener('online', follow)
    addEventListener('offline', follow)
    return () => {
      removeEventListener('online', follow)
      removeEventListener('offline', follow)
    }
  }, [onReturn])
  return isOnline
}

/** Why an attempt to send failed, as a key under `reasons` in the survey form's texts. */
function reasonOf(failure: CallFailure): string {
  if (failure.status === 0) return 'network'
  if (failure.status === 404) return 'gone'
  return failure.isServerError ? 'server' : 'busy'
}

/** Sentences that count the waiting and the refused responses. `Short` forms are for the page's title. */
export const countTexts = (say: Say, { waiting, refused }: Counts, form: '' | 'Short' = '') => [
  ...(waiting > 0 ? [say(`waiting${form}`, { count: waiting })] : []),
  ...(refused > 0 ? [say(`refused${form}`, { count: refused })] : []),
]

type LineProps = {
  say: Say
  counts: Counts
  failure: CallFailure | null
  /** Whether the server seems out of reach, even if the browser reports a network. */
  isCutOff: boolean
  isOnline: boolean
  flush: () => Promise<unknown>
}

/** Shows the counts, and that the page is offline or why sending failed. Has a button to send now. */
export function WaitingLine({ say, counts, failure, isCutOff, isOnline, flush }: LineProps) {
  const texts = countTexts(say, counts)
  const hasWaiting = counts.waiting > 0
  const trouble = hasWaiting && failure ? say('trouble', { reason: say(`reasons.${reasonOf(failure)}`) }) : ''
  const isOffline = !isOnline || isCutOff || failure?.status === 0
  const reason = isOffline ? say('offline') : trouble
  return (
    <div class="page-waiting" hidden={texts.length === 0 && !isOffline}>
      <p class="page-count" role="status" hidden={texts.length === 0}>
        {texts.length > 0 && `${texts.join('. ')}.`}
      </p>
      <p class="sv-help" hidden={reason === ''}>
        {reason}
      </p>
      <button type="button" class="sv-button sv-outline" hidden={!hasWaiting || !isOnline} onClick={() => void flush()}>
        {say('tryNow')}
      </button>
    </div>
  )
}
