import type { PendingConnection } from '#domain/payments/providers/endpoints.ts'
import {
  type ProviderSecret,
  type SnapSettings,
  usualMaximumAmount,
} from '#domain/payments/providers/provider-kinds.ts'
import { pendingChangesOf } from '#server/modules/payments/approvals/pending-changes.ts'
import { callUnlessPaused } from '#server/modules/payments/providers/breaker.ts'
import { bankOf, connect, secretPurpose } from '#server/modules/payments/providers/configured.ts'
import { BankFailure } from '#server/modules/payments/providers/provider.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { openText } from '#server/platform/access/secret-box.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { conflict, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import type { RequestedConnection } from './connection-fields.ts'

/** Pending changes of a connection; with null, requests for new connections. */
export async function pendingConnectionsOf(services: Services, id: string | null): Promise<PendingConnection[]> {
  const [pending, approved] = await Promise.all([
    pendingChangesOf(services.db, 'provider_connection'),
    services.db.selectFrom('providerAccounts').select('baseUrl').where('id', '=', id).executeTakeFirst(),
  ])
  return pending
    .filter(({ subjectId }) => subjectId === id)
    .map(({ change, details }) => {
      const requested = details as RequestedConnection
      return {
        ...change,
        publicKey: requested.publicKey ?? null,
        canCheck:
          !(approved && isMoved(approved, requested)) &&
          providerOf(services, requested, () => undefined).check !== undefined,
      }
    })
}

const isMoved = (approved: { baseUrl: string }, requested: { baseUrl: string }) =>
  approved.baseUrl.replace(/\/+$/, '') !== requested.baseUrl.replace(/\/+$/, '')

/** The provider for a requested connection, with the keys returned by `secret`. */
function providerOf(
  services: Services,
  { id, code, kind, baseUrl, maximumAmount = usualMaximumAmount, snap, banks, active }: RequestedConnection,
  secret: (name: ProviderSecret) => string | undefined,
) {
  return connect(services, kind, {
    id,
    code,
    baseUrl: baseUrl.replace(/\/+$/, ''),
    maximumAmount,
    settings: snap as SnapSettings,
    banks: banks.map((bank) => bankOf(bank, active)),
    secret,
  })
}

/**
 * Asks the bank whether the keys of a pending request are right; 409 if the request changes the address of an approved
 * connection.
 */
export async function checkRequestedProvider(services: Services, actor: Actor, requestId: string) {
  const { db, config } = services
  const request = await db
    .selectFrom('approvalRequests')
    .select('details')
    .where('id', '=', requestId)
    .where('kind', '=', 'provider_connection')
    .where('status', '=', 'pending')
    .executeTakeFirst()
  if (!request) throw notFound('approval')
  const requested = request.details as RequestedConnection
  // Even a signature could be misused at the real bank, so no stored key signs for an address that is not approved.
  const approved = await db
    .selectFrom('providerAccounts')
    .select('baseUrl')
    .where('id', '=', requested.id)
    .executeTakeFirst()
  if (approved && isMoved(approved, requested)) throw conflict('provider_address_not_approved')
  const [stored, boxes] = await Promise.all([
    db.selectFrom('providerSecrets').select(['name', 'sealed']).where('providerAccountId', '=', requested.id).execute(),
    db.selectFrom('approvalSecrets').select(['name', 'sealed']).where('approvalRequestId', '=', requestId).execute(),
  ])
  const { check } = providerOf(services, requested, (name) => {
    const box = boxes.find((one) => one.name === name) ?? stored.find((one) => one.name === name)
    return box?.sealed ? openText(config.secretKey, secretPurpose(requested.id, name), box.sealed) : undefined
  })
  if (!check) throw conflict('provider_nothing_to_ask')
  let failure: BankFailure | undefined
  try {
    // A separate breaker, because a wrong address must not pause calls of the approved connection.
    await callUnlessPaused(services, `request ${requestId}`, () => check())
  } catch (error) {
    if (!(error instanceof BankFailure)) throw error
    failure = error
  }
  await recordAudit(db, actor, {
    action: 'provider.check',
    on: { approval: requestId },
    after: { works: failure === undefined },
  })
  return { problem: failure?.kind ?? null, problemDetail: failure?.detail ?? null }
}
