import crypto from 'node:crypto'
import { parsePhone } from '#entities/define/phone.ts'
import { queueMessages } from '#server/modules/messaging/handovers/queue-messages.ts'
import { wakeSender } from '#server/modules/messaging/handovers/wake.ts'
import { urgencies } from '#server/modules/messaging/urgency.ts'
import { checkNumber } from '#server/modules/whatsapp/providers/cloud.ts'
import { accessOf } from '#server/modules/whatsapp/providers/index.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { conflict, invalid } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { sentences } from '#server/platform/text.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { getConnection, showConnection } from './find-connections.ts'
import { seal } from './secrets.ts'

/** Event of test messages. */
const testEvent = 'whatsapp-test'

/** Asks Meta about the number and stores the answer or the problem with the connection. */
export async function checkConnection(services: Services, actor: Actor, id: string) {
  const { db, clock } = services
  const connection = await getConnection(db, id)
  if (connection.kind !== 'cloud') throw conflict('whatsapp_wrong_kind')
  const access = accessOf(services, connection)
  const answer = 'problem' in access ? { ...access, detail: null } : await checkNumber(access)
  const now = clock.now()
  await db.transaction().execute(async (tx) => {
    const hasProblem = 'problem' in answer
    await tx
      .updateTable('whatsappConnections')
      .set(
        hasProblem
          ? { problem: answer.problem, problemDetail: answer.detail, problemAt: now }
          : {
              problem: null,
              problemDetail: null,
              problemAt: null,
              checkedAt: now,
              verifiedName: answer.verifiedName,
              quality: answer.quality,
              ...(answer.phone && { phone: `+${answer.phone.replace(/\D/g, '')}` }),
            },
      )
      .where('id', '=', id)
      .execute()
    if (!hasProblem) wakeSender(services)
  })
  return showConnection(services, actor, id)
}

/** Creates a new verify token for Meta's console. Only this answer contains it. */
export const renewVerifyToken = (services: Services, actor: Actor, id: string) =>
  services.db.transaction().execute(async (tx) => {
    const connection = await getConnection(tx, id, true)
    if (connection.kind !== 'cloud') throw conflict('whatsapp_wrong_kind')
    const verifyToken = crypto.randomBytes(24).toString('base64url')
    await tx
      .updateTable('whatsappConnections')
      .set({
        verifyTokenSealed: seal(services, id, 'verifyToken', verifyToken),
        verifyTokenSetAt: services.clock.now(),
      })
      .where('id', '=', id)
      .execute()
    await recordAudit(tx, actor, { action: 'whatsapp.verify_token', on: { whatsapp: id } })
    return { verifyToken }
  })

/** Sends a short text through this connection, default or not, to the given phone or the actor's own. */
export const testConnection = (services: Services, actor: Actor, id: string, phoneText: string | undefined) =>
  inTransaction(services, actor, async (context) => {
    const { tx } = context
    const connection = await getConnection(tx, id)
    if (!connection.active) throw conflict('whatsapp_inactive')
    const { phone: ownPhone, language } = await tx
      .selectFrom('accounts')
      .select(['phone', 'language'])
      .where('id', '=', actor.accountId)
      .executeTakeFirstOrThrow()
    const phone = phoneText ? parsePhone(phoneText) : ownPhone
    if (!phone) throw invalid({ phone: phoneText ? 'phone_invalid' : 'no_phone' })
    const t = sentences(language)
    const { id: messageId } = await tx
      .insertInto('messages')
      .values({
        accountId: actor.accountId,
        channel: 'whatsapp',
        toAddress: phone,
        event: testEvent,
        language,
        subject: t('whatsapp:test.subject'),
        body: t('whatsapp:test.body', { name: connection.name }),
        connectionId: id,
        createdAt: services.clock.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await queueMessages(context, [
      { id: messageId, channel: 'whatsapp', event: testEvent, urgency: urgencies.answer, boundTo: id },
    ])
    await recordAudit(tx, actor, { action: 'whatsapp.test', on: { whatsapp: id }, after: { phone } })
    return { to: phone }
  })
