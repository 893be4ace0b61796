import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { SignedIn } from '#domain/accounts/endpoints.ts'
import { startSession } from '#server/platform/access/authentication.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import type { Db } from '#server/platform/database/database.ts'
import { notFound } from '#server/platform/errors.ts'
import { addressOf } from '#server/platform/http/address.ts'

/** Device of a request, for sessions and the audit log. */
export type Device = { ip: string; userAgent: string | undefined; requestId: string }

export const deviceOf = (request: FastifyRequest): Device => ({
  ip: addressOf(request),
  userAgent: request.headers['user-agent'],
  requestId: request.id,
})

const accountWithRole = (db: Db, accountId: string) =>
  db
    .selectFrom('accounts')
    .innerJoin('roles', 'roles.id', 'accounts.roleId')
    .select([
      'accounts.id',
      'accounts.name',
      'accounts.email',
      'accounts.emailVerifiedAt',
      'accounts.language',
      'accounts.active',
      'roles.id as roleId',
      'roles.name as roleName',
      'roles.active as roleActive',
      'accounts.totpSecret',
      'accounts.requireTotp as accountRequiresTotp',
      'roles.requireTotp as roleRequiresTotp',
    ])
    .select((eb) =>
      eb
        .exists(eb.selectFrom('roleScopes').select('id').whereRef('roleId', '=', 'roles.id'))
        .$castTo<boolean>()
        .as('isRoleLimited'),
    )
    .where('accounts.id', '=', accountId)

/** The columns of `AccountRow` for a statement that reads `accounts` and `roles` under their own names. */
export const accountRowColumns = [
  sql`accounts.id, accounts.name, accounts.email, accounts.email_verified_at, accounts.language, accounts.active`,
  sql`roles.id AS role_id, roles.name AS role_name, roles.active AS role_active, accounts.totp_secret`,
  sql`accounts.require_totp AS account_requires_totp, roles.require_totp AS role_requires_totp`,
  sql`EXISTS (SELECT FROM role_scopes WHERE role_id = roles.id) AS is_role_limited`,
]

export const findAccountWithRole = (db: Db, accountId: string) => accountWithRole(db, accountId).executeTakeFirst()

/** The account, which the caller has locked or written in this transaction. */
export const getAccountWithRole = (db: Db, accountId: string) =>
  accountWithRole(db, accountId).executeTakeFirstOrThrow(() => notFound('account'))

export type AccountRow = Awaited<ReturnType<typeof getAccountWithRole>>

/** The account acting for itself before it has a session: while signing in or opening a link. */
export const selfActor = (row: AccountRow, device?: Device): Actor => ({
  accountId: row.id,
  sessionId: '',
  name: row.name,
  email: row.email,
  emailVerified: row.emailVerifiedAt !== null,
  language: row.language,
  role: { id: row.roleId, name: row.roleName },
  permissions: new Set(),
  scope: { kind: 'own' },
  ...(device && { request: { ip: device.ip, id: device.requestId } }),
})

/** Whether a session may only set up the second factor. */
export const lacksTotp = (row: AccountRow) =>
  row.totpSecret === null && (row.accountRequiresTotp || row.roleRequiresTotp)

export const toSignedIn = (row: AccountRow, token: string, expiresAt: Date, seenBy?: string): SignedIn => ({
  access_token: token,
  token_type: 'Bearer',
  expires_at: expiresAt.toISOString(),
  user: {
    id: row.id,
    name: row.name,
    email: row.email,
    email_verified_at: row.emailVerifiedAt?.toISOString() ?? null,
    role: { id: row.roleId, name: row.roleName },
  },
  ...(lacksTotp(row) && { totp_setup_required: true as const }),
  ...(row.isRoleLimited && { limited: true as const }),
  ...(seenBy && { seen_by: { name: seenBy, until: expiresAt.toISOString() } }),
})

/** Starts a session once the account has proven its identity. */
export async function beginSession(tx: Db, row: AccountRow, device: Device, now: Date): Promise<SignedIn> {
  const { token, expiresAt } = await startSession(tx, row.id, { ip: device.ip, userAgent: device.userAgent, now })
  await tx.updateTable('accountVisits').set({ lastSignedInAt: now }).where('accountId', '=', row.id).execute()
  return toSignedIn(row, token, expiresAt)
}
