import { useCallback } from 'react'
import type { Answer, CallArguments, Endpoint } from '#domain/endpoint.ts'
import { ApiError, type Arguments, type CallOptions, call, urlOf } from './client.ts'
import { queryClient } from './query.ts'

/** A write of this page that has no answer yet. */
type Sending = {
  key: string
  at: number
  /** Unknown after a reload. */
  input?: string
  /** Undefined once the answer was lost. */
  answer?: Promise<unknown> | undefined
  /** The server may have carried out an earlier try. */
  uncertain: boolean
}
type Write = { method: Endpoint['method'] | 'UPLOAD'; url: string; input: string }

/** The server forgets keys after 24 hours; one that old protects nothing. */
const keptMs = 23 * 3_600_000
const unanswered = new Map<string, Sending[]>()
const prefix = 'unanswered:'

/** `crypto.randomUUID` is missing on pages served without TLS. */
const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

function stored(place: string): Sending[] {
  try {
    const keys: [key: string, at: number][] = JSON.parse(sessionStorage.getItem(prefix + place) ?? '[]')
    return keys.map(([key, at]) => ({ key, at, uncertain: true }))
  } catch {
    return []
  }
}

/** Keys of POST outlive a reload; what the others write twice is the same thing or refused as stale. */
function remember(place: string, sendings: Sending[]) {
  unanswered.set(place, sendings)
  if (!place.startsWith('POST ')) return
  try {
    if (sendings.length === 0) sessionStorage.removeItem(prefix + place)
    else sessionStorage.setItem(prefix + place, JSON.stringify(sendings.map(({ key, at }) => [key, at])))
  } catch {
    // A full or forbidden storage loses the key at a reload only.
  }
}

/** Whether an answer says what became of the key, so that the next write needs another one. */
const settles = (error: unknown, { uncertain }: Sending) => {
  if (!(error instanceof ApiError) || error.status < 400 || error.status >= 500) return false
  // Any other refusal of a later try may come from before the key was looked up: it tells nothing of the first try.
  return !uncertain || ['idempotency_mismatch', 'answer_lost'].includes(error.code)
}

/**
 * Transmits a write under a key that stays until an answer has come: sent again after a lost answer it happens once, and
 * sent twice at the same moment it is one transmission. A POST keeps its key even when its input has changed, because the
 * first may have made something: the server then carries out the new input only when nothing came of the first.
 */
export function sendWithKey<T>({ method, url, input }: Write, transmit: (key: string) => Promise<T>): Promise<T> {
  const place = `${method} ${url}`
  const young = (unanswered.get(place) ?? stored(place)).filter(({ at }) => Date.now() - at < keptMs)
  const same = young.find((one) => one.input === input)
  if (same?.answer) return same.answer as Promise<T>
  const lost = same ?? (method === 'POST' ? young.find(({ answer }) => !answer) : undefined)
  const sending: Sending = lost ? { ...lost, input } : { key: newKey(), at: Date.now(), input, uncertain: false }
  const others = young.filter((one) => one !== lost && (one.answer || method === 'POST'))
  remember(place, [...others, sending])
  const settle = () =>
    remember(
      place,
      (unanswered.get(place) ?? []).filter((one) => one !== sending),
    )
  const answer = transmit(sending.key).then(
    (got) => {
      settle()
      return got
    },
    (error: unknown) => {
      sending.answer = undefined
      if (settles(error, sending)) settle()
      else sending.uncertain = true
      // The pages behind show what the first try made.
      if (error instanceof ApiError && /^(idempotency_mismatch|answer_lost)$/.test(error.code))
        void queryClient.invalidateQueries()
      throw error
    },
  )
  sending.answer = answer
  return answer
}

type Given<E extends Endpoint> =
  Record<never, never> extends CallArguments<E> ? [args?: CallArguments<E>] : [args: CallArguments<E>]
type Transmit = (endpoint: Endpoint, args: Arguments, options: CallOptions) => Promise<unknown>

/** `useSend` for what is sent outside of components. */
export function sendOnce<const E extends Endpoint>(endpoint: E, ...[args = {} as CallArguments<E>]: Given<E>) {
  const { body, ...place } = args as Arguments
  return sendWithKey(
    { method: endpoint.method, url: urlOf(endpoint.path, place), input: JSON.stringify(body) ?? '' },
    (idempotencyKey) => (call as Transmit)(endpoint, args as Arguments, { idempotencyKey }) as Promise<Answer<E>>,
  )
}

/** Sends a write; double taps, lost answers and reloads do not make it happen twice. */
export const useSend = <const E extends Endpoint>(endpoint: E) =>
  useCallback((...given: Given<E>) => sendOnce(endpoint, ...given), [endpoint])
