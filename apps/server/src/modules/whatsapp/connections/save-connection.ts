import crypto from 'node:crypto'
import type { z } from 'zod'
import type { createConnection as createCall, updateConnection as updateCall } from '#domain/whatsapp/endpoints.ts'
import type { WhatsappKind } from '#domain/whatsapp/standing.ts'
import { parsePhone } from '#entities/define/phone.ts'
import { wakeSender } from '#server/modules/messaging/handovers/wake.ts'
import { keepDevicesJob } from '#server/modules/whatsapp/device/keep-devices.job.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { conflict, type FieldErrors, invalid } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { type Connection, getConnection, showConnection } from './find-connections.ts'
import { type SecretName, seal } from './secrets.ts'

type NewConnection = z.output<typeof createCall.body>
type ChangedConnection = z.output<typeof updateCall.body>
type Content = Omit<NewConnection, 'kind'>

/** Columns for the audit log, without secrets. The entry names changed secrets in `replaced`. */
const snapshot = (row: Connection) => ({
  name: row.name,
  kind: row.kind,
  phone: row.phone,
  active: row.active,
  isDefault: row.isDefault,
  perMinute: row.perMinute,
  perDay: row.perDay,
  phoneNumberId: row.phoneNumberId,
  businessAccountId: row.businessAccountId,
  graphUrl: row.graphUrl,
  graphVersion: row.graphVersion,
})

const secretFields = ['accessToken', 'appSecret'] as const satisfies SecretName[]

function columnsOf(services: Services, id: string, kind: WhatsappKind, content: Content, before?: Connection) {
  const problems: FieldErrors = {}
  const phone = content.phone ? parsePhone(content.phone) : null
  // An update has no `kind` in its body, so the schema cannot check this.
  if (kind === 'cloud' && !content.phoneNumberId) problems.phoneNumberId = 'field_required'
  // A token entered for one address must not be sent to another.
  if (before?.accessTokenSealed && before.graphUrl !== content.graphUrl && content.accessToken === undefined)
    problems.accessToken = 'whatsapp_token_again'
  if (Object.keys(problems).length > 0) throw invalid(problems)
  const now = services.clock.now()
  const sealedSecrets = Object.fromEntries(
    secretFields.flatMap((name) => {
      const value = content[name]
      if (value === undefined) return []
      return [
        [`${name}Sealed`, value === null ? null : seal(services, id, name, value)],
        [`${name}SetAt`, value === null ? null : now],
      ]
    }),
  )
  const { name, active, isDefault, perMinute, perDay, phoneNumberId, businessAccountId, graphUrl, graphVersion } =
    content
  return {
    name,
    active,
    isDefault,
    perMinute,
    perDay,
    phoneNumberId,
    businessAccountId,
    graphUrl,
    graphVersion,
    phone,
    ...sealedSecrets,
  }
}

const replacedSecrets = (content: Content) => secretFields.filter((name) => content[name] !== undefined)

/** Unsets the default flag of all other connections, because only one may have it. */
async function unsetOtherDefaults(tx: Tx, id: string, isDefault: boolean) {
  if (!isDefault) return
  await tx.selectFrom('whatsappConnections').select('id').orderBy('id').forUpdate().execute()
  await tx
    .updateTable('whatsappConnections')
    .set((eb) => ({ isDefault: false, version: eb('version', '+', 1) }))
    .where('isDefault', '=', true)
    .where('id', '!=', id)
    .execute()
}

async function refuseDuplicateName(tx: Tx, name: string, id: string) {
  const sameName = await tx
    .selectFrom('whatsappConnections')
    .select('id')
    .where((eb) => eb(eb.fn('lower', ['name']), '=', name.toLowerCase()))
    .where('id', '!=', id)
    .executeTakeFirst()
  if (sameName) throw invalid({ name: 'already_exists' })
}

export const createConnection = (services: Services, actor: Actor, { kind, ...content }: NewConnection) =>
  services.db.transaction().execute(async (tx) => {
    const id = crypto.randomUUID()
    const columns = columnsOf(services, id, kind, content)
    await refuseDuplicateName(tx, content.name, id)
    await unsetOtherDefaults(tx, id, content.isDefault)
    const now = services.clock.now()
    const row = await tx
      .insertInto('whatsappConnections')
      .values({
        ...columns,
        id,
        kind,
        createdAt: now,
        updatedAt: now,
        createdBy: actor.accountId,
        updatedBy: actor.accountId,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    const secrets = replacedSecrets(content)
    await recordAudit(tx, actor, {
      action: 'whatsapp.create',
      on: { whatsapp: id },
      after: { ...snapshot(row), ...(secrets.length > 0 && { replaced: secrets }) },
    })
    return showConnection(services, actor, id, tx)
  })

export const updateConnection = (
  services: Services,
  actor: Actor,
  id: string,
  { version, ...content }: ChangedConnection,
) =>
  services.db.transaction().execute(async (tx) => {
    await unsetOtherDefaults(tx, id, content.isDefault)
    const before = await getConnection(tx, id, true)
    if (before.version !== version) throw conflict('stale_version')
    const columns = columnsOf(services, id, before.kind, content, before)
    await refuseDuplicateName(tx, content.name, id)
    const secrets = replacedSecrets(content)
    const addressChanged = before.phoneNumberId !== content.phoneNumberId || before.graphUrl !== content.graphUrl
    const after = await tx
      .updateTable('whatsappConnections')
      .set({
        ...columns,
        // Results of checks belong to the number and token that were checked.
        ...((addressChanged || secrets.includes('accessToken')) &&
          before.kind === 'cloud' && {
            problem: null,
            problemDetail: null,
            problemAt: null,
            checkedAt: null,
            verifiedName: null,
            quality: null,
          }),
        // A linked phone reports its own number.
        ...(before.kind === 'device' && { phone: before.phone }),
        version: version + 1,
        updatedAt: services.clock.now(),
        updatedBy: actor.accountId,
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await recordAudit(tx, actor, {
      action: 'whatsapp.update',
      on: { whatsapp: id },
      before: snapshot(before),
      after: { ...snapshot(after), ...(secrets.length > 0 && { replaced: secrets }) },
    })
    if (before.kind === 'device') await services.jobs.enqueue(tx, keepDevicesJob, {})
    if (after.active) wakeSender(services)
    return showConnection(services, actor, id, tx)
  })

export const removeConnection = (services: Services, actor: Actor, id: string) =>
  services.db.transaction().execute(async (tx) => {
    const before = await getConnection(tx, id, true)
    if (before.isDefault) throw conflict('whatsapp_is_default')
    if (before.wish !== 'off' || before.leaseOwner) throw conflict('whatsapp_still_linked')
    const usingMessage = await tx.selectFrom('messages').select('id').where('connectionId', '=', id).executeTakeFirst()
    if (usingMessage) throw conflict('in_use')
    await tx.deleteFrom('whatsappConnections').where('id', '=', id).execute()
    await recordAudit(tx, actor, { action: 'whatsapp.delete', on: { whatsapp: id }, before: snapshot(before) })
  })
