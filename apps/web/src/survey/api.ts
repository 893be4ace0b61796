import type { OpenSurvey, ResponseOutcome, SentResponse } from '#domain/surveys/public-endpoints.ts'
import type { FoundSchool } from './form/field.tsx'

/** A failed call. `status` is 0 if no usable answer arrived. */
export class CallFailure extends Error {
  readonly status: number
  readonly code: string
  /** Wait that the server asks for. 0 if the server asks for none. */
  readonly retryAfterMs: number

  constructor(status: number, code = '', retryAfterMs = 0) {
    super(`${status} ${code}`)
    this.status = status
    this.code = code
    this.retryAfterMs = retryAfterMs
  }

  /** Whether sending the same request again is pointless. */
  get isFinal(): boolean {
    return this.status >= 400 && this.status < 500 && ![401, 404, 408, 425, 429].includes(this.status)
  }

  /** Whether the server failed in a way that the content sent may have caused. */
  get isServerError(): boolean {
    return this.status === 500 || this.status === 501
  }
}

/**
 * Calls the server without a session, because other people may answer surveys on this device. Throws `CallFailure`.
 */
async function ask<T>(path: string, { timeoutMs, ...init }: RequestInit & { timeoutMs: number }): Promise<T> {
  let response: Response
  let text: string
  try {
    response = await fetch(`/api/survei/${path}`, {
      ...init,
      headers: { Accept: 'application/json', 'Accept-Language': document.documentElement.lang, ...init.headers },
      signal: AbortSignal.timeout(timeoutMs),
    })
    text = await response.text()
  } catch {
    throw new CallFailure(0)
  }
  let answer: { data?: T; code?: string } = {}
  try {
    answer = JSON.parse(text)
  } catch {
    // A proxy or the login page of a hotspot may answer 200 with HTML. The server was not reached then.
    if (response.ok) throw new CallFailure(0)
  }
  const retryAfterMs = Number(response.headers.get('retry-after')) * 1000 || 0
  if (!response.ok) throw new CallFailure(response.status, answer.code, retryAfterMs)
  if (answer.data === undefined) throw new CallFailure(0)
  return answer.data
}

const at = (slug: string, ...path: string[]) => [slug, ...path].map(encodeURIComponent).join('/')

export const fetchSurvey = (slug: string, timeoutMs: number) => ask<OpenSurvey>(at(slug), { timeoutMs })

export const postResponses = (slug: string, responses: readonly SentResponse[]) =>
  ask<ResponseOutcome[]>(at(slug, 'responses'), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ sentAt: new Date().toISOString(), responses }),
    timeoutMs: 60_000,
  })

export function postPhoto(slug: string, responseId: string, photoId: string, photo: Blob) {
  const body = new FormData()
  body.append('file', photo, `${photoId}.jpg`)
  return ask<{ id: string }>(at(slug, 'responses', responseId, 'photos', photoId), {
    method: 'POST',
    body,
    timeoutMs: 120_000,
  })
}

export const findSchools = (slug: string, text: string) =>
  ask<FoundSchool[]>(`${at(slug, 'schools')}?q=${encodeURIComponent(text)}`, { timeoutMs: 8_000 })
