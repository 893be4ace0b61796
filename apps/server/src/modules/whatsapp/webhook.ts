import crypto from 'node:crypto'
import { systemActor } from '#server/platform/access/authorization.ts'
import { AppError, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { sameText } from '#server/platform/signed-text.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { unseal } from './connections/secrets.ts'
import { keepItems } from './items/keep-items.ts'
import { takeApart } from './items/take-apart.ts'
import { takeStatuses } from './items/take-statuses.ts'

async function getCloud({ db }: Services, id: string) {
  const connection = await db
    .selectFrom('whatsappConnections')
    .selectAll()
    .where('id', '=', id)
    .where('kind', '=', 'cloud')
    .executeTakeFirst()
  if (!connection) throw notFound('whatsapp connection')
  return connection
}

type Question = {
  'hub.mode'?: string | undefined
  'hub.verify_token'?: string | undefined
  'hub.challenge'?: string | undefined
}

/** Meta's challenge if the verify token is right; 403 otherwise. */
export async function answerChallenge(services: Services, id: string, question: Question): Promise<string> {
  const connection = await getCloud(services, id)
  const expected = unseal(services, id, 'verifyToken', connection.verifyTokenSealed)
  const { 'hub.mode': mode, 'hub.verify_token': token, 'hub.challenge': challenge } = question
  if (mode !== 'subscribe' || !challenge || !token || !expected || !sameText(token, expected))
    throw new AppError(403, 'whatsapp_webhook_refused')
  return challenge
}

/** Whether the received bytes are signed with the app's secret. Serialising them again would change them. */
function isSigned(body: Buffer, signature: unknown, appSecret: string | undefined) {
  if (!appSecret || typeof signature !== 'string') return false
  return sameText(signature, `sha256=${crypto.createHmac('sha256', appSecret).update(body).digest('hex')}`)
}

/**
 * Stores a notice from Meta; 401 unless it is signed with the connection's secret. Its items are committed unchanged
 * before any is parsed, so that nothing is lost after Meta gets its 200.
 */
export async function takeNotice(services: Services, id: string, body: Buffer, signature: unknown) {
  const connection = await getCloud(services, id)
  if (!isSigned(body, signature, unseal(services, id, 'appSecret', connection.appSecretSealed)))
    throw new AppError(401, 'whatsapp_webhook_refused')
  const items = takeApart(body, connection.phoneNumberId)
  if (items.length === 0) return
  const newItems = await inTransaction(services, systemActor, (context) =>
    keepItems({ ...context, now: services.clock.now() }, id, items),
  )
  await takeStatuses(
    services,
    id,
    newItems.flatMap((item) => (item.kind === 'status' ? item.id : [])),
  )
}
