import { keepFlushing } from '#web/offline/send-queue.ts'
import { CallFailure } from './api.ts'
import { h, setText } from './dom.ts'
import type { FinishedAnswers } from './finished-answers.ts'
import type { Say } from './say.ts'

const pauses = { idleMs: 10_000, firstMs: 5_000, longestMs: 300_000 }

/** Key of the sentence that explains a failed attempt. */
function reasonOf(failure: CallFailure): string {
  if (failure.status === 0) return 'network'
  if (failure.status === 404) return 'gone'
  return failure.isServerError ? 'server' : 'busy'
}

/**
 * Sends this device's finished answers while the page is open. Calls `onCount` whenever their numbers change, also in
 * other tabs.
 */
export function startSending(
  finished: FinishedAnswers,
  onCount: (counts: { waiting: number; refused: number }) => void,
) {
  const channel = new BroadcastChannel(finished.topic)
  let failure: CallFailure | null = null

  const recount = async () => onCount(await finished.count())
  const changed = () => {
    channel.postMessage('changed')
    void recount()
  }
  channel.onmessage = () => void recount()

  const flush = async () => {
    try {
      if (!navigator.onLine) throw new CallFailure(0)
      await finished.send(changed)
      failure = null
    } catch (error) {
      failure = error instanceof CallFailure ? error : new CallFailure(0)
    }
    await recount()
    return failure === null
  }
  keepFlushing(flush, (failures) => {
    if (failures === 0) return pauses.idleMs
    const growing = Math.min(pauses.longestMs, pauses.firstMs * 2 ** (failures - 1))
    // Jitter: phones that lost the network together must not return together.
    return Math.max(growing * (0.75 + Math.random() / 2), failure?.retryAfterMs ?? 0)
  })
  return { flush, changed, failure: () => failure }
}

/** The line with the number of waiting answers and what delays them. */
export function waitingLine(flush: () => Promise<unknown>) {
  const count = h('p', { class: 'page-count', role: 'status' })
  const reason = h('p', { class: 'sv-help' })
  const now = h('button', { type: 'button', class: 'sv-button sv-outline', click: () => void flush() })
  const element = h('div', { class: 'page-waiting', hidden: true }, count, reason, now)
  return {
    element,
    show(
      say: Say,
      { waiting, refused }: { waiting: number; refused: number },
      failure: CallFailure | null,
      isOffline: boolean,
    ) {
      const parts = [
        ...(waiting > 0 ? [say('waiting', { count: waiting })] : []),
        ...(refused > 0 ? [say('refused', { count: refused })] : []),
      ]
      setText(count, parts.length > 0 ? `${parts.join('. ')}.` : '')
      const trouble = waiting > 0 && failure ? say('trouble', { reason: say(`reasons.${reasonOf(failure)}`) }) : ''
      setText(reason, isOffline ? say('offline') : trouble)
      now.textContent = say('tryNow')
      now.hidden = waiting === 0 || isOffline
      element.hidden = parts.length === 0 && !isOffline
    },
  }
}
