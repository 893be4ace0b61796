import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/database/database.ts'
import { createAccessListener } from './access-listener.ts'
import type { Actor, Scope } from './authorization.ts'
import { excessOf, type Reach } from './compare-reach.ts'
import { findRole, noReach, scopeOf } from './reach.ts'
import { findSeer, findSession, mustSetUpTotp, type SessionRow } from './session-rows.ts'
import { hashToken } from './tokens.ts'

/** Permissions and rows of a role, shared by all its sessions. */
export type Grants = {
  roleId: string
  permissions: ReadonlySet<string>
  scope: Scope
  reach: Reach
  /** Prepared answers that depend only on the role (permission list, menu tree), by name. */
  answers: Map<string, string>
}

export type Session = {
  actor: Actor
  grants: Grants
  expiresAt: Date
  lastSeenAt: Date
  sessionHours: number
  /** The account must set up two-factor sign-in first; until then only routes with `beforeTotp` are open. */
  mustSetUpTotp: boolean
  /** Parent session from which this one was opened to view the product as another account; both end together. */
  parentId: string | null
}

type Entry = { session: Session; tokenHash: string; parentHash: string | null; until: number }

export type SessionCache = {
  /** Returns a cached session synchronously, otherwise a promise of the database lookup. */
  find(token: string): Session | null | Promise<Session | null>
  /** Empties the cache, so that this process's own changes apply before their NOTIFY arrives. */
  forget(): void
  /** Listens for changes; until then, and while the listener's connection is down, every lookup asks the database. */
  start(): Promise<void>
  stop(): Promise<void>
}

const timeToLiveMs = 60_000
const seenIntervalMs = 5 * 60_000
const maxEntries = 50_000

type Options = { db: Db; connectionString: string; clock: Clock; log: FastifyBaseLogger }

export function createSessionCache({ db, connectionString, clock, log }: Options): SessionCache {
  const byToken = new Map<string, Entry>()
  const grantsByRole = new Map<string, Promise<Grants>>()
  /** Counts notified changes, so that a session read before a change is not cached after it. */
  let generation = 0

  function forget(notice: string) {
    generation++
    const [kind, id] = notice.split(':')
    if (kind === 'session' || kind === 'account') {
      for (const [token, { session, tokenHash, parentHash }] of byToken) {
        const { accountId, seenBy } = session.actor
        const ids = kind === 'session' ? [tokenHash, parentHash] : [accountId, seenBy?.accountId]
        if (id && ids.includes(id)) byToken.delete(token)
      }
    } else {
      byToken.clear()
      grantsByRole.clear()
    }
  }

  const listener = createAccessListener({ connectionString, log, onNotice: forget })
  const prolong = (session: Session) => prolongSession(db, session, clock.now(), log)

  async function load(token: string): Promise<Session | null> {
    const readAt = generation
    const tokenHash = hashToken(token)
    const row = await findSession(db, tokenHash)
    if (!row || row.expiresAt <= clock.now()) return null
    const session = await sessionOf(row)
    if (!session) return null
    if (listener.isListening() && generation === readAt) {
      if (byToken.size >= maxEntries) byToken.clear()
      const parentHash = row.parentHash?.toString('hex') ?? null
      byToken.set(token, {
        session,
        tokenHash: tokenHash.toString('hex'),
        parentHash,
        until: Date.now() + timeToLiveMs,
      })
    }
    await prolong(session)
    return session
  }

  async function sessionOf(row: SessionRow): Promise<Session | null> {
    const grants = await grantsOf(row.roleId)
    const seer = row.parentId ? await findSeer(db, row.parentId, clock.now()) : undefined
    if (row.parentId && !(seer && maySee(await grantsOf(seer.roleId), grants))) return null
    return toSession(row, grants, seer)
  }

  function grantsOf(roleId: string): Promise<Grants> {
    if (!listener.isListening()) return loadGrants(db, roleId)
    let grants = grantsByRole.get(roleId)
    if (!grants) {
      grants = loadGrants(db, roleId)
      grantsByRole.set(roleId, grants)
      grants.catch(() => grantsByRole.delete(roleId))
    }
    return grants
  }

  return {
    find(token) {
      const entry = byToken.get(token)
      if (!entry || entry.until < Date.now()) return load(token)
      if (entry.session.expiresAt <= clock.now()) {
        byToken.delete(token)
        return null
      }
      void prolong(entry.session)
      return entry.session
    },
    forget: () => forget('all'),
    start: listener.start,
    stop: listener.stop,
  }
}

/** Session of a row; `seer` is the account that views the product as this one. */
const toSession = (row: SessionRow, grants: Grants, seer: Awaited<ReturnType<typeof findSeer>>): Session => ({
  actor: {
    accountId: row.accountId,
    sessionId: row.sessionId,
    name: row.name,
    email: row.email,
    emailVerified: row.emailVerifiedAt !== null,
    language: row.language,
    role: { id: row.roleId, name: row.roleName },
    permissions: grants.permissions,
    scope: grants.scope,
    ...(seer && { seenBy: { accountId: seer.accountId, name: seer.name, role: seer.roleName } }),
  },
  grants,
  expiresAt: row.expiresAt,
  lastSeenAt: row.lastSeenAt,
  sessionHours: row.sessionHours,
  mustSetUpTotp: mustSetUpTotp(row) || (seer !== undefined && mustSetUpTotp(seer)),
  parentId: row.parentId,
})

/**
 * Prolongs a used session, writing at most every five minutes. A session that views the product as another account is
 * not prolonged.
 */
async function prolongSession(db: Db, session: Session, now: Date, log: FastifyBaseLogger) {
  if (session.parentId) return
  if (now.getTime() - session.lastSeenAt.getTime() < seenIntervalMs) return
  session.lastSeenAt = now
  session.expiresAt = new Date(now.getTime() + session.sessionHours * 3_600_000)
  await db
    .updateTable('sessions')
    .set({ lastSeenAt: now, expiresAt: session.expiresAt })
    .where('id', '=', session.actor.sessionId)
    .where('revokedAt', 'is', null)
    .execute()
    .catch((error) => log.warn({ err: error }, 'session could not be prolonged'))
}

/** Permission to view the product as another account. */
export const seeAsPermission = 'settings-accounts-impersonate'

/** Whether the seer still holds this permission and every right of the viewed account. */
const maySee = (seerGrants: Grants, seenGrants: Grants) =>
  seerGrants.permissions.has(seeAsPermission) && excessOf(seenGrants.reach, seerGrants.reach) === null

async function loadGrants(db: Db, roleId: string): Promise<Grants> {
  const reach = (await findRole(db, roleId))?.reach ?? noReach
  return { roleId, permissions: reach.permissions, scope: scopeOf(reach.rows), reach, answers: new Map() }
}
