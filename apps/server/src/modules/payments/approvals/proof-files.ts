import type { Actor } from '#server/platform/access/authorization.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { UploadRules } from '#server/platform/files/stored-files.ts'

const proofPurpose = 'payment-proof'

/** File types and size allowed for the proof of a request. */
export const proofRules: UploadRules = {
  kind: 'document',
  maxBytes: 5_000_000,
  acceptedTypes: ['image/jpeg', 'image/png', 'application/pdf'],
  purpose: proofPurpose,
  field: 'proofFileId',
}

/** Whether the actor uploaded this file as a proof. */
export const isOwnProof = async (tx: Tx, { accountId }: Actor, id: string) =>
  (await tx
    .selectFrom('files')
    .select('id')
    .where('id', '=', id)
    .where('ownerAccountId', '=', accountId)
    .where('purpose', '=', proofPurpose)
    .executeTakeFirst()) !== undefined
