import crypto from 'node:crypto'
import { fieldChanges } from '#domain/payments/approvals/compare-fields.ts'
import { type ProviderSecret, usualMaximumAmount } from '#domain/payments/providers/provider-kinds.ts'
import {
  type ApprovalHandler,
  type ApprovalRequest,
  askApproval,
  questionOf,
} from '#server/modules/payments/approvals/ask-approval.ts'
import { sealSecret } from '#server/modules/payments/providers/configured.ts'
import { forgetProviders } from '#server/modules/payments/providers/index.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { conflict, invalid } from '#server/platform/errors.ts'
import type { Context } from '#server/platform/use-case.ts'
import { type Content, problemsOf } from './check-input.ts'
import { fieldsOfConnection, type RequestedConnection } from './connection-fields.ts'
import { getProviderAccount } from './find-providers.ts'
import { contentOf, isTaken, lockConnections, storedOf, writeBanks } from './stored-connection.ts'

const asRequested = (details: unknown) => details as RequestedConnection

/**
 * Adds or changes a connection once another account has approved it, because anyone with its keys can sign reports of
 * the bank.
 */
export const connectionChange: ApprovalHandler = {
  permission: 'settings-providers-update',
  lock: (tx, { providerAccountId }) => lockConnections(tx, providerAccountId),
  async effect({ tx }, { providerAccountId, details }) {
    const { replacedKeys, removedKeys, ...values } = asRequested(details)
    const before = providerAccountId ? await getProviderAccount(tx, providerAccountId) : undefined
    const removed = Object.fromEntries(removedKeys.map((name) => [name, null]))
    const stored = await storedOf(tx, { ...values, secrets: removed }, before)
    const problems = problemsOf(
      values.kind,
      { ...values, secrets: removed },
      {
        ...stored,
        secrets: new Set([...stored.secrets, ...replacedKeys]),
        secretsOfOtherAddress: stored.secretsOfOtherAddress.filter((name) => !replacedKeys.includes(name)),
      },
    )
    if (await isTaken(tx, 'name', values.name, values.id)) problems.name = 'already_exists'
    if (!before && (await isTaken(tx, 'code', values.code, values.id))) problems.code = 'already_exists'
    if (Object.keys(problems).length > 0) throw invalid(problems)
    const current = before && (await contentOf(tx, before))
    const keys = new Set(current?.secrets ?? [])
    const changes = fieldChanges(
      current ? fieldsOfConnection({ ...current, secrets: valuesOf(keys, 'stored') }) : {},
      fieldsOfConnection({
        ...values,
        secrets: {
          ...valuesOf(
            [...keys].filter((name) => !removedKeys.includes(name)),
            'stored',
          ),
          ...valuesOf(replacedKeys, 'new'),
        },
      }),
    )
    if (changes.length === 0) throw conflict('nothing_changes')
    return { amount: 0, connection: `${values.name} (${values.code})`, changes }
  },
  apply: writeConnection,
  async renewed(tx, from, to) {
    await tx
      .updateTable('approvalSecrets')
      .set({ approvalRequestId: to })
      .where('approvalRequestId', '=', from)
      .execute()
  },
  committed: (services) => forgetProviders(services),
}

const valuesOf = <V extends string>(names: Iterable<ProviderSecret>, value: V) =>
  Object.fromEntries([...names].map((name) => [name, value])) as Partial<Record<ProviderSecret, V>>

type Asked = Pick<RequestedConnection, 'action' | 'code' | 'kind' | 'publicKey'> & {
  /** Null for a new connection. */
  id: string | null
  content: Content
  reason?: string | undefined
}

/** Stores a requested change of a connection for another account to approve, with its keys sealed beside it. */
export async function askConnection(
  context: Context,
  { id, action, code, kind, publicKey, content: { secrets, ...content }, reason = '' }: Asked,
) {
  const { tx, services } = context
  const connectionId = id ?? crypto.randomUUID()
  const keys = Object.entries(secrets).map(([key, value]) => {
    const name = key as ProviderSecret
    return value === null
      ? { name, sealed: null, lastFour: null }
      : { name, sealed: sealSecret(services, connectionId, name, value), lastFour: endOf(name, value) }
  })
  const details: RequestedConnection = {
    ...content,
    action,
    code,
    kind,
    id: connectionId,
    boxes: Object.fromEntries(keys.flatMap(({ name, sealed }) => (sealed ? [[name, digestOf(sealed)]] : []))),
    replacedKeys: namesOf(secrets, (value) => value !== null),
    removedKeys: namesOf(secrets, (value) => value === null),
    ...(publicKey && { publicKey }),
  }
  const question = questionOf({ kind: 'provider_connection', providerAccountId: id, details, reason })
  const approval = await askApproval(context, connectionChange, question)
  if (keys.length > 0)
    await tx
      .insertInto('approvalSecrets')
      .values(keys.map((key) => ({ ...key, approvalRequestId: approval.id })))
      .execute()
  return { approvalId: approval.id }
}

const digestOf = (sealed: string) => crypto.createHash('sha256').update(sealed).digest('hex').slice(0, 16)

const namesOf = (secrets: Content['secrets'], isIncluded: (value: string | null) => boolean) =>
  Object.entries(secrets)
    .filter(([, value]) => isIncluded(value))
    .map(([name]) => name as ProviderSecret)
    .toSorted()

/** Enough characters to tell two keys apart. PEM files all end alike, so a digest is used for them. */
const endOf = (name: ProviderSecret, value: string) =>
  name === 'privateKey'
    ? crypto.createHash('sha256').update(value).digest('hex').slice(-4)
    : value.length >= 12
      ? value.slice(-4)
      : '••••'

async function writeConnection({ tx, services, actor }: Context, request: ApprovalRequest) {
  const now = services.clock.now()
  const {
    action,
    id,
    code,
    kind,
    banks,
    replacedKeys,
    removedKeys,
    publicKey: _publicKey,
    boxes: _boxes,
    snap,
    maximumAmount = usualMaximumAmount,
    ...rest
  } = asRequested(request.details)
  const values = { ...rest, maximumAmount }
  const before = request.providerAccountId ? await getProviderAccount(tx, request.providerAccountId) : undefined
  const was = before && (await contentOf(tx, before))
  const approved = {
    ...values,
    settings: JSON.stringify(snap ?? {}),
    approvalRequestId: request.id,
    updatedAt: now,
    updatedBy: actor.accountId,
  }
  if (before)
    await tx
      .updateTable('providerAccounts')
      .set({
        ...approved,
        version: before.version + 1,
        // A check of one address or key does not apply to another.
        ...((replacedKeys.length + removedKeys.length > 0 || before.baseUrl !== values.baseUrl) && {
          checkedAt: null,
          problem: null,
          problemDetail: null,
          problemAt: null,
        }),
      })
      .where('id', '=', id)
      .execute()
  else {
    await tx
      .insertInto('providerAccounts')
      .values({ ...approved, id, code, kind, createdAt: now, createdBy: request.requestedBy })
      .execute()
    await tx.updateTable('approvalRequests').set({ providerAccountId: id }).where('id', '=', request.id).execute()
  }
  await writeBanks(tx, id, banks)
  await moveKeys(tx, request.id, id, now)
  await recordAudit(tx, actor, {
    action: action === 'keys' ? 'provider.keys' : before ? 'provider.update' : 'provider.create',
    on: { provider: id },
    ...(was && { before: { ...was, secrets: undefined } }),
    after: { code, kind, ...values, ...snap, banks, replacedKeys, removedKeys },
    reason: request.reason,
  })
}

/** Replaces keys of a connection with the sealed keys of a request, which were sealed for this connection. */
async function moveKeys(tx: Tx, approvalRequestId: string, providerAccountId: string, setAt: Date) {
  const boxes = await tx
    .deleteFrom('approvalSecrets')
    .where('approvalRequestId', '=', approvalRequestId)
    .returningAll()
    .execute()
  for (const { name, sealed, lastFour } of boxes) {
    await tx
      .deleteFrom('providerSecrets')
      .where('providerAccountId', '=', providerAccountId)
      .where('name', '=', name)
      .execute()
    if (sealed !== null)
      await tx
        .insertInto('providerSecrets')
        .values({ providerAccountId, name, sealed, lastFour: lastFour!, setAt, approvalRequestId })
        .execute()
  }
}
