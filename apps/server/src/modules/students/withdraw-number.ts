import { moveRegistration } from '#server/modules/admissions/steps/move-registration.ts'
import { withdrawLettersWithNumber } from '#server/modules/letters/withdraw-letters.ts'
import { notify } from '#server/modules/messaging/notify.ts'
import type { Db } from '#server/platform/database/database.ts'
import { conflict } from '#server/platform/errors.ts'
import type { Context } from '#server/platform/use-case.ts'

type Withdrawal = { npm: string; reason: string }

/**
 * Withdraws a student number; the database never lets it be issued again. The registration becomes confirmed again,
 * letters with the number are withdrawn, and the applicant is notified. 409 if the student meanwhile has another
 * number, or none.
 */
export async function withdrawNumber(context: Context, registrationId: string, { npm, reason }: Withdrawal) {
  const { tx, services, actor } = context
  const moved = await moveRegistration(context, registrationId, 'withdrawNumber', {
    reason,
    set: { enrolledAt: null },
    note: { npm },
  })
  const student = await tx
    .deleteFrom('students')
    .where('registrationId', '=', registrationId)
    .returning(['npm', 'programmeId', 'numberScope', 'numberValue', 'issuedAt', 'issuedBy'])
    .executeTakeFirstOrThrow()
  if (student.npm !== npm) throw conflict('number_changed', { number: student.npm })
  await tx
    .insertInto('withdrawnStudentNumbers')
    .values({ ...student, registrationId, withdrawnAt: services.clock.now(), withdrawnBy: actor.accountId, reason })
    .execute()
  await withdrawLettersWithNumber(context, registrationId, { npm, reason })
  await notify(context, {
    accountId: moved.accountId,
    event: 'student-number-withdrawn',
    params: { number: npm, reason },
    link: `/pendaftaran/${registrationId}`,
  })
}

export const hasWithdrawnNumber = async (db: Db, registrationId: string): Promise<boolean> =>
  (await db
    .selectFrom('withdrawnStudentNumbers')
    .select('npm')
    .where('registrationId', '=', registrationId)
    .limit(1)
    .executeTakeFirst()) !== undefined
