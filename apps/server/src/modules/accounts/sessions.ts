import { revokeAllSessions, revokeSession } from '#server/platform/access/authentication.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { countOtherSessions } from './passwords.ts'

export async function listSessions(db: Db, actor: Actor, now: Date) {
  const rows = await db
    .selectFrom('sessions')
    .select(['id', 'createdAt', 'lastSeenAt', 'expiresAt', 'ip', 'userAgent'])
    .where('accountId', '=', actor.accountId)
    .where('parentId', 'is', null)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', now)
    .orderBy('lastSeenAt', 'desc')
    .limit(100)
    .execute()
  const sessions = rows.map((row) => ({ ...row, current: row.id === actor.sessionId }))
  return sessions.sort((a, b) => Number(b.current) - Number(a.current))
}

export const endSession = (services: Services, actor: Actor, sessionId: string) =>
  services.db.transaction().execute(async (tx) => {
    if (!(await revokeSession(tx, actor.accountId, sessionId, services.clock.now()))) throw notFound('session')
    const action = sessionId === actor.sessionId ? 'account.sign_out' : 'account.end_session'
    await recordAudit(tx, actor, { action, on: { account: actor.accountId }, after: { sessionId } })
    return { ended: 1 }
  })

export const endOtherSessions = (services: Services, actor: Actor) =>
  services.db.transaction().execute(async (tx) => {
    const now = services.clock.now()
    const ended = await countOtherSessions(tx, actor, now)
    await revokeAllSessions(tx, actor.accountId, actor.sessionId, now)
    await recordAudit(tx, actor, {
      action: 'account.end_other_sessions',
      on: { account: actor.accountId },
      after: { ended },
    })
    return { ended }
  })
