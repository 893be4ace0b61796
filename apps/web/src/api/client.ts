import type { Answer, CallArguments, ReadEndpoint } from '#domain/endpoint.ts'
import { storageKeys } from '#domain/navigation/constants.ts'

export type FieldErrors = Record<string, string[]>

/** What went wrong, already in the reader's language when the server said it. */
export class ApiError extends Error {
  /** 0: the server was not reached. */
  readonly status: number
  readonly code: string
  readonly errors: FieldErrors
  readonly requestId: string | undefined
  /** Facts that a refusal carries, such as what an entry looks like. */
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

  /** First sentence of every refused field, as `form.setErrors` wants it. */
  get fieldMessages(): Record<string, string> {
    return Object.fromEntries(Object.entries(this.errors).map(([field, sentences]) => [field, sentences[0] ?? '']))
  }

  /** What belongs to no field on the screen: the message where it names none of them, and the sentences of the others. */
  beyond(isOnScreen: (field: string) => boolean): string | null {
    const named = Object.entries(this.errors)
    const hidden = named.filter(([field]) => !isOnScreen(field))
    const sentences = hidden.flatMap(([, said]) => said)
    return [...new Set(hidden.length === named.length ? [this.message, ...sentences] : sentences)].join(' ') || null
  }
}

/** What was asked for is not there, or the reader may not see it. */
export const isNotFound = (error: unknown) => error instanceof ApiError && error.status === 404

/** Sentences for what the server cannot say itself; set once the texts are there. */
export type ClientSentences = { offline: string; timeout: string; unknown: string }
let sentences: () => ClientSentences = () => ({ offline: '', timeout: '', unknown: '' })
let unauthenticated: (because: string) => void = () => {}
let forbidden: () => void = () => {}

export function configureClient(options: {
  sentences: () => ClientSentences
  onUnauthenticated: (because: string) => void
  onForbidden: () => void
}) {
  sentences = options.sentences
  unauthenticated = options.onUnauthenticated
  forbidden = options.onForbidden
}

const answerTimeout = 30_000

export const storedToken = () => {
  try {
    return localStorage.getItem(storageKeys.token)
  } catch {
    return null
  }
}

export type Arguments = { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown }
export type CallOptions = { idempotencyKey?: string; signal?: AbortSignal }

/** `/pendaftaran/:id` with its parameters. */
export const pathOf = (path: string, params: Record<string, unknown> = {}) =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))

/** `/pendaftaran/:id` with its parameters and query, below /api. */
export function urlOf(path: string, { params = {}, query = {} }: Arguments = {}) {
  const filled = pathOf(path, params)
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== '') search.append(name, String(one))
    }
  }
  const tail = search.toString()
  return `/api${filled}${tail ? `?${tail}` : ''}`
}

export const headersOf = (options: CallOptions = {}, token = storedToken()): Record<string, string> => ({
  Accept: 'application/json',
  'Accept-Language': document.documentElement.lang === 'id' ? 'id' : 'en',
  ...(token ? { Authorization: `Bearer ${token}` } : {}),
  ...(options.idempotencyKey ? { 'Idempotency-Key': options.idempotencyKey } : {}),
})

export const notReached = (late: boolean) =>
  late ? new ApiError(0, 'timeout', sentences().timeout) : new ApiError(0, 'offline', sentences().offline)

export function refusal(status: number, text: string, requestId: string | null, token: string | null): ApiError {
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
    // A proxy may answer with a page of its own.
  }
  // Only an answer to the token we still hold may end the session: a slow one must not end its successor.
  if (status === 401 && answer.code === 'unauthenticated' && token && token === storedToken())
    unauthenticated(answer.message ?? sentences().unknown)
  if (status === 403 && /^(forbidden|totp_setup_required)$/.test(answer.code ?? '') && token) forbidden()
  return new ApiError(
    status,
    answer.code ?? 'internal',
    answer.message ?? sentences().unknown,
    answer.errors,
    answer.request_id ?? requestId ?? undefined,
    answer.data,
  )
}

/** An answer that breaks off counts like none: it says nothing about what the server did. */
async function send<T>(
  { method, url, body }: { method: string; url: string; body?: unknown },
  read: (response: Response) => Promise<T>,
  options: CallOptions = {},
): Promise<T> {
  const token = storedToken()
  const limit = AbortSignal.timeout(answerTimeout)
  let refused: { response: Response; text: string }
  try {
    const response = await fetch(url, {
      method,
      headers: { ...headersOf(options, token), ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: options.signal ? AbortSignal.any([options.signal, limit]) : limit,
    })
    if (response.ok) return await read(response)
    refused = { response, text: await response.text() }
  } catch (error) {
    if (options.signal?.aborted) throw error
    throw notReached(limit.aborted)
  }
  throw refusal(refused.response.status, refused.text, refused.response.headers.get('x-request-id'), token)
}

export type OptionalWhenEmpty<A> =
  Record<never, never> extends A ? [args?: A, options?: CallOptions] : [args: A, options?: CallOptions]

/** Reads a declared endpoint and gives its typed answer; throws `ApiError`. Writes go through `useSend`. */
export async function call<const E extends ReadEndpoint>(
  endpoint: E,
  ...[args, options]: OptionalWhenEmpty<CallArguments<E>>
): Promise<Answer<E>> {
  const { body, ...given } = (args ?? {}) as Arguments
  return send(
    { method: endpoint.method, url: urlOf(endpoint.path, given), body },
    async (response) => (response.status === 204 ? undefined : await response.json()) as Answer<E>,
    options,
  )
}

/** A file behind the bearer token (a PDF, an export), as the reader's browser may show or keep it. */
export async function fetchFile(path: string, query?: Record<string, unknown>): Promise<Blob> {
  return send({ method: 'GET', url: urlOf(path, { query }) }, (response) => response.blob())
}

/** Saves such a file under a name. */
export async function download(path: string, name: string, query?: Record<string, unknown>) {
  const address = URL.createObjectURL(await fetchFile(path, query))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
