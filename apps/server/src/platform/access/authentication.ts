import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { theOnly } from '#domain/must.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/database/database.ts'
import { addressOf } from '#server/platform/http/address.ts'
import type { Session, SessionCache } from './session-cache.ts'
import { hashToken, newToken } from './tokens.ts'

export { hashPassword, verifyPassword } from './passwords.ts'
export type { Session, SessionCache } from './session-cache.ts'
export { takeOneTimeToken } from './tokens.ts'

declare module 'fastify' {
  interface FastifyRequest {
    session: Session | null
  }
}

export function bearerToken(request: Pick<FastifyRequest, 'headers'>): string | undefined {
  const header = request.headers.authorization
  if (!header || header.length > 200 || header.slice(0, 7).toLowerCase() !== 'bearer ') return undefined
  return header.slice(7).trim() || undefined
}

/**
 * Sets `actor` and `session` from the bearer token. An unknown token leaves both null; the route's access rule then
 * decides.
 */
export function authenticate(app: FastifyInstance, sessions: SessionCache, clock: Clock) {
  const setActor = (request: FastifyRequest, session: Session | null) => {
    if (!session) return
    request.session = session
    request.actor = {
      ...session.actor,
      at: clock.now(),
      request: { ip: addressOf(request), id: request.id },
    }
  }
  app.decorateRequest('actor', null)
  app.decorateRequest('session', null)
  app.addHook('onRequest', (request, _reply, done) => {
    const token = bearerToken(request)
    if (!token) return done()
    const lookup = sessions.find(token)
    if (!(lookup instanceof Promise)) {
      setActor(request, lookup)
      return done()
    }
    lookup
      .then((session) => setActor(request, session))
      .then(
        () => done(),
        (error) => done(error),
      )
  })
}

type Device = { ip?: string | undefined; userAgent?: string | undefined; now: Date }

/** INSERT of a session; the database stores only the hash of `token`. `condition` is about account `a` and role `r`. */
export const sessionInsert = (
  accountId: string,
  token: string,
  { ip, userAgent, now }: Device,
  condition = sql<boolean>`true`,
) =>
  sql<{ id: string; expiresAt: Date }>`
    INSERT INTO sessions (account_id, token_hash, created_at, last_seen_at, expires_at, ip, user_agent)
    SELECT a.id, ${hashToken(token)}, ${now}, ${now}, ${now}::timestamptz + make_interval(hours => r.session_hours),
      ${ip ?? null}, ${userAgent?.slice(0, 300) ?? null}
    FROM accounts a JOIN roles r ON r.id = a.role_id WHERE a.id = ${accountId} AND ${condition}
    RETURNING id, expires_at`

/** Creates a session and returns its token. */
export async function startSession(tx: Db, accountId: string, device: Device) {
  const token = newToken()
  const { rows } = await sessionInsert(accountId, token, device).execute(tx)
  const { id: sessionId, expiresAt } = theOnly(rows)
  return { token, sessionId, expiresAt }
}

/** Ends a session of an account; false if the account has no such running session. */
export async function revokeSession(tx: Db, accountId: string, sessionId: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('sessions')
    .set({ revokedAt: now })
    .where('id', '=', sessionId)
    .where('accountId', '=', accountId)
    .where('revokedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Ends every session of an account except `exceptSessionId`. */
export async function revokeAllSessions(tx: Db, accountId: string, exceptSessionId: string | undefined, now: Date) {
  const revoke = tx
    .updateTable('sessions')
    .set({ revokedAt: now })
    .where('accountId', '=', accountId)
    .where('revokedAt', 'is', null)
  await (exceptSessionId === undefined ? revoke : revoke.where('id', '!=', exceptSessionId)).execute()
}
