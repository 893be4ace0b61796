import { z } from 'zod'
import { billKinds } from '#domain/payments/bill-status.ts'
import { unlockReached } from '#server/modules/payments/bill-summary.ts'
import { systemActor } from '#server/platform/authorization.ts'
import type { Db } from '#server/platform/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { defineJob } from '#server/platform/jobs.ts'
import { issueStudentNumber } from './issue-student-number.ts'

/** `by_staff` leaves the issuing to people; the default is at once, when enough money has come in. */
async function issuesByItself(db: Db) {
  const row = await db.selectFrom('settings').select('value').where('key', '=', 'studentNumberIssue').executeTakeFirst()
  return row?.value !== 'by_staff'
}

export const issueStudentNumberWhenPaid = defineJob({
  name: 'issue-student-number',
  on: ['bill.settled', 'installment.settled'],
  data: z.object({ registrationId: z.uuid(), kind: z.enum(billKinds) }),
  run: async (services, { registrationId, kind }) => {
    if (kind !== 're_registration' || !(await issuesByItself(services.db))) return
    if (!(await unlockReached(services.db, registrationId))) return
    try {
      await services.db.transaction().execute((tx) => issueStudentNumber(tx, services, systemActor, registrationId))
    } catch (error) {
      // Told twice, or the confirmation was taken back meanwhile.
      if (!(error instanceof AppError) || (error.code !== 'wrong_status' && error.code !== 'not_unlocked')) throw error
    }
  },
})
