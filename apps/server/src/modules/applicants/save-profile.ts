import type { ProfileInput } from '#domain/applicants/endpoints.ts'
import { bareDigits, profileNumberNames, profileProblems } from '#domain/applicants/profile-problems.ts'
import { foundProblems } from '#domain/body-check.ts'
import { parsePhone } from '#entities/define/phone.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { isApplicant } from '#server/platform/access/row-scope.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { conflict, type FieldErrors, forbidden, invalid } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { type ProfileRecord, profileOf } from './profile.ts'
import { findRegionProblems } from './regions.ts'

type Answers = Omit<ProfileInput, 'version' | 'guardianConsent'>

/** Empty text becomes null, numbers lose spaces and dots, phone numbers become E.164. */
function normalize(input: Answers): Answers {
  const answers: Record<string, unknown> = {}
  for (const [field, answer] of Object.entries(input)) {
    if (answer !== undefined) answers[field] = answer === '' ? null : answer
  }
  for (const field of profileNumberNames) {
    const number = answers[field]
    if (typeof number === 'string')
      answers[field] = bareDigits(number).padStart(field === 'rt' || field === 'rw' ? 3 : 0, '0')
  }
  for (const field of ['phone', 'guardianPhone'] as const) {
    const phone = answers[field]
    if (typeof phone === 'string') answers[field] = parsePhone(phone)
  }
  return answers as Answers
}

/** Checks that read other tables: regions and school major. */
async function findReferenceProblems(db: Db, answers: Answers, before: ProfileRecord | null): Promise<FieldErrors> {
  const after = { ...before, ...answers }
  const problems: FieldErrors = {}
  if ('provinceId' in answers || 'cityId' in answers || 'districtId' in answers || 'villageId' in answers) {
    Object.assign(problems, await findRegionProblems(db, after))
  }
  if (answers.schoolMajorId || answers.schoolTypeId) {
    const major = after.schoolMajorId
      ? await db
          .selectFrom('schoolMajors')
          .select('schoolTypeId')
          .where('id', '=', after.schoolMajorId)
          .executeTakeFirst()
      : null
    if (after.schoolMajorId && major?.schoolTypeId !== after.schoolTypeId) {
      problems.schoolMajorId = 'school_major_mismatch'
    }
  }
  return problems
}

/** Consent counts only from a guardian whose name is known (Law 27/2022 on personal data, Article 25). */
const consentProblems = ({ guardianName }: Pick<Answers, 'guardianName'>): FieldErrors =>
  guardianName ? {} : { guardianName: 'field_required' }

/** Changed fields only, before and after, for the audit log. */
function differenceOf(before: ProfileRecord | null, answers: object) {
  const changed = Object.entries(answers).filter(([field, answer]) => before?.[field as keyof ProfileRecord] !== answer)
  return {
    before: before
      ? Object.fromEntries(changed.map(([field]) => [field, before[field as keyof ProfileRecord]]))
      : undefined,
    after: Object.fromEntries(changed),
  }
}

const isNikConflict = (error: unknown) => (error as { constraint?: string } | null)?.constraint === 'applicants_nik'

/** Saves the given fields of the applicant's own profile; 403 for staff. */
export async function saveProfile(services: Services, actor: Actor, input: ProfileInput): Promise<ProfileRecord> {
  // Staff have no profile of their own; they use `changeProfile`.
  if (!isApplicant(actor)) throw forbidden('pendaftaran-create')
  return changeProfile(services, actor, { accountId: actor.accountId, input })
}

/**
 * Saves the given fields of an account's profile. Staff pass a `reason` for the audit log. Throws 409 `stale_version`
 * and saves nothing if `version` is outdated.
 */
export async function changeProfile(
  services: Services,
  actor: Actor,
  { accountId, input, reason }: { accountId: string; input: ProfileInput; reason?: string },
): Promise<ProfileRecord> {
  const { db, clock } = services
  const { version, guardianConsent, ...entered } = input
  const answers = normalize(entered)
  const now = clock.now()
  try {
    return await db.transaction().execute(async (tx) => {
      const before = await profileOf(tx, accountId, now)
      if ((before?.version ?? 0) !== version) throw conflict('stale_version')
      const problems = {
        ...(await findReferenceProblems(tx, answers, before)),
        ...foundProblems(profileProblems(entered, now)),
        ...(guardianConsent && consentProblems({ ...before, ...answers })),
      }
      if (Object.keys(problems).length > 0) throw invalid(problems)

      const saved = before
        ? await tx
            .updateTable('applicants')
            .set({ ...answers, version: version + 1, updatedAt: now })
            .where('accountId', '=', accountId)
            .where('version', '=', version)
            .returning('id')
            .executeTakeFirst()
        : await tx
            .insertInto('applicants')
            .values({
              fullName: actor.name,
              phone: (await phoneOfAccount(tx, accountId)) ?? null,
              ...answers,
              accountId,
              createdAt: now,
              updatedAt: now,
            })
            .onConflict((conflicting) => conflicting.column('accountId').doNothing())
            .returning('id')
            .executeTakeFirst()
      if (!saved) throw conflict('stale_version')

      if (guardianConsent && !before?.guardianConsent) {
        await tx
          .updateTable('accounts')
          .set({ guardianName: answers.guardianName ?? before?.guardianName ?? null, guardianConsentAt: now })
          .where('id', '=', accountId)
          .execute()
      }
      await recordAudit(tx, actor, {
        action: before ? 'profile.update' : 'profile.create',
        on: { applicant: saved.id },
        ...differenceOf(before, { ...answers, ...(guardianConsent && { guardianConsent }) }),
        reason,
      })
      return (await profileOf(tx, accountId, now))!
    })
  } catch (error) {
    if (isNikConflict(error)) throw invalid({ nik: 'nik_taken' })
    throw error
  }
}

const phoneOfAccount = async (db: Db, accountId: string) =>
  (await db.selectFrom('accounts').select('phone').where('id', '=', accountId).executeTakeFirst())?.phone
