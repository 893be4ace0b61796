import { billSettled } from '#server/modules/payments/bills/events.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { defineJob } from '#server/platform/jobs.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { verifyIfComplete } from './documents/documents-changed.ts'
import { moveRegistration } from './steps/move-registration.ts'

/** Marks the registration as paid when its fee is settled, and as verified if its documents are already complete. */
export const settleRegistrationFeeJob = defineJob({
  name: 'settle-registration-fee',
  on: 'bill.settled',
  data: billSettled,
  when: ({ kind }) => kind === 'registration_fee',
  run: async (services, { registrationId }) => {
    await inTransaction(services, systemActor, async (context) => {
      const { tx } = context
      const registration = await tx
        .selectFrom('registrations')
        .select('status')
        .where('id', '=', registrationId)
        .forNoKeyUpdate()
        .executeTakeFirst()
      // The event may arrive twice, or the registration may have ended before the payment arrived.
      if (registration?.status !== 'submitted') return
      await moveRegistration(context, registrationId, 'settleFee')
      await verifyIfComplete(context, registrationId)
    })
  },
})
