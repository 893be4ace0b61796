import type { Answer, CallArguments, Endpoint } from '#domain/endpoint.ts'
import type { TrialRefusal } from '#domain/trial/endpoints.ts'
import type { Language } from '#entities/define/language.ts'
import { currentClaim } from '#server/platform/http/write-claim.ts'
import { type OpenTrial, startTrialSession } from './trial-host.ts'

/** A call of a trial was refused; carries the sentences an applicant or clerk would read. */
export class StepRefused extends Error {
  readonly refusal: TrialRefusal
  constructor(refusal: TrialRefusal) {
    super(refusal.message)
    this.refusal = refusal
  }
}

type File = { name: string; mime: string; bytes: Buffer }
/** `body` is sent as JSON, or as a form with a file if it is one. */
type Given = { params?: Record<string, string>; query?: Record<string, string>; body?: object }

export type Caller = {
  call<const E extends Endpoint>(
    endpoint: E,
    ...args: Record<never, never> extends CallArguments<E> ? [given?: CallArguments<E>] : [given: CallArguments<E>]
  ): Promise<Answer<E>>
  upload(endpoint: Endpoint, params: Record<string, string>, file: File): Promise<void>
}

/** Calls a trial's API as a browser would, with a session of one of its accounts. */
export async function callerOf(trial: OpenTrial, accountId: string, language: Language): Promise<Caller> {
  const { token } = await startTrialSession(trial, accountId)
  const headers = { authorization: `Bearer ${token}`, 'accept-language': language }

  async function send({ method, path }: Endpoint, { params = {}, query, body }: Given) {
    const pathname = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name]!))
    // The university's request being answered has its own idempotency claim.
    const answer = await currentClaim.exit(
      async () =>
        // Awaited here, because a call by `inject` only starts when it is awaited.
        await trial.app.inject({
          method,
          url: `/api${pathname}`,
          headers,
          ...(query && { query }),
          ...(body && { payload: body }),
        }),
    )
    if (answer.statusCode >= 400) throw refusedBy(answer.json())
    if (method !== 'GET') await trial.runJobs()
    return answer.json()
  }

  return {
    call: (endpoint, ...[given]) => send(endpoint, (given ?? {}) as Given),
    async upload(endpoint, params, { name, mime, bytes }) {
      const body = new FormData()
      body.append('file', new Blob([new Uint8Array(bytes)], { type: mime }), name)
      await send(endpoint, { params, body })
    },
  }
}

const refusedBy = ({ message, errors = {} }: { message: string; errors?: Record<string, string[]> }) =>
  new StepRefused({ message, sentences: [...new Set(Object.values(errors).flat())] })
