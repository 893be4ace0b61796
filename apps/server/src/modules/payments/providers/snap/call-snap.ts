import crypto from 'node:crypto'
import { bankCalendar } from '#domain/calendar.ts'
import { type BankAction, type BankAnswer, callBank } from '#server/modules/payments/providers/call-bank.ts'
import type { Connection } from '#server/modules/payments/providers/connection.ts'
import { BankFailure } from '#server/modules/payments/providers/provider.ts'
import type { Services } from '#server/platform/services.ts'
import { accessToken } from './access-token.ts'
import { codedAnswer } from './refusal.ts'
import { hmacOf, jakartaTime, serviceText } from './signature.ts'

type Call = {
  action: BankAction
  method: 'POST' | 'PUT' | 'DELETE'
  name: string
  body: object
  /** Undefined for a number unknown to the books. */
  id: string | undefined
}

/**
 * Sends a signed call to a SNAP service of the bank, and once more with a new token if the bank has dropped the last
 * one.
 */
export async function callSnap(
  services: Services,
  connection: Connection,
  call: Call,
  isRetry = false,
): Promise<BankAnswer & { code: string }> {
  const { code, baseUrl, settings, secret } = connection
  const { action, method, name, id } = call
  const clientSecret = secret('clientSecret')
  if (!clientSecret) throw new BankFailure('refused', 'no client secret')
  const token = await accessToken(services, connection, isRetry)
  const url = `${baseUrl}${settings.servicePath}/${name}`
  const timestamp = jakartaTime(services.clock.now())
  const body = JSON.stringify(call.body)
  const text = serviceText({ method, path: new URL(url).pathname, accessToken: token, body, timestamp })
  const answer = await callBank(services, code, {
    action,
    method,
    url,
    body,
    virtualAccountId: id,
    headers: {
      Authorization: `Bearer ${token}`,
      'X-TIMESTAMP': timestamp,
      'X-SIGNATURE': hmacOf(text, clientSecret),
      'X-PARTNER-ID': settings.partnerId,
      'X-EXTERNAL-ID': externalId(services.clock.now()),
      'CHANNEL-ID': settings.channelId,
    },
  })
  const read = codedAnswer.safeParse(answer.json)
  const responseCode = read.success ? read.data.responseCode : `${answer.status}0000`
  // The bank dropped the token before its expiry.
  if (/^401\d\d01$/.test(responseCode) && !isRetry) return callSnap(services, connection, call, true)
  return { ...answer, code: responseCode }
}

/** Digits unique within a day: the milliseconds of the day and random digits. */
function externalId(at: Date): string {
  const milliseconds = String(at.getTime() - bankCalendar.startOfDay(bankCalendar.dayOf(at)).getTime()).padStart(8, '0')
  return milliseconds + String(crypto.randomInt(100_000_000)).padStart(8, '0')
}
