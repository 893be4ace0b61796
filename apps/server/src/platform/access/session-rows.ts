import type { Db } from '#server/platform/database/database.ts'

const totpColumns = [
  'accounts.totpSecret',
  'accounts.requireTotp as accountRequiresTotp',
  'roles.requireTotp as roleRequiresTotp',
] as const

type TotpRow = { totpSecret: string | null; accountRequiresTotp: boolean; roleRequiresTotp: boolean }
/** Whether the account must set up two-factor sign-in before anything else. */
export const mustSetUpTotp = ({ totpSecret, accountRequiresTotp, roleRequiresTotp }: TotpRow) =>
  (accountRequiresTotp || roleRequiresTotp) && totpSecret === null

/** The account of the parent session; undefined if that session has ended. */
export const findSeer = (db: Db, sessionId: string, now: Date) =>
  db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.accountId')
    .innerJoin('roles', 'roles.id', 'accounts.roleId')
    .select([
      'accounts.id as accountId',
      'accounts.name',
      'roles.id as roleId',
      'roles.name as roleName',
      ...totpColumns,
    ])
    .where('sessions.id', '=', sessionId)
    .where('sessions.revokedAt', 'is', null)
    .where('sessions.expiresAt', '>', now)
    .where('accounts.active', '=', true)
    .where('roles.active', '=', true)
    .executeTakeFirst()

export type SessionRow = NonNullable<Awaited<ReturnType<typeof findSession>>>

/** A usable session, by the SHA-256 of its token. The caller checks `expiresAt`. */
export const findSession = (db: Db, tokenHash: Buffer) =>
  db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.accountId')
    .innerJoin('roles', 'roles.id', 'accounts.roleId')
    .leftJoin('sessions as parents', 'parents.id', 'sessions.parentId')
    .select([
      'sessions.id as sessionId',
      'sessions.expiresAt',
      'sessions.lastSeenAt',
      'accounts.id as accountId',
      'accounts.name',
      'accounts.email',
      'accounts.emailVerifiedAt',
      'accounts.language',
      'roles.id as roleId',
      'roles.name as roleName',
      'roles.sessionHours',
      'sessions.parentId',
      'parents.tokenHash as parentHash',
      ...totpColumns,
    ])
    .where('sessions.tokenHash', '=', tokenHash)
    .where('sessions.revokedAt', 'is', null)
    .where('accounts.active', '=', true)
    .where('roles.active', '=', true)
    .executeTakeFirst()
