import { sql } from 'kysely'
import type { SignedIn } from '#domain/accounts/endpoints.ts'
import type { Language } from '#entities/define/language.ts'
import { localeTags } from '#locales/format.ts'
import { notify } from '#server/modules/messaging/notify.ts'
import { sessionInsert, verifyPassword } from '#server/platform/access/authentication.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { hashToken, newToken } from '#server/platform/access/tokens.ts'
import { auditInsert, recordAudit } from '#server/platform/audit.ts'
import { compiledStatement } from '#server/platform/database/compiled-statement.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'
import { signInWaitSeconds } from './sign-in-wait.ts'
import {
  type AccountRow,
  accountRowColumns,
  type Device,
  findAccountWithRole,
  selfActor,
  toSignedIn,
} from './signed-in.ts'
import { useCode } from './totp/totp.ts'

/** Seconds to wait after the first, second, … failure; the last value applies to all further failures. */
const waitsSeconds = Array.from({ length: 16 }, (_, index) => signInWaitSeconds(index + 1))
/** Failures older than this no longer count. */
const forgetAfterHours = 12

const attemptKey = (email: string) => hashToken(`sign-in ${email.trim().toLowerCase()}`)

/** The account is null if nobody has the address. */
type Attempt = { failures: number; account: AccountRow | null; passwordHash: string | null }

type CountedRow = { failures: number; passwordHash: string | null } & (AccountRow | { id: null })

const countAttempt = compiledStatement<{ key: Buffer; address: string; now: Date; since: Date }, CountedRow>(
  ({ key, address, now, since }) => sql`
    WITH counted AS (
      INSERT INTO sign_in_attempts AS a (email_hash, failures, last_at) VALUES (${key}, 1, ${now})
      ON CONFLICT (email_hash) DO UPDATE SET
        failures = CASE WHEN a.last_at < ${since} THEN 1 ELSE a.failures + 1 END,
        last_at = ${now},
        blocked_until = CASE WHEN a.last_at < ${since} THEN NULL ELSE ${now}::timestamptz + make_interval(
          secs => nullif((${waitsSeconds}::int[])[least(a.failures + 1, ${waitsSeconds.length}::int)], 0)) END
      WHERE a.blocked_until IS NULL OR a.blocked_until <= ${now}
      RETURNING failures
    )
    SELECT counted.failures, accounts.password_hash, ${sql.join(accountRowColumns)}
    FROM counted LEFT JOIN accounts ON accounts.email_lower = ${address} LEFT JOIN roles ON roles.id = accounts.role_id`,
)

/**
 * Counts the attempt and reads the account in one statement before the password check, so parallel guesses cannot pass
 * the limit. Unknown addresses count too, so the limit does not reveal which exist. 429 while the address has to wait.
 */
export async function reserveAttempt(db: Db, email: string, now: Date, language: Language): Promise<Attempt> {
  const key = attemptKey(email)
  const address = email.trim().toLowerCase()
  const [counted] = await countAttempt(db, { key, address, now, since: countedSince(now) })
  if (counted) {
    const { failures, passwordHash, ...account } = counted
    return { failures, passwordHash, account: account.id === null ? null : account }
  }
  const { blockedUntil } = await db
    .selectFrom('signInAttempts')
    .select('blockedUntil')
    .where('emailHash', '=', key)
    .executeTakeFirstOrThrow()
  const seconds = Math.max(1, Math.ceil(((blockedUntil ?? now).getTime() - now.getTime()) / 1000))
  const params = { wait: waitInWords(seconds, language), seconds }
  throw new AppError(
    429,
    'sign_in_blocked',
    { ...params, retryAfter: seconds },
    { email: { code: 'sign_in_blocked', params } },
  )
}

const countedSince = (now: Date) => new Date(now.getTime() - forgetAfterHours * 3_600_000)

const waitInWords = (seconds: number, language: Language) =>
  new Intl.NumberFormat(localeTags[language], {
    style: 'unit',
    unit: seconds < 90 ? 'second' : 'minute',
    unitDisplay: 'long',
  }).format(seconds < 90 ? seconds : Math.ceil(seconds / 60))

/** Deletes the failures once the owner has proven their identity, so the next sign-in need not wait. */
export async function forgetAttempts(tx: Db, email: string) {
  await tx
    .with('forgotten', (q) => q.deleteFrom('signInAttempts').where('emailHash', '=', attemptKey(email)))
    .updateTable('accounts')
    .set({ lockedUntil: null })
    .where('emailLower', '=', email.trim().toLowerCase())
    .where('lockedUntil', 'is not', null)
    .execute()
}

const wrongCredentials = () => new AppError(401, 'wrong_credentials', {}, { email: 'wrong_credentials' })

/**
 * Finds the account by address and password, with the hash that the password matched; throws the same 401 for every
 * other outcome.
 */
export async function findByPassword(services: Services, email: string, password: string, language: Language) {
  const { db, clock } = services
  const { failures, account, passwordHash } = await reserveAttempt(db, email, clock.now(), language)
  const matches = await verifyPassword(passwordHash, password)
  if (account && matches) return { account, failures, passwordHash }
  if (account) await noteFailure(services, account.id, failures)
  throw wrongCredentials()
}

/** If this failure starts a waiting time, writes it to the account and the audit log. */
export async function noteFailure({ db }: Services, accountId: string, failures: number) {
  const row = signInWaitSeconds(failures) > 0 && (await findAccountWithRole(db, accountId))
  if (!row) return
  await db
    .updateTable('accounts')
    .set((eb) => ({
      lockedUntil: eb
        .selectFrom('signInAttempts')
        .select('blockedUntil')
        .where('emailHash', '=', attemptKey(row.email)),
    }))
    .where('id', '=', accountId)
    .execute()
  await recordAudit(db, selfActor(row), {
    action: 'account.sign_in_blocked',
    on: { account: accountId },
    after: { failures },
  })
}

type Credentials = { email: string; password: string; code?: string | undefined }

export async function signIn(
  services: Services,
  { email, password, code }: Credentials,
  device: Device,
  language: Language,
): Promise<SignedIn> {
  const { account, failures, passwordHash } = await findByPassword(services, email, password, language)
  const proof = { by: 'password', passwordHash } as const
  if (account.totpSecret === null) {
    const session = await startSignedIn(services.db, account, device, services.clock.now(), proof)
    if (session) return session
  }
  // Needs a code, or changed while the password was hashed: the row is read again.
  return finishSignIn(services, account, { code, failures, proof, device })
}

/** What proved the identity; a password by the hash that it matched. */
type Proof = { by: 'password'; passwordHash: string | null } | { by: 'google' }
type FinishOptions = { code: string | undefined; failures: number; proof: Proof; device: Device }

/**
 * Finishes every kind of sign-in: checks the second factor, then starts the session. `useUp` joins the transaction, so
 * that a code or link is used up exactly when the session begins.
 */
export async function finishSignIn(
  services: Services,
  { id }: { id: string },
  { code, failures, proof, device }: FinishOptions,
  useUp?: (tx: Tx) => Promise<void>,
): Promise<SignedIn> {
  const { db, clock } = services
  const row = await findAccountWithRole(db, id)
  if (!row) throw wrongCredentials()
  if (!row.active || !row.roleActive) throw inactiveAccount()
  // The session and all that goes with it are one statement, which needs no transaction.
  if (row.totpSecret === null && !useUp) {
    const session = await startSignedIn(db, row, device, clock.now(), proof)
    if (session) return session
    throw await refusalOf(db, row, proof)
  }
  try {
    return await inTransaction(services, systemActor, async (context) => {
      const factor = await passSecondFactor(context, row, code)
      await useUp?.(context.tx)
      const session = await startSignedIn(context.tx, row, device, clock.now(), proof, factor)
      if (session) return session
      throw await refusalOf(context.tx, row, proof)
    })
  } catch (error) {
    if (error instanceof AppError && error.code === 'totp_wrong') await noteFailure(services, id, failures)
    throw error
  }
}

const inactiveAccount = () => new AppError(403, 'account_inactive', {}, { email: 'account_inactive' })

/** Why no session started: the password was changed meanwhile, or something else about the account. */
async function refusalOf(db: Db, { id }: AccountRow, proof: Proof) {
  if (proof.by !== 'password') return inactiveAccount()
  const account = await db.selectFrom('accounts').select('passwordHash').where('id', '=', id).executeTakeFirst()
  return account?.passwordHash === proof.passwordHash ? inactiveAccount() : wrongCredentials()
}

/**
 * Starts the session, writes the visit and the audit entry, and deletes failures unless nothing but Google proved the
 * identity. Null if the account's password or second factor changed since the row was read, or account or role was deactivated.
 */
async function startSignedIn(
  db: Db,
  row: AccountRow,
  device: Device,
  now: Date,
  proof: Proof,
  secondFactor?: string,
): Promise<SignedIn | null> {
  const token = newToken()
  const session = { ip: device.ip, userAgent: device.userAgent, now }
  const hasPassword = proof.by === 'password' ? sql`a.password_hash = ${proof.passwordHash}` : sql`true`
  const isUnchanged = sql<boolean>`a.active AND r.active AND (a.totp_secret IS NULL) = ${row.totpSecret === null}::boolean
    AND ${hasPassword}`
  const isStarted = sql<boolean>`EXISTS (SELECT FROM started)`
  const forgets = sql<boolean>`${proof.by === 'password' || secondFactor !== undefined}::boolean AND ${isStarted}`
  const after = { by: proof.by, ...(secondFactor && { secondFactor }) }
  const entry = { action: 'account.sign_in', on: { account: row.id }, after }
  const { rows } = await sql<{ expiresAt: Date }>`
    WITH started AS (${sessionInsert(row.id, token, session, isUnchanged)}),
      visited AS (UPDATE account_visits SET last_signed_in_at = ${now} WHERE account_id = ${row.id} AND ${isStarted}),
      forgotten AS (DELETE FROM sign_in_attempts WHERE email_hash = ${attemptKey(row.email)} AND ${forgets}),
      unlocked AS (UPDATE accounts SET locked_until = NULL WHERE id = ${row.id} AND locked_until IS NOT NULL AND ${forgets}),
      audited AS (${auditInsert(selfActor(row, device), entry, isStarted)})
    SELECT expires_at FROM started`.execute(db)
  return rows[0] ? toSignedIn(row, token, rows[0].expiresAt) : null
}

async function passSecondFactor(context: Omit<Context, 'actor'>, row: AccountRow, code: string | undefined) {
  if (row.totpSecret === null) return undefined
  if (!code?.trim()) throw new AppError(401, 'totp_required', {}, { code: 'totp_required' })
  const factor = await useCode(context, row, code)
  if (!factor) throw new AppError(401, 'totp_wrong', {}, { code: 'totp_wrong' })
  if (factor === 'recovery')
    await notify(context, { accountId: row.id, event: 'account-recovery-code', params: { name: row.name } })
  return factor
}
