import { isSettled } from '#domain/payments/bills/bill-status.ts'
import { mostOpenProofs, type NewProof } from '#domain/payments/proofs/endpoints.ts'
import { getBill } from '#server/modules/payments/bills/visible-bills.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { isApplicant } from '#server/platform/access/row-scope.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { conflict, forbidden, invalid } from '#server/platform/errors.ts'
import { claimFile, type StoredFile, type UploadRules } from '#server/platform/files/stored-files.ts'
import type { Services } from '#server/platform/services.ts'
import { inTransaction } from '#server/platform/use-case.ts'

const purpose = 'transfer-proof'

export const transferProofRules: UploadRules = {
  kind: 'document',
  maxBytes: 5_000_000,
  acceptedTypes: ['image/jpeg', 'image/png', 'application/pdf'],
  purpose,
}

/** In days. Older money belongs to an admission that has ended. */
const oldestDays = 400
const dayMs = 86_400_000

/**
 * Stores what an applicant says about a transfer for a bill. The bill's lock makes the limits hold for parallel calls;
 * the file is claimed, so it serves one proof.
 */
export const sendProof = (services: Services, actor: Actor, billId: string, proof: NewProof) =>
  inTransaction(services, actor, async ({ tx, now }) => {
    if (!isApplicant(actor)) throw forbidden('pendaftaran-edit')
    const bill = await getBill(tx, actor, billId, { lock: true })
    if (isSettled(bill.status)) throw conflict('wrong_status', { status: bill.status })
    const ageMs = now.getTime() - new Date(proof.paidAt).getTime()
    if (ageMs > oldestDays * dayMs)
      throw invalid({ paidAt: { code: 'paid_too_long_ago', params: { days: oldestDays } } })
    const file = await findUpload(tx, actor, proof.fileId)
    if (!file) throw invalid({ fileId: 'file_missing' })
    await refuseRepetition(tx, bill.id, file)
    await claimFile(tx, file)
    const { paidAt, note, ...said } = proof
    const values = { ...said, billId: bill.id, paidAt: new Date(paidAt), note: note || null }
    const { id } = await tx
      .insertInto('transferProofs')
      .values({ ...values, sentBy: actor.accountId, sentAt: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    await recordAudit(tx, actor, { action: 'transfer-proof.send', on: { 'transfer-proof': id }, after: values })
    return { id }
  })

/** A picture the actor uploaded for a proof and no proof names yet. Locked, so that of two bills at once one gets it. */
const findUpload = (tx: Tx, { accountId }: Actor, id: string): Promise<StoredFile | undefined> =>
  tx
    .selectFrom('files')
    .selectAll()
    .where('id', '=', id)
    .where('ownerAccountId', '=', accountId)
    .where('purpose', '=', purpose)
    .where('deletedAt', 'is not', null)
    .forUpdate()
    .executeTakeFirst()

/** 409 if the bill has an open proof with this picture, or as many open proofs as it may have. */
async function refuseRepetition(tx: Tx, billId: string, { sha256 }: StoredFile) {
  const open = await tx
    .selectFrom('transferProofs as t')
    .innerJoin('files as f', 'f.id', 't.fileId')
    .select('f.sha256')
    .where('t.billId', '=', billId)
    .where('t.state', '=', 'open')
    .execute()
  if (open.some((other) => other.sha256.equals(sha256))) throw conflict('proof_sent_already')
  if (open.length >= mostOpenProofs) throw conflict('proofs_open', { count: mostOpenProofs })
}
