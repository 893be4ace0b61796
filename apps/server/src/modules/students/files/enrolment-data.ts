import type { z } from 'zod'
import { bareDigits } from '#domain/applicants/profile-problems.ts'
import { differencesOf } from '#domain/audit/differences.ts'
import { identityNumberFields, requiredEnrolmentFields } from '#domain/students/files/enrolment-data.ts'
import type {
  correctEnrolmentData as correctCall,
  EnrolmentData,
  saveEnrolmentData as saveCall,
} from '#domain/students/files/enrolment-endpoints.ts'
import { identityPermission, seesIdentity } from '#server/modules/admissions/registrations/applicant-profile.ts'
import { type Actor, requirePermission } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { conflict, invalid, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { getStudent } from './get-student.ts'

const columns = [
  ...(['residence', 'transport', 'hamlet', 'homePhone', 'taxNumber', 'financing', 'kpsNumber'] as const),
  ...(['motherNik', 'motherBirthDate', 'motherEducation', 'motherOccupation', 'motherIncome'] as const),
  ...(['fatherNik', 'fatherBirthDate', 'fatherEducation', 'fatherOccupation', 'fatherIncome'] as const),
  ...(['guardianBirthDate', 'guardianEducation', 'guardianOccupation', 'guardianIncome'] as const),
  ...(['previousUniversity', 'previousProgramme', 'recognisedCredits'] as const),
] as const
const nameColumns = ['motherName', 'fatherName', 'guardianName'] as const

/** A student's enrolment data: saved answers and the names in the profile; 404 unless the place is confirmed. */
export async function enrolmentDataOf(db: Db, actor: Actor, registrationId: string): Promise<EnrolmentData> {
  const { code, name, applicantId, trackKind } = await getStudent(db, actor, registrationId)
  const names = await db
    .selectFrom('applicants')
    .select([...nameColumns])
    .where('id', '=', applicantId)
    .executeTakeFirstOrThrow()
  const saved = await db
    .selectFrom('enrolmentData')
    .select([...columns, 'kpsRecipient', 'version', 'updatedAt'])
    .where('registrationId', '=', registrationId)
    .executeTakeFirst()
  const { updatedAt, kpsRecipient, ...answers } = saved ?? {
    ...(Object.fromEntries(columns.map((column) => [column, null])) as Record<(typeof columns)[number], null>),
    kpsRecipient: false,
    version: 0,
    updatedAt: null,
  }
  return {
    ...(answers as Omit<EnrolmentData, 'kpsRecipient'>),
    // Staff may have saved a correction before the student answered.
    kpsRecipient: kpsRecipient || (isAnswered(answers) ? false : null),
    ...names,
    registrationId,
    code,
    name,
    isTransfer: trackKind === 'transfer',
    identityHidden: false,
    savedAt: updatedAt?.toISOString() ?? null,
  }
}

const isAnswered = (answers: { residence: unknown; transport: unknown; financing: unknown }) =>
  answers.residence !== null && answers.transport !== null && answers.financing !== null

/** The actor's own enrolment data; 404 for a registration of another account. */
export async function ownEnrolmentData({ db }: Services, actor: Actor, registrationId: string) {
  await requireOwner(db, actor, registrationId)
  return enrolmentDataOf(db, actor, registrationId)
}

async function requireOwner(db: Db, actor: Actor, registrationId: string) {
  const { accountId } = await getStudent(db, actor, registrationId)
  if (accountId !== actor.accountId) throw notFound('registration')
}

const identityNumbersOf = (data: Pick<EnrolmentData, (typeof identityNumberFields)[number]>) =>
  Object.fromEntries(identityNumberFields.map((field) => [field, data[field]])) as typeof data

const noIdentityNumbers = { motherNik: null, fatherNik: null, taxNumber: null }

const forStaff = (actor: Actor, data: EnrolmentData): EnrolmentData =>
  seesIdentity(actor) ? data : { ...data, ...noIdentityNumbers, identityHidden: true }

/** A student's enrolment data for staff; records the read. Identity numbers are null without permission. */
export async function readEnrolmentData({ db }: Services, actor: Actor, registrationId: string) {
  const data = await enrolmentDataOf(db, actor, registrationId)
  await recordAudit(db, actor, { action: 'enrolment-data.read', on: { registration: registrationId } })
  return forStaff(actor, data)
}

type Answers = Omit<z.output<(typeof correctCall)['body']>, 'reason'>

/** Saves the actor's own answers; 404 for a registration of another account. */
export async function saveEnrolmentData(
  services: Services,
  actor: Actor,
  registrationId: string,
  answers: z.output<(typeof saveCall)['body']>,
) {
  await requireOwner(services.db, actor, registrationId)
  return writeEnrolmentData(services, actor, registrationId, answers)
}

/** Saves a correction by staff; 403 if it contains an identity number and the actor may not see them. */
export async function correctEnrolmentData(
  services: Services,
  actor: Actor,
  registrationId: string,
  { reason, ...answers }: z.output<(typeof correctCall)['body']>,
) {
  if (identityNumberFields.some((field) => answers[field])) requirePermission(actor, identityPermission)
  return forStaff(actor, await writeEnrolmentData(services, actor, registrationId, answers, reason))
}

/**
 * Saves the answers and the profile's names together; throws 409 `stale_version` and saves nothing if outdated. Only
 * staff pass a `reason`.
 */
async function writeEnrolmentData(
  { db, clock }: Services,
  actor: Actor,
  registrationId: string,
  { version, ...entered }: Answers,
  reason?: string,
) {
  const now = clock.now()
  return db.transaction().execute(async (tx) => {
    const { applicantId } = await getStudent(tx, actor, registrationId)
    const before = await enrolmentDataOf(tx, actor, registrationId)
    if (reason !== undefined) refuseCleared(before, entered)
    const keepsIdentity = reason !== undefined && !seesIdentity(actor)
    const { motherName, fatherName, guardianName, ...answers } = {
      ...normalize(entered, before.isTransfer),
      ...(keepsIdentity && identityNumbersOf(before)),
    }
    const saved = await tx
      .insertInto('enrolmentData')
      .values({ registrationId, ...answers, updatedAt: now })
      .onConflict((conflicting) =>
        conflicting
          .column('registrationId')
          .doUpdateSet({ ...answers, updatedAt: now, version: version + 1 })
          .where('enrolmentData.version', '=', version),
      )
      .returning('version')
      .executeTakeFirst()
    if (saved?.version !== version + 1) throw conflict('stale_version')
    await saveNames(tx, applicantId, { motherName, fatherName, guardianName }, now)
    const after = await enrolmentDataOf(tx, actor, registrationId)
    const changes = differencesOf(withoutFrame(before), withoutFrame(after))
    await recordAudit(tx, actor, {
      action: 'enrolment-data.save',
      on: { registration: registrationId },
      before: Object.fromEntries(changes.map((change) => [change.field, change.before])),
      after: Object.fromEntries(changes.map((change) => [change.field, change.after])),
      reason,
    })
    return after
  })
}

/** Throws 422 if a correction would clear an answer the register requires. */
function refuseCleared(before: EnrolmentData, entered: Omit<Answers, 'version'>) {
  const cleared = [...requiredEnrolmentFields, 'kpsRecipient' as const].filter(
    (field) => before[field] !== null && (entered[field] === null || entered[field] === ''),
  )
  if (cleared.length > 0) throw invalid(Object.fromEntries(cleared.map((field) => [field, 'field_required'])))
}

const withoutFrame = ({
  registrationId,
  code,
  name,
  isTransfer,
  identityHidden,
  savedAt,
  version,
  ...answers
}: EnrolmentData) => answers

/**
 * Removes separators from numbers, turns empty text into null, and clears answers to questions this student does not
 * get.
 */
function normalize(entered: Omit<Answers, 'version'>, isTransfer: boolean) {
  const filled = Object.fromEntries(
    Object.entries(entered).map(([field, value]) => [field, value === '' ? null : value]),
  ) as typeof entered
  const digits = (value: string | null) => (value ? bareDigits(value) : null)
  return {
    ...filled,
    kpsRecipient: filled.kpsRecipient ?? false,
    taxNumber: digits(filled.taxNumber),
    motherNik: digits(filled.motherNik),
    fatherNik: digits(filled.fatherNik),
    kpsNumber: filled.kpsRecipient ? filled.kpsNumber : null,
    ...(!isTransfer && { previousUniversity: null, previousProgramme: null, recognisedCredits: null }),
  }
}

type Names = Pick<Answers, 'motherName' | 'fatherName' | 'guardianName'>

/** Saves the names in the profile. A change raises the profile's version, so an open profile form gets 409. */
const saveNames = (tx: Tx, applicantId: string, names: Names, now: Date) =>
  tx
    .updateTable('applicants')
    .set((eb) => ({ ...names, version: eb('version', '+', 1), updatedAt: now }))
    .where('id', '=', applicantId)
    .where((eb) => eb.or(nameColumns.map((column) => eb(column, 'is distinct from', names[column]))))
    .execute()
