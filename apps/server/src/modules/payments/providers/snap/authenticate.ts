import { bankCalendar } from '#domain/calendar.ts'
import type { Connection } from '#server/modules/payments/providers/connection.ts'
import type { RawReport, ReportAnswer } from '#server/modules/payments/providers/provider.ts'
import { readTime } from '#server/modules/payments/providers/read-time.ts'
import type { Services } from '#server/platform/services.ts'
import { sameText } from '#server/platform/signed-text.ts'
import { answerOf, type SnapCase, type SnapService } from './codes.ts'
import { isHmac, isRsa, serviceText, signedBodies, tokenText } from './signature.ts'
import { isToken, makeToken, tokenSeconds } from './token.ts'

type Refusal = { name: SnapCase; more?: string }

const header = ({ headers }: RawReport, name: string) => {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}

/** Credentials of a bank. Changing any of them invalidates its tokens. */
const credentialsOf = ({ code, settings, secret }: Connection) => ({
  code,
  credentials: `${settings.inboundClientKey}\n${secret('inboundSecret') ?? ''}`,
})

/** Refuses a request without a valid timestamp or with one too far from the server's clock. */
function checkTime(services: Services, { settings }: Connection, report: RawReport): Refusal | null {
  const text = header(report, 'x-timestamp')
  if (!text) return { name: 'missingField', more: '{X-TIMESTAMP}' }
  const at = readTime(text)
  if (!at) return { name: 'invalidField', more: '{X-TIMESTAMP}' }
  const off = Math.abs(services.clock.now().getTime() - at.getTime())
  return off > settings.clockMinutes * 60_000 ? { name: 'unauthorized', more: '[Timestamp]' } : null
}

/** The path the bank signs, by agreement: the full path it calls, or the part after the portal's prefix. */
const signedPath = ({ code, settings }: Connection, path: string) =>
  settings.signedPath === 'short' ? path.replace(`/api/snap/${code}`, '') : path

function isSigned(connection: Connection, report: RawReport, accessToken: string): boolean {
  const { settings, secret } = connection
  const { method } = report
  const timestamp = header(report, 'x-timestamp')
  const signature = header(report, 'x-signature')
  const path = signedPath(connection, report.path)
  const bodies = signedBodies(report.body, settings.bodyForm)
  if (settings.inboundSignature === 'asymmetric')
    return (
      settings.bankPublicKey !== '' &&
      bodies.some((body) => isRsa(serviceText({ method, path, body, timestamp }), settings.bankPublicKey, signature))
    )
  const key = secret('inboundSecret')
  if (!key) return false
  return bodies.some((body) => isHmac(serviceText({ method, path, accessToken, body, timestamp }), key, signature))
}

/** Refuses a service call without a valid token, time or signature. No field of the body is trusted before that. */
function checkSignature(services: Services, connection: Connection, report: RawReport): Refusal | null {
  const wrongTime = checkTime(services, connection, report)
  if (wrongTime) return wrongTime
  const { settings } = connection
  const token = /^Bearer\s+(\S+)$/i.exec(header(report, 'authorization'))?.[1] ?? ''
  const needsToken = settings.inboundSignature === 'symmetric'
  if (needsToken && !isToken(services, credentialsOf(connection), token)) return { name: 'invalidToken' }
  return isSigned(connection, report, token) ? null : { name: 'unauthorized', more: '[Signature]' }
}

/**
 * Refuses a signed call unless it names the partner and channel of the connection and carries its own request number.
 */
function checkHeaders({ settings }: Connection, report: RawReport): Refusal | null {
  if (settings.inboundPartnerId && !sameText(header(report, 'x-partner-id'), settings.inboundPartnerId))
    return { name: 'unauthorized', more: '[Unknown client]' }
  const channelId = header(report, 'channel-id')
  if (settings.inboundChannelId && !channelId) return { name: 'missingField', more: '{CHANNEL-ID}' }
  if (settings.inboundChannelId && !sameText(channelId, settings.inboundChannelId))
    return { name: 'unauthorized', more: '[Unknown client]' }
  const externalId = header(report, 'x-external-id')
  if (!externalId) return { name: 'missingField', more: '{X-EXTERNAL-ID}' }
  return /^[A-Za-z0-9]{1,36}$/.test(externalId) ? null : { name: 'invalidField', more: '{X-EXTERNAL-ID}' }
}

type Refused = { kind: 'wrong_signature' | 'malformed'; answer: ReportAnswer }

/** Refuses a service call that the bank has not signed; `kind` says how the call is stored. */
export const refuseUnsigned = (
  services: Services,
  connection: Connection,
  report: RawReport,
  service: SnapService,
): Refused | null => refusedAs(service, checkSignature(services, connection, report))

/** Refuses a signed call whose headers do not match the connection. */
export const refuseHeaders = (connection: Connection, report: RawReport, service: SnapService): Refused | null =>
  refusedAs(service, checkHeaders(connection, report))

function refusedAs(service: SnapService, refusal: Refusal | null): Refused | null {
  if (!refusal) return null
  const answer = answerOf(service, refusal.name, refusal.more)
  return { kind: answer.status === 401 ? 'wrong_signature' : 'malformed', answer }
}

/** Gives a bank a token for the service calls if it has signed the request with its private key. */
export function answerToken(services: Services, connection: Connection, report: RawReport): ReportAnswer {
  const refuse = ({ name, more }: Refusal) => answerOf('73', name, more)
  const clientKey = header(report, 'x-client-key')
  if (!clientKey) return refuse({ name: 'missingField', more: '{X-CLIENT-KEY}' })
  // A wrong clock gets the code of a wrong signature; text that is no time has its own code.
  const wrongTime = checkTime(services, connection, report)
  if (wrongTime) return refuse(wrongTime.name === 'invalidField' ? { ...wrongTime, name: 'invalidField' } : wrongTime)
  const { settings } = connection
  if (!settings.inboundClientKey || !sameText(clientKey, settings.inboundClientKey))
    return refuse({ name: 'unauthorized', more: '[Unknown client]' })
  const text = tokenText(clientKey, header(report, 'x-timestamp'))
  if (!settings.bankPublicKey || !isRsa(text, settings.bankPublicKey, header(report, 'x-signature')))
    return refuse({ name: 'unauthorized', more: '[Signature]' })
  let body: unknown
  try {
    body = JSON.parse(report.body.toString('utf8'))
  } catch {
    return refuse({ name: 'badRequest' })
  }
  const { grantType, grant_type: other } = (body ?? {}) as Record<string, unknown>
  const grant = grantType ?? other
  if (grant === undefined) return refuse({ name: 'missingField', more: '{grantType}' })
  if (grant !== 'client_credentials') return refuse({ name: 'invalidField', more: '{grantType}' })
  return answerOf('73', 'ok', undefined, {
    accessToken: makeToken(services, credentialsOf(connection)),
    tokenType: 'BearerToken',
    expiresIn: String(tokenSeconds),
  })
}

/**
 * Stores the number of a request, which counts once per day in Jakarta. The same number with the same content is a
 * repetition; with other content it is refused.
 */
export async function takeExternalId(
  { db, clock }: Services,
  { code }: Connection,
  report: RawReport,
  service: SnapService,
  requestId: string,
): Promise<'new' | 'again' | 'used'> {
  const now = clock.now()
  const key = { provider: code, day: bankCalendar.dayOf(now), externalId: header(report, 'x-external-id') }
  const inserted = await db
    .insertInto('snapExternalIds')
    .values({ ...key, service, requestId, receivedAt: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('externalId')
    .executeTakeFirst()
  if (inserted) return 'new'
  const first = await db
    .selectFrom('snapExternalIds')
    .select(['service', 'requestId'])
    .where('provider', '=', key.provider)
    .where('day', '=', key.day)
    .where('externalId', '=', key.externalId)
    .executeTakeFirstOrThrow()
  return first.service === service && first.requestId === requestId ? 'again' : 'used'
}
