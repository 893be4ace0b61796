import { z } from 'zod'
import { callBank } from '#server/modules/payments/providers/call-bank.ts'
import type { Connection } from '#server/modules/payments/providers/connection.ts'
import { BankFailure } from '#server/modules/payments/providers/provider.ts'
import type { Services } from '#server/platform/services.ts'
import { refusal } from './refusal.ts'
import { jakartaTime, rsaOf, tokenText } from './signature.ts'

const tokenAnswer = z.object({ accessToken: z.string().min(1), expiresIn: z.coerce.number().optional() })

type Tokens = Map<string, { token: string; until: number }>

/** Access tokens by bank and key, used until a minute before the bank's expiry. */
const tokensOf = new WeakMap<Services['config'], Tokens>()

/** The access token for calls to the bank; `fresh` requests a new one even if the last is still valid. */
export async function accessToken(services: Services, connection: Connection, fresh = false): Promise<string> {
  const { code, baseUrl, settings } = connection
  const now = services.clock.now()
  const tokens = tokensOf.get(services.config) ?? new Map()
  tokensOf.set(services.config, tokens)
  // A changed key or address needs a new token.
  const tokenKey = `${code} ${settings.clientKey} ${baseUrl}`
  const found = tokens.get(tokenKey)
  if (!fresh && found && found.until > now.getTime()) return found.token

  const answer = await callBank(services, code, {
    action: 'token',
    method: 'POST',
    url: baseUrl + settings.tokenPath,
    headers: signedHeaders(connection, jakartaTime(now)),
    body: JSON.stringify({ grantType: 'client_credentials' }),
  })
  const read = tokenAnswer.safeParse(answer.json)
  if (answer.status !== 200 || !read.success) throw refusal(answer)
  const seconds = read.data.expiresIn ?? 900
  tokens.set(tokenKey, {
    token: read.data.accessToken,
    until: services.clock.now().getTime() + Math.max(0, seconds - 60) * 1000,
  })
  return read.data.accessToken
}

function signedHeaders({ settings, secret }: Connection, timestamp: string) {
  const key = secret('privateKey')
  if (!key || !settings.clientKey) throw new BankFailure('refused', 'no keys for calling the bank')
  try {
    const signature = rsaOf(tokenText(settings.clientKey, timestamp), key)
    return { 'X-CLIENT-KEY': settings.clientKey, 'X-TIMESTAMP': timestamp, 'X-SIGNATURE': signature }
  } catch {
    throw new BankFailure('refused', 'the private key cannot be used')
  }
}
