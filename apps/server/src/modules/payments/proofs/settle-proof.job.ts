import type { z } from 'zod'
import { bookedLine, lineBooked } from '#server/modules/payments/reconciliation/events.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { defineJob } from '#server/platform/jobs.ts'
import type { Services } from '#server/platform/services.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { isTaken } from './answer-proof.ts'
import { tellSender } from './return-proof.ts'
import { returnStaleProofs } from './return-stale-proofs.job.ts'

type Settled = z.output<typeof bookedLine> & { proofId: string }

/**
 * Returns the proof that was matched with a line which is now the money of another applicant, and then answers the
 * proof that the line was booked for.
 */
export const settleProofJob = defineJob({
  name: 'settle-proof',
  on: lineBooked,
  data: bookedLine,
  async run(services, { proofId, ...booked }) {
    await returnStaleProofs(services, { paymentId: booked.paymentId })
    if (proofId) await settleProof(services, { proofId, ...booked })
  },
})

/**
 * Matches an open proof with the payment that was booked for it, in the name of the account that approved it, unless
 * staff matched another proof with that money.
 */
const settleProof = (services: Services, { proofId, paymentId, decidedBy }: Settled) =>
  inTransaction(services, systemActor, async (context) => {
    const { tx, actor, now } = context
    const proof = await tx
      .selectFrom('transferProofs as t')
      .innerJoin('bills as b', 'b.id', 't.billId')
      .select(['t.amount', 't.version', 'b.accountId', 'b.number as billNumber', 'b.registrationId'])
      .where('t.id', '=', proofId)
      .where('t.state', '=', 'open')
      .forNoKeyUpdate('t')
      .executeTakeFirst()
    const payment = await tx
      .selectFrom('payments')
      .select('id')
      .where('id', '=', paymentId)
      .where('status', '<>', 'reversed')
      .forShare()
      .executeTakeFirst()
    if (!proof || !payment || (await isTaken(tx, proofId, { paymentId, lineId: null }))) return
    await tx
      .updateTable('transferProofs')
      .set({ state: 'matched', paymentId, answeredBy: decidedBy, answeredAt: now, version: proof.version + 1 })
      .set({ returnedAt: null, returnedBecause: null })
      .where('id', '=', proofId)
      .execute()
    await recordAudit(tx, actor, {
      action: 'transfer-proof.match',
      on: { 'transfer-proof': proofId },
      after: { paymentId, decidedBy },
    })
    await tellSender(context, proof, 'transfer-proof-matched')
  })
