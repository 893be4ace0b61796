import { sql } from 'kysely'
import type { SignedIn } from '#domain/accounts/endpoints.ts'
import { seeAsMinutes } from '#domain/accounts/staff-endpoints.ts'
import { refusalOf } from '#server/platform/access/administrators.ts'
import { revokeSession } from '#server/platform/access/authentication.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { getRoleWithReach } from '#server/platform/access/reach.ts'
import { hiddenFrom, isLimited } from '#server/platform/access/row-scope.ts'
import { seeAsPermission } from '#server/platform/access/session-cache.ts'
import { hashToken, newToken } from '#server/platform/access/tokens.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { AppError, conflict, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { type Device, findAccountWithRole, lacksTotp, toSignedIn } from './signed-in.ts'
import { changeAccess } from './staff/change-access.ts'
import { isVisible } from './staff/visible-accounts.ts'

/**
 * Opens a read-only session in which the actor sees what another account sees. It ends with the actor's own session, or
 * after half an hour.
 */
export const startSeeingAs = (services: Services, actor: Actor, id: string, device: Device): Promise<SignedIn> =>
  changeAccess(services, actor, seeAsPermission, async ({ tx, actor: giver, now }) => {
    if (id === actor.accountId) throw conflict('seen_as_self')
    const row = (await isVisible(tx, giver, id)) && (await findAccountWithRole(tx, id))
    if (!row) throw notFound('account')
    if (!row.active || !row.roleActive) throw conflict('account_inactive')
    const role = await getRoleWithReach(tx, row.roleId)
    if (refusalOf(role.reach, giver.reach)) throw new AppError(403, 'account_beyond_own', { role: row.roleName })
    if (await hasRegistrationOutside(tx, giver, id)) throw new AppError(403, 'seen_as_elsewhere', { name: row.name })
    if (lacksTotp(row)) throw conflict('seen_as_totp_missing', { name: row.name })
    const ownSession = await tx
      .selectFrom('sessions')
      .select('expiresAt')
      .where('id', '=', actor.sessionId)
      .executeTakeFirstOrThrow()
    const expiresAt = new Date(Math.min(now.getTime() + seeAsMinutes * 60_000, ownSession.expiresAt.getTime()))
    await tx
      .updateTable('sessions')
      .set({ revokedAt: now })
      .where('parentId', '=', actor.sessionId)
      .where('revokedAt', 'is', null)
      .execute()
    const token = newToken()
    await tx
      .insertInto('sessions')
      .values({
        accountId: id,
        impersonatorId: actor.accountId,
        parentId: actor.sessionId,
        tokenHash: hashToken(token),
        createdAt: now,
        lastSeenAt: now,
        expiresAt,
        ip: device.ip,
        userAgent: device.userAgent?.slice(0, 300) ?? null,
      })
      .execute()
    await recordAudit(tx, giver, {
      action: 'account.see_as',
      on: { account: id },
      after: { until: expiresAt.toISOString() },
    })
    return toSignedIn(row, token, expiresAt, actor.name)
  })

/**
 * Applicants see all their registrations, a limited role only those of its programmes: the actor would see more than
 * their role allows.
 */
async function hasRegistrationOutside(tx: Tx, actor: Actor, accountId: string): Promise<boolean> {
  if (!isLimited(actor)) return false
  const { rows } =
    await sql`SELECT FROM registrations r WHERE r.account_id = ${accountId} AND ${hiddenFrom(actor)} LIMIT 1`.execute(
      tx,
    )
  return rows.length > 0
}

/** Ends seeing as another account; `endsOwnSession` also ends the actor's own session. */
export async function leaveSeenAs(services: Services, actor: Actor, endsOwnSession = false) {
  const { seenBy, accountId } = actor
  if (!seenBy) throw conflict('seen_as_over')
  await services.db.transaction().execute(async (tx) => {
    const now = services.clock.now()
    const { parentId } = await tx
      .selectFrom('sessions')
      .select('parentId')
      .where('id', '=', actor.sessionId)
      .executeTakeFirstOrThrow()
    if (!(await revokeSession(tx, accountId, actor.sessionId, now))) throw conflict('seen_as_over')
    await recordAudit(tx, actor, { action: 'account.see_as_end', on: { account: accountId } })
    if (endsOwnSession && parentId && (await revokeSession(tx, seenBy.accountId, parentId, now)))
      await recordAudit(tx, actor, { action: 'account.sign_out', on: { account: seenBy.accountId } })
  })
  services.sessions.forget()
  return { accountId }
}
