import { applicantRole } from '#domain/access/applicant-role.ts'
import type { SignedIn } from '#domain/accounts/endpoints.ts'
import type { Language } from '#entities/define/language.ts'
import { parsePhone } from '#entities/define/phone.ts'
import { sendMail } from '#server/modules/messaging/notify.ts'
import { hashPassword } from '#server/platform/access/authentication.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { invalid } from '#server/platform/errors.ts'
import { networkOf } from '#server/platform/http/address.ts'
import { requireRegistrationOpen } from '#server/platform/registration-opening.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'
import { mailLink } from './links.ts'
import { signIn } from './sign-in.ts'
import { beginSession, type Device, getAccountWithRole, selfActor } from './signed-in.ts'

export type SignUp = {
  name: string
  email: string
  phone: string
  password: string
  password_confirmation: string
  ref?: string | undefined
  device?: string | undefined
  lead?: string | undefined
}

/**
 * Minutes in which a repeated sign-up form signs in: on a slow connection the answer may be lost, and people send the
 * form again.
 */
const repeatMinutes = 10
/** Minimum hours between two mails that inform an owner about sign-ups with their address. */
const tellOwnerHours = 1

export async function registerAccount(
  services: Services,
  input: SignUp,
  device: Device,
  language: Language,
): Promise<SignedIn> {
  const passwordHash = await hashPassword(input.password)
  const { consentVersion } = await getSettings(services.db)
  const now = services.clock.now()
  const answer = await inTransaction(services, systemActor, async (context) => {
    const { tx } = context
    const id = await insertApplicantAccount(tx, {
      name: input.name,
      email: input.email.trim(),
      phone: parsePhone(input.phone),
      passwordHash,
      language,
      consentVersion,
      consentAt: now,
      referralCode: input.ref?.trim() || null,
      createdAt: now,
    })
    if (!id) return undefined
    const row = await getAccountWithRole(tx, id)
    await mailLink(context, 'verify-email', row)
    await recordAudit(tx, selfActor(row, device), {
      action: 'account.register',
      on: { account: id },
      after: { consentVersion, language },
    })
    await tellOfOpening(context, id, device, input.device)
    if (input.lead) await services.jobs.publish(tx, 'account.opened-by-lead', { accountId: id, token: input.lead })
    return beginSession(tx, row, device, now)
  })
  return answer ?? answerTakenEmail(services, input, device, language)
}

/** Publishes `account.opened` with the browser's random id, which links the account to an affiliate's visits. */
export async function tellOfOpening(
  { tx, services }: Omit<Context, 'actor'>,
  accountId: string,
  { ip }: Device,
  device?: string,
) {
  if (device) await services.jobs.publish(tx, 'account.opened', { accountId, device, network: networkOf(ip) })
}

type NewAccount = {
  name: string
  email: string
  phone: string | null
  passwordHash: string | null
  language: Language
  consentVersion: string
  consentAt: Date
  referralCode: string | null
  createdAt: Date
  emailVerifiedAt?: Date
  invitedAt?: Date
  invitedBy?: string
}

/** Inserts an account of role Mahasiswa; returns undefined if the address is taken, and throws 409 while registration is closed. */
export async function insertApplicantAccount(tx: Db, account: NewAccount): Promise<string | undefined> {
  const inserted = await tx
    .insertInto('accounts')
    .values((eb) => ({
      ...account,
      roleId: eb.selectFrom('roles').select('roles.id').where('roles.name', '=', applicantRole),
    }))
    .onConflict((conflict) => conflict.column('emailLower').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (inserted) await requireRegistrationOpen(tx)
  return inserted?.id
}

async function answerTakenEmail(
  services: Services,
  input: SignUp,
  device: Device,
  language: Language,
): Promise<SignedIn> {
  const { db, clock } = services
  const now = clock.now()
  const owner = await db
    .selectFrom('accounts')
    .select(['email', 'name', 'language', 'createdAt'])
    .where('emailLower', '=', input.email.trim().toLowerCase())
    .executeTakeFirst()
  if (owner && now.getTime() - owner.createdAt.getTime() < repeatMinutes * 60_000) {
    const session = await signIn(services, input, device, language).catch(() => undefined)
    if (session) return session
  }
  if (owner) await tellOwner(services, owner, now)
  throw invalid({ email: 'email_taken' })
}

const tellOwner = (services: Services, owner: { email: string; name: string; language: Language }, now: Date) =>
  inTransaction(services, systemActor, async (context) => {
    const { tx } = context
    const recentMessage = await tx
      .selectFrom('messages')
      .select('id')
      .where('event', '=', 'account-exists')
      .where('toAddress', '=', owner.email)
      .where('createdAt', '>', new Date(now.getTime() - tellOwnerHours * 3_600_000))
      .limit(1)
      .executeTakeFirst()
    if (recentMessage) return
    const { email: to, language, name } = owner
    await sendMail(context, { to, language, event: 'account-exists', params: { name }, link: '/password-reset' })
  })
