import { refuseInTransaction } from '#server/platform/database/transaction-guard.ts'
import { parseAnswer, readAnswerText, withoutZeros } from '#server/platform/read-answer.ts'
import type { Services } from '#server/platform/services.ts'
import { BankFailure } from './provider.ts'

export type BankAction = 'token' | 'issue' | 'update' | 'cancel' | 'expire' | 'inquire' | 'status' | 'check'

export type BankRequest = {
  action: BankAction
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers: Record<string, string>
  /** The exact text that was signed. */
  body?: string
  virtualAccountId?: string | undefined
}

export type BankAnswer = { status: number; text: string; json: unknown }

const keptCharacters = 20_000

/** The response to a request for a token contains a secret. */
const isSecret = ({ action }: BankRequest) => action === 'token'

/**
 * Calls a bank and stores request and response without headers, which contain the keys. Throws `unavailable` if the
 * bank does not respond in time or responds with a server error.
 */
export async function callBank(services: Services, provider: string, request: BankRequest): Promise<BankAnswer> {
  refuseInTransaction('calling a bank')
  const { method, url, headers, body } = request
  const calledAt = services.clock.now()
  const began = performance.now()
  const note = (answer: { status?: number; text?: string; error?: string }) =>
    services.db
      .insertInto('bankCalls')
      .values({
        provider,
        virtualAccountId: request.virtualAccountId ?? null,
        action: request.action,
        method,
        url: url.slice(0, 500),
        request: isSecret(request) ? null : (body ?? null),
        status: answer.status ?? null,
        answer: isSecret(request) ? null : (withoutZeros(answer.text)?.slice(0, keptCharacters) ?? null),
        error: answer.error?.slice(0, 300) ?? null,
        calledAt,
        tookMs: Math.round(performance.now() - began),
      })
      .execute()
  try {
    const response = await fetch(url, {
      method,
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body }),
      // A redirect would send the keys to an address that nobody configured.
      redirect: 'error',
      signal: AbortSignal.timeout(services.config.bankTimeoutMs),
    })
    const text = await readAnswerText(response)
    await note({ status: response.status, text })
    if (response.status >= 500 || response.status === 429)
      throw new BankFailure('unavailable', `HTTP ${response.status}`)
    return { status: response.status, text, json: parseAnswer(text) }
  } catch (error) {
    if (error instanceof BankFailure) throw error
    const { name, message, cause } = error as Error & { cause?: { code?: string } }
    const words = name === 'TimeoutError' ? 'no answer in time' : String(cause?.code ?? message)
    await note({ error: words })
    throw new BankFailure('unavailable', words)
  }
}
