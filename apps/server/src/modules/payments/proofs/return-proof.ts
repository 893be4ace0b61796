import type { Selectable } from 'kysely'
import type { ProofReturn } from '#domain/payments/proofs/endpoints.ts'
import { rupiah } from '#locales/format.ts'
import { notify } from '#server/modules/messaging/notify.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Context } from '#server/platform/use-case.ts'

type Stored = Selectable<Database['transferProofs']>
type Told = Pick<Stored, 'amount'> & { accountId: string; registrationId: string; billNumber: string }

export const tellSender = (
  context: Context,
  { accountId, registrationId, amount, billNumber }: Told,
  event: string,
  reason = '',
) =>
  notify(context, {
    accountId,
    event,
    params: { amount: rupiah(amount), number: billNumber, ...(reason && { reason }) },
    link: `/pendaftaran/${registrationId}/pembayaran`,
  })

type Answered = Told & Pick<Stored, 'id' | 'state' | 'paymentId' | 'statementLineId' | 'reason' | 'version'>

/** Puts an answered proof, which the caller has locked, back among the open ones, and tells its sender. */
export async function returnProof(context: Context, proof: Answered, because: ProofReturn) {
  const { tx, actor, now } = context
  const { id, state, paymentId, statementLineId, reason, version } = proof
  await tx
    .updateTable('transferProofs')
    .set({ state: 'open', paymentId: null, statementLineId: null, reason: null, answeredBy: null, answeredAt: null })
    .set({ returnedAt: now, returnedBecause: because, version: version + 1 })
    .where('id', '=', id)
    .execute()
  await recordAudit(tx, actor, {
    action: because === 'answer_taken_back' ? 'transfer-proof.reopen' : 'transfer-proof.return',
    on: { 'transfer-proof': id },
    before: { state, paymentId, statementLineId, reason },
    after: { because },
  })
  await tellSender(context, proof, 'transfer-proof-returned')
}
