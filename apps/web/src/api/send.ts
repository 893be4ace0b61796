import type { Answer, CallArguments, Endpoint } from '#domain/endpoint.ts'
import { readStored, writeStored } from '#web/ui/stored.ts'
import { ApiError, type Arguments, type CallOptions, call, urlOf } from './client.ts'
import { queryClient } from './query.ts'

/** A write that has no answer yet. */
type Sending = {
  key: string
  at: number
  /** Missing after a reload. */
  input?: string
  /** Undefined after a lost answer. */
  answer?: Promise<unknown> | undefined
  /** The server may have carried out an earlier attempt. */
  uncertain: boolean
}
type Write = { method: Endpoint['method'] | 'UPLOAD'; url: string; input: string }

/** The server forgets keys after 24 hours, so an older one protects nothing. */
const keyLifetimeMs = 23 * 3_600_000
const pendingWrites = new Map<string, Sending[]>()
const prefix = 'unanswered:'

/** `crypto.randomUUID` is missing on pages served without TLS. */
const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

function loadSendings(endpointKey: string): Sending[] {
  const keys = readStored<[key: string, at: number][]>('sessionStorage', prefix + endpointKey) ?? []
  return keys.map(([key, at]) => ({ key, at, uncertain: true }))
}

/** Keys of POST survive a reload. Repeating another method gives the same result or is refused as stale. */
function remember(endpointKey: string, sendings: Sending[]) {
  pendingWrites.set(endpointKey, sendings)
  if (!endpointKey.startsWith('POST ')) return
  // If storage is full or forbidden, keys are lost only at a reload.
  const keys = sendings.length === 0 ? null : sendings.map(({ key, at }) => [key, at])
  writeStored('sessionStorage', prefix + endpointKey, keys)
}

/** Whether the answer settles this key, so that the next write needs a new one. */
const settlesKey = (error: unknown, { uncertain }: Sending) => {
  if (!(error instanceof ApiError) || error.status < 400 || error.status >= 500) return false
  // Other refusals of a later attempt may come before the server looks up the key, so they reveal nothing about the
  // first attempt.
  return !uncertain || ['idempotency_mismatch', 'answer_lost'].includes(error.code)
}

/**
 * Sends a write under a key that lasts until an answer arrives: repeated after a lost answer, it happens once; two
 * equal simultaneous writes share one request. A POST keeps its key even with changed input, because the first attempt
 * may have created something: the server carries out the new input only if the first attempt did nothing.
 */
export function sendWithKey<T>({ method, url, input }: Write, transmit: (key: string) => Promise<T>): Promise<T> {
  const endpointKey = `${method} ${url}`
  const validSendings = (pendingWrites.get(endpointKey) ?? loadSendings(endpointKey)).filter(
    ({ at }) => Date.now() - at < keyLifetimeMs,
  )
  const sameInput = validSendings.find((entry) => entry.input === input)
  if (sameInput?.answer) return sameInput.answer as Promise<T>
  const lostSending = sameInput ?? (method === 'POST' ? validSendings.find(({ answer }) => !answer) : undefined)
  const sending: Sending = lostSending
    ? { ...lostSending, input }
    : { key: newKey(), at: Date.now(), input, uncertain: false }
  const others = validSendings.filter((entry) => entry !== lostSending && (entry.answer || method === 'POST'))
  remember(endpointKey, [...others, sending])
  const settle = () =>
    remember(
      endpointKey,
      (pendingWrites.get(endpointKey) ?? []).filter((entry) => entry !== sending),
    )
  const answer = transmit(sending.key).then(
    (result) => {
      settle()
      return result
    },
    (error: unknown) => {
      sending.answer = undefined
      if (settlesKey(error, sending)) settle()
      else sending.uncertain = true
      // The pages behind must show the first attempt's result.
      if (error instanceof ApiError && /^(idempotency_mismatch|answer_lost)$/.test(error.code))
        void queryClient.invalidateQueries()
      throw error
    },
  )
  sending.answer = answer
  return answer
}

type SendArguments<E extends Endpoint> =
  Record<never, never> extends CallArguments<E> ? [args?: CallArguments<E>] : [args: CallArguments<E>]
type Transmit = (endpoint: Endpoint, args: Arguments, options: CallOptions) => Promise<unknown>

/** Sends a write; double taps, lost answers and reloads do not repeat it. */
export function sendOnce<const E extends Endpoint>(endpoint: E, ...[args = {} as CallArguments<E>]: SendArguments<E>) {
  const { body, ...address } = args as Arguments
  return sendWithKey(
    { method: endpoint.method, url: urlOf(endpoint.path, address), input: JSON.stringify(body) ?? '' },
    (idempotencyKey) => (call as Transmit)(endpoint, args as Arguments, { idempotencyKey }) as Promise<Answer<E>>,
  )
}
