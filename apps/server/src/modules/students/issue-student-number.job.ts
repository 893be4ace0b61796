import { z } from 'zod'
import { billKinds } from '#domain/payments/bills/bill-status.ts'
import { unlockReached } from '#server/modules/payments/bills/unlock.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { AppError } from '#server/platform/errors.ts'
import { defineJob } from '#server/platform/jobs.ts'
import { getSettings } from '#server/platform/settings.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { issueStudentNumber } from './issue-student-number.ts'
import { hasWithdrawnNumber } from './withdraw-number.ts'

export const issueStudentNumberJob = defineJob({
  name: 'issue-student-number',
  on: ['bill.settled', 'bill.progressed'],
  data: z.object({ registrationId: z.uuid(), kind: z.enum(billKinds) }),
  when: ({ kind }) => kind === 're_registration',
  run: async (services, { registrationId }) => {
    if ((await getSettings(services.db)).studentNumberIssue === 'by_staff') return
    if (!(await unlockReached(services.db, registrationId, services.clock.now()))) return
    // After a withdrawn number, staff decide about the next.
    if (await hasWithdrawnNumber(services.db, registrationId)) return
    try {
      await inTransaction(services, systemActor, (context) => issueStudentNumber(context, registrationId))
    } catch (error) {
      // The event may arrive twice, or the confirmation or payment may have been reverted meanwhile.
      if (!(error instanceof AppError) || (error.code !== 'wrong_status' && error.code !== 'not_unlocked')) throw error
    }
  },
})
