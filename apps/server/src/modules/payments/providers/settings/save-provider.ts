import crypto from 'node:crypto'
import { promisify } from 'node:util'
import { fieldChanges } from '#domain/payments/approvals/compare-fields.ts'
import type { NewProvider, ProviderChange } from '#domain/payments/providers/endpoints.ts'
import { type ProviderKind, usualMaximumAmount } from '#domain/payments/providers/provider-kinds.ts'
import type { ProviderAccount } from '#server/modules/payments/providers/configured.ts'
import { forgetProviders } from '#server/modules/payments/providers/index.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { conflict, invalid } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'
import { type Content, problemsOf } from './check-input.ts'
import { askConnection } from './connection-change.ts'
import { fieldsOfConnection, isOnlyName } from './connection-fields.ts'
import { getProviderAccount } from './find-providers.ts'
import { contentOf, isTaken, lockConnections, storedOf, writeBanks } from './stored-connection.ts'

/** Throws 422 with every error of an entered connection, including its new keys. */
async function refuse(tx: Tx, kind: ProviderKind, content: Content, before?: ProviderAccount) {
  const problems = problemsOf(kind, content, await storedOf(tx, content, before))
  if (Object.keys(problems).length > 0) throw invalid(problems)
}

/** Requests a new connection. */
export const createProvider = (services: Services, actor: Actor, { code, kind, reason, ...content }: NewProvider) =>
  inTransaction(services, actor, async (context) => {
    const { tx } = context
    await lockConnections(tx, null)
    await refuse(tx, kind, content)
    const whole = { ...content, maximumAmount: content.maximumAmount ?? usualMaximumAmount }
    return askConnection(context, { id: null, action: 'add', code, kind, content: whole, reason })
  })

/** Requests a change of a connection; a change of names alone is saved at once. */
export async function updateProvider(
  services: Services,
  actor: Actor,
  id: string,
  { version, reason, ...changed }: ProviderChange,
): Promise<{ approvalId: string | null }> {
  const result = await inTransaction(services, actor, async (context) => {
    const { tx } = context
    await lockConnections(tx, id)
    const before = await getProviderAccount(tx, id)
    if (before.version !== version) throw conflict('stale_version')
    const content = { ...changed, maximumAmount: changed.maximumAmount ?? before.maximumAmount }
    await refuse(tx, before.kind, content, before)
    const { code, kind } = before
    if (Object.keys(content.secrets).length === 0 && (await changesNamesOnly(tx, before, content)))
      return rename(context, before, content)
    return askConnection(context, { id, action: 'edit', code, kind, content, reason })
  })
  forgetProviders(services)
  return result
}

async function changesNamesOnly(tx: Tx, before: ProviderAccount, content: Content) {
  const { code, kind } = before
  const fields = { code, kind, secrets: {} }
  const current = await contentOf(tx, before)
  return fieldChanges(
    fieldsOfConnection({ ...current, ...fields }),
    fieldsOfConnection({ ...content, ...fields }),
  ).every(isOnlyName)
}

async function rename({ tx, services, actor }: Context, before: ProviderAccount, { name, banks }: Content) {
  const { id } = before
  const waits = await tx
    .selectFrom('approvalRequests')
    .select('id')
    .where('providerAccountId', '=', id)
    .where('status', '=', 'pending')
    .executeTakeFirst()
  if (waits) throw conflict('already_requested')
  if (await isTaken(tx, 'name', name, id)) throw invalid({ name: 'already_exists' })
  const { banks: banksBefore } = await contentOf(tx, before)
  await tx
    .updateTable('providerAccounts')
    .set({ name, version: before.version + 1, updatedAt: services.clock.now(), updatedBy: actor.accountId })
    .where('id', '=', id)
    .execute()
  await writeBanks(tx, id, banks)
  const namesOf = (some: Content['banks']) => some.map((bank) => bank.name)
  await recordAudit(tx, actor, {
    action: 'provider.rename',
    on: { provider: id },
    before: { name: before.name, banks: namesOf(banksBefore) },
    after: { name, banks: namesOf(banks) },
  })
  return { approvalId: null }
}

/** Requests to replace keys of a SNAP connection with keys made here. */
const askKeys = (
  services: Services,
  actor: Actor,
  id: string,
  newKeys: { secrets: Content['secrets']; inboundClientKey?: string; publicKey?: string },
) =>
  inTransaction(services, actor, async (context) => {
    const { tx } = context
    await lockConnections(tx, id)
    const before = await getProviderAccount(tx, id)
    const { code, kind, snap, ...current } = await contentOf(tx, before)
    if (!snap) throw conflict('invalid_input')
    const { inboundClientKey = snap.inboundClientKey, publicKey, secrets } = newKeys
    return askConnection(context, {
      id,
      action: 'keys',
      code,
      kind,
      content: { ...current, snap: { ...snap, inboundClientKey }, secrets },
      ...(publicKey && { publicKey }),
    })
  })

/** A new client name and secret for a bank that signs with them. The secret is only in this response. */
export async function makeInboundSecret(services: Services, actor: Actor, id: string) {
  const clientKey = crypto.randomUUID()
  const secret = crypto.randomBytes(32).toString('base64url')
  const approval = await askKeys(services, actor, id, {
    secrets: { inboundSecret: secret },
    inboundClientKey: clientKey,
  })
  return { clientKey, secret, ...approval }
}

const generate = promisify(crypto.generateKeyPair)

/** A new key pair for signing the portal's calls; the bank receives the public half. */
export async function makeKeyPair(services: Services, actor: Actor, id: string) {
  const { privateKey, publicKey } = await generate('rsa', { modulusLength: 2048 })
  return askKeys(services, actor, id, {
    secrets: { privateKey: String(privateKey.export({ type: 'pkcs8', format: 'pem' })) },
    publicKey: String(publicKey.export({ type: 'spki', format: 'pem' })),
  })
}
