import { billSettled } from '#domain/payments/bills/events.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { defineJob } from '#server/platform/jobs.ts'
import { documentsChanged } from './documents/documents-changed.ts'
import { moveRegistration } from './move-registration.ts'

/** The fee is settled: the registration is paid, and verified at once when its documents were complete before. */
export const settleRegistrationFee = defineJob({
  name: 'settle-registration-fee',
  on: 'bill.settled',
  data: billSettled,
  when: ({ kind }) => kind === 'registration_fee',
  run: async (services, { registrationId }) => {
    await services.db.transaction().execute(async (tx) => {
      const registration = await tx
        .selectFrom('registrations')
        .select('status')
        .where('id', '=', registrationId)
        .forNoKeyUpdate()
        .executeTakeFirst()
      // Told twice, or closed while the money was on its way: nothing is left to do here.
      if (registration?.status !== 'submitted') return
      await moveRegistration(tx, services, systemActor, registrationId, 'settleFee')
      await documentsChanged(tx, services, registrationId)
    })
  },
})
