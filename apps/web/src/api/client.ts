import type { Answer, CallArguments, ReadEndpoint } from '#domain/endpoint.ts'
import { storageKeys } from '#domain/navigation/constants.ts'
import { isLanguage } from '#entities/define/language.ts'
import { takeEarlyAnswer } from './early-answer.ts'
import { noteBuild } from './newer-build.ts'

export type FieldErrors = Record<string, string[]>

/** A failed call; the message is in the user's language if the server sent one. */
export class ApiError extends Error {
  /** HTTP status; 0 if no answer arrived. */
  readonly status: number
  readonly code: string
  readonly errors: FieldErrors
  readonly requestId: string | undefined
  /** Facts sent with a refusal, such as the row's current version. */
  readonly data: Record<string, unknown> | undefined

  constructor(
    status: number,
    code: string,
    message: string,
    errors: FieldErrors = {},
    requestId?: string,
    data?: Record<string, unknown>,
  ) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.errors = errors
    this.requestId = requestId
    this.data = data
  }

  /** First sentence of every refused field, for `form.setErrors`. */
  get fieldMessages(): Record<string, string> {
    return Object.fromEntries(Object.entries(this.errors).map(([field, sentences]) => [field, sentences[0] ?? '']))
  }

  /** Sentences for fields not on screen, plus the message if no refused field is on screen. */
  beyond(isOnScreen: (field: string) => boolean): string | null {
    const entries = Object.entries(this.errors)
    const hiddenEntries = entries.filter(([field]) => !isOnScreen(field))
    const sentences = hiddenEntries.flatMap(([, messages]) => messages)
    return (
      [...new Set(hiddenEntries.length === entries.length ? [this.message, ...sentences] : sentences)].join(' ') || null
    )
  }
}

/** Whether it is a 404: the record does not exist, or the reader may not see it. */
export const isNotFound = (error: unknown) => error instanceof ApiError && error.status === 404

/** Sentences for errors without a server answer; set once texts are loaded. */
export type ClientSentences = { offline: string; timeout: string; unknown: string }
let sentences: () => ClientSentences = () => ({ offline: '', timeout: '', unknown: '' })
let handleUnauthenticated: (reason: string) => void = () => {}
let handleForbidden: () => void = () => {}

export function configureClient(options: {
  sentences: () => ClientSentences
  onUnauthenticated: (reason: string) => void
  onForbidden: () => void
}) {
  sentences = options.sentences
  handleUnauthenticated = options.onUnauthenticated
  handleForbidden = options.onForbidden
}

const answerTimeoutMs = 30_000

export const storedToken = () => {
  try {
    return localStorage.getItem(storageKeys.token)
  } catch {
    return null
  }
}

export type Arguments = { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown }
export type CallOptions = { idempotencyKey?: string; signal?: AbortSignal; timeoutMs?: number }

/** A path such as `/pendaftaran/:id`, with its parameters filled in. */
export const pathOf = (path: string, params: Record<string, unknown> = {}) =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))

/** URL below /api, with parameters and query filled in. */
export function urlOf(path: string, { params = {}, query = {} }: Arguments = {}) {
  const filledPath = pathOf(path, params)
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined && item !== null && item !== '') search.append(name, String(item))
    }
  }
  const tail = search.toString()
  return `/api${filledPath}${tail ? `?${tail}` : ''}`
}

export const headersOf = (options: CallOptions = {}, token = storedToken()): Record<string, string> => ({
  Accept: 'application/json',
  'Accept-Language': isLanguage(document.documentElement.lang) ? document.documentElement.lang : 'en',
  ...(token ? { Authorization: `Bearer ${token}` } : {}),
  ...(options.idempotencyKey ? { 'Idempotency-Key': options.idempotencyKey } : {}),
})

export const unreachableError = (timedOut: boolean) =>
  timedOut ? new ApiError(0, 'timeout', sentences().timeout) : new ApiError(0, 'offline', sentences().offline)

export function toApiError(status: number, text: string, requestId: string | null, token: string | null): ApiError {
  let answer: {
    message?: string
    code?: string
    errors?: FieldErrors
    request_id?: string
    data?: Record<string, unknown>
  } = {}
  try {
    answer = JSON.parse(text)
  } catch {
    // A proxy may answer with its own page instead of JSON.
  }
  // Only an answer to the current token may end the session; a late answer must not end the next one.
  if (status === 401 && answer.code === 'unauthenticated' && token && token === storedToken())
    handleUnauthenticated(answer.message ?? sentences().unknown)
  if (status === 403 && /^(forbidden|totp_setup_required)$/.test(answer.code ?? '') && token) handleForbidden()
  return new ApiError(
    status,
    answer.code ?? 'internal',
    answer.message ?? sentences().unknown,
    answer.errors,
    answer.request_id ?? requestId ?? undefined,
    answer.data,
  )
}

/** A truncated answer counts as no answer, because the server may or may not have acted. */
async function send<T>(
  { method, url, body }: { method: string; url: string; body?: unknown },
  read: (response: Response) => Promise<T>,
  options: CallOptions = {},
): Promise<T> {
  const token = storedToken()
  const timeout = AbortSignal.timeout(options.timeoutMs ?? answerTimeoutMs)
  let failedAnswer: { response: Response; text: string }
  try {
    const headers = headersOf(options, token)
    const early = method === 'GET' ? await takeEarlyAnswer(url, token, headers['Accept-Language']!) : undefined
    const response =
      early ??
      (await fetch(url, {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
        body: body === undefined ? undefined : JSON.stringify(body),
        signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
      }))
    noteBuild(response.headers.get('x-web-build'))
    if (response.ok) return await read(response)
    failedAnswer = { response, text: await response.text() }
  } catch (error) {
    if (options.signal?.aborted) throw error
    throw unreachableError(timeout.aborted)
  }
  throw toApiError(
    failedAnswer.response.status,
    failedAnswer.text,
    failedAnswer.response.headers.get('x-request-id'),
    token,
  )
}

export type OptionalWhenEmpty<A> =
  Record<never, never> extends A ? [args?: A, options?: CallOptions] : [args: A, options?: CallOptions]

/** Calls a reading endpoint and returns its typed answer; throws `ApiError`. Writes go through `sendOnce`. */
export async function call<const E extends ReadEndpoint>(
  endpoint: E,
  ...[args, options]: OptionalWhenEmpty<CallArguments<E>>
): Promise<Answer<E>> {
  const { body, ...address } = (args ?? {}) as Arguments
  return send(
    { method: endpoint.method, url: urlOf(endpoint.path, address), body },
    async (response) => (response.status === 204 ? undefined : await response.json()) as Answer<E>,
    options,
  )
}

/** Reads a file that needs the bearer token, such as a PDF or export. */
export async function fetchFile(path: string, query?: Record<string, unknown>, options?: CallOptions): Promise<Blob> {
  return send({ method: 'GET', url: urlOf(path, { query }) }, (response) => response.blob(), options)
}

/** Reads such a file and saves it under a name. */
export async function download(path: string, name: string, query?: Record<string, unknown>, options?: CallOptions) {
  const address = URL.createObjectURL(await fetchFile(path, query, options))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
