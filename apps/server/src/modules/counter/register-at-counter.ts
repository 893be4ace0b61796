import crypto from 'node:crypto'
import { sql } from 'kysely'
import type { z } from 'zod'
import { counterDomain } from '#domain/accounts/mailbox.ts'
import { bareDigits } from '#domain/applicants/profile-problems.ts'
import type { registerAtCounter as registerCall } from '#domain/counter/endpoints.ts'
import { parsePhone } from '#entities/define/phone.ts'
import { mailLink } from '#server/modules/accounts/links.ts'
import { insertApplicantAccount } from '#server/modules/accounts/register-account.ts'
import { startRegistrationIn } from '#server/modules/admissions/steps/start-registration.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { isApplicant } from '#server/platform/access/row-scope.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { AppError, conflict, forbidden, invalid } from '#server/platform/errors.ts'
import { requireRegistrationOpen } from '#server/platform/registration-opening.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'
import { findKnownPeople, type Identity } from './known-people.ts'

type Input = z.output<typeof registerCall.body>

/** Serializes registrations at the counter: two clerks entering the same person open one account. */
const lockCounter = (tx: Tx) => sql`SELECT pg_advisory_xact_lock(hashtext('counter'))`.execute(tx)

/**
 * Starts a draft registration by the applicants' rules, for the chosen account or a new one. Throws 409 `person_known`
 * with possible matches until the clerk chooses one. If only the phone matches, `isAnotherPerson` also passes. An e-mail
 * address or NIK of a person who was not chosen is always refused.
 */
export async function registerAtCounter(services: Services, actor: Actor, input: Input): Promise<string> {
  if (isApplicant(actor)) throw forbidden(permission)
  const { name, email, phone, nik, language, accountId: chosenId, isAnotherPerson, ...place } = input
  const identity: Identity = {
    email: email || null,
    phone: phone ? parsePhone(phone) : null,
    nik: nik ? bareDigits(nik) : null,
  }
  return inTransaction(services, actor, async (contextAtStart) => {
    const { tx } = contextAtStart
    await lockCounter(tx)
    // A wave may have closed while this transaction waited.
    const context = { ...contextAtStart, now: services.clock.now() }
    await requireRegistrationOpen(tx)
    const people = await findKnownPeople(tx, actor, identity)
    const chosen = people.find(({ accountId }) => accountId === chosenId)
    if (chosenId && !chosen) throw invalid({ accountId: 'not_found' })
    const others = people.filter((known) => known !== chosen)
    const isSameForCertain = others.some(({ matches }) => matches.includes('email') || matches.includes('nik'))
    const isUndecided = !chosen && others.length > 0 && !isAnotherPerson
    if (isSameForCertain || isUndecided) throw new AppError(409, 'person_known', {}, undefined, { people })
    if (chosen) await requireActive(tx, chosen.accountId)
    const person = { name: name.replace(/\s+/g, ' '), language, ...identity }
    const accountId = chosen?.accountId ?? (await openAccount(context, person))
    await tx
      .insertInto('applicants')
      .values({ accountId, fullName: person.name, phone: identity.phone, nik: identity.nik })
      .onConflict((conflicting) => conflicting.column('accountId').doNothing())
      .execute()
    return startRegistrationIn(context, { ...place, accountId })
  })
}

const permission = 'pendaftaran-counter'

/** 409 `person_inactive` for a deactivated account. Locks the account, so nobody deactivates it meanwhile. */
async function requireActive(tx: Tx, accountId: string) {
  const { active } = await tx
    .selectFrom('accounts')
    .select('active')
    .where('id', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  if (!active) throw conflict('person_inactive')
}

type Person = Identity & Pick<Input, 'name' | 'language'>

/**
 * Opens an account and mails an invitation if there is an address. Consent counts from now: the applicant signs it on
 * the sheet.
 */
async function openAccount(context: Context, { nik: _, ...person }: Person): Promise<string> {
  const { tx, actor, now } = context
  const { consentVersion } = await getSettings(tx)
  const email = person.email ?? signInName()
  const id = await insertApplicantAccount(tx, {
    ...person,
    email,
    passwordHash: null,
    consentVersion,
    consentAt: now,
    referralCode: null,
    createdAt: now,
    invitedAt: now,
    invitedBy: actor.accountId,
  })
  // The address belongs to an account that is no applicant.
  if (!id) throw invalid({ email: 'already_exists' })
  const { name, language } = person
  await mailLink(context, 'invitation', { id, name, email, language }, { role: actor.name })
  await recordAudit(tx, actor, {
    action: 'account.open_at_counter',
    on: { account: id },
    after: { ...person, email, consentVersion },
  })
  return id
}

/** Eight digits, easy to copy from the sheet. */
const signInName = () => `${crypto.randomInt(10_000_000, 100_000_000)}@${counterDomain}`
