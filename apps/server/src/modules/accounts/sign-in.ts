import { sql } from 'kysely'
import type { SignedIn } from '#domain/accounts/endpoints.ts'
import type { Language } from '#entities/define/language.ts'
import { localeTags } from '#locales/format.ts'
import { notify } from '#server/modules/messaging/notify.ts'
import { verifyPassword } from '#server/platform/access/authentication.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { hashToken } from '#server/platform/access/tokens.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'
import { signInWaitSeconds } from './sign-in-wait.ts'
import { type AccountRow, beginSession, type Device, findAccountWithRole, selfActor } from './signed-in.ts'
import { useCode } from './totp/totp.ts'

/** Seconds to wait after the first, second, … failure; the last value applies to all further failures. */
const waitsSeconds = Array.from({ length: 16 }, (_, index) => signInWaitSeconds(index + 1))
/** Failures older than this no longer count. */
const forgetAfterHours = 12

const attemptKey = (email: string) => hashToken(`sign-in ${email.trim().toLowerCase()}`)

/**
 * Counts the attempt in one statement before the password check, so parallel guesses cannot pass the limit. Unknown
 * addresses count too, so the limit does not reveal which exist.
 */
export async function reserveAttempt(db: Db, email: string, now: Date, language: Language) {
  const key = attemptKey(email)
  const { rows } = await sql<{ failures: number }>`
    INSERT INTO sign_in_attempts AS a (email_hash, failures, last_at) VALUES (${key}, 1, ${now})
    ON CONFLICT (email_hash) DO UPDATE SET
      failures = CASE WHEN a.last_at < ${countedSince(now)} THEN 1 ELSE a.failures + 1 END,
      last_at = ${now},
      blocked_until = CASE WHEN a.last_at < ${countedSince(now)} THEN NULL ELSE
        ${now}::timestamptz + make_interval(secs => nullif((${waitsSeconds}::int[])[least(a.failures + 1, ${waitsSeconds.length}::int)], 0)) END
    WHERE a.blocked_until IS NULL OR a.blocked_until <= ${now}
    RETURNING failures`.execute(db)
  if (rows[0]) return rows[0].failures
  const { blockedUntil } = await db
    .selectFrom('signInAttempts')
    .select('blockedUntil')
    .where('emailHash', '=', key)
    .executeTakeFirstOrThrow()
  const seconds = Math.max(1, Math.ceil(((blockedUntil ?? now).getTime() - now.getTime()) / 1000))
  const params = { wait: waitInWords(seconds, language), seconds }
  throw new AppError(429, 'sign_in_blocked', params, { email: { code: 'sign_in_blocked', params } })
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

/** Finds the account by address and password; throws the same 401 for every other outcome. */
export async function findByPassword(services: Services, email: string, password: string, language: Language) {
  const { db, clock } = services
  const failures = await reserveAttempt(db, email, clock.now(), language)
  const found = await db
    .selectFrom('accounts')
    .select(['id', 'passwordHash'])
    .where('emailLower', '=', email.trim().toLowerCase())
    .executeTakeFirst()
  const matches = await verifyPassword(found?.passwordHash, password)
  if (found && matches) return { accountId: found.id, failures }
  if (found) await noteFailure(services, found.id, failures)
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
  const { accountId: id, failures } = await findByPassword(services, email, password, language)
  return finishSignIn(services, { id }, { code, failures, by: 'password', device })
}

type FinishOptions = { code: string | undefined; failures: number; by: 'password' | 'google'; device: Device }

/**
 * Finishes every kind of sign-in: checks the second factor, then starts the session. `also` joins the transaction, so
 * that a code or link is used up exactly when the session begins.
 */
export async function finishSignIn(
  services: Services,
  { id }: { id: string },
  { code, failures, by, device }: FinishOptions,
  useUp?: (tx: Tx) => Promise<void>,
): Promise<SignedIn> {
  try {
    return await inTransaction(services, systemActor, async (context) => {
      const { tx } = context
      const row = await findAccountWithRole(tx, id)
      if (!row) throw wrongCredentials()
      if (!row.active || !row.roleActive) throw new AppError(403, 'account_inactive', {}, { email: 'account_inactive' })
      const factor = await passSecondFactor(context, row, code)
      await useUp?.(tx)
      if (factor || by === 'password') await forgetAttempts(tx, row.email)
      const answer = await beginSession(tx, row, device, services.clock.now())
      const after = { by, ...(factor && { secondFactor: factor }) }
      await recordAudit(tx, selfActor(row, device), { action: 'account.sign_in', on: { account: row.id }, after })
      return answer
    })
  } catch (error) {
    if (error instanceof AppError && error.code === 'totp_wrong') await noteFailure(services, id, failures)
    throw error
  }
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
