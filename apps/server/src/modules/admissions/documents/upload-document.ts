import { canTake, type DocumentStatus, documentTransitions } from '#domain/documents/document-status.ts'
import { mimesOf } from '#domain/documents/file-types.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Actor } from '#server/platform/authorization.ts'
import { conflict, invalid, notFound } from '#server/platform/errors.ts'
import { discardFile, storeUpload, type UploadPart } from '#server/platform/files.ts'
import type { Services } from '#server/platform/services.ts'
import { documentsChanged } from './documents-changed.ts'
import { changedDocument, type DocumentRow, getDocument, getDocumentsRegistration, isOpen } from './find-documents.ts'

/** Megabytes as phones and computers count them differently: the more generous one is the limit. */
const bytesOf = (megabytes: number) => megabytes * 1_048_576

function refuseUnlessOpen({ status, registrationStatus }: Pick<DocumentRow, 'status' | 'registrationStatus'>) {
  if (!isOpen(registrationStatus)) throw conflict('document_closed')
  if (canTake('upload', status as DocumentStatus)) return
  throw conflict(status === 'approved' ? 'document_approved' : 'wrong_status', { status })
}

/** What the type alone does not tell: the size in the words of the slot, and a PDF nobody could open. */
async function readChecked(part: UploadPart, maxMb: number): Promise<UploadPart> {
  const tooLarge = () => invalid({ file: { code: 'file_too_large', params: { maximum: `${maxMb} MB` } } })
  const bytes = await part.toBuffer().catch((error: { code?: string }) => {
    throw error.code === 'FST_REQ_FILE_TOO_LARGE' ? tooLarge() : error
  })
  if (bytes.length > bytesOf(maxMb)) throw tooLarge()
  if (bytes.subarray(0, 1024).includes('%PDF-') && bytes.includes('/Encrypt')) throw invalid({ file: 'pdf_protected' })
  return { filename: part.filename, toBuffer: async () => bytes }
}

/** Keeps the file of a slot, or another one as long as nobody has approved the first. */
export async function uploadDocument(
  services: Services,
  actor: Actor,
  registrationId: string,
  documentId: string,
  part: UploadPart | undefined,
) {
  const { db, clock } = services
  const slot = await getDocument(db, actor, documentId)
  if (slot.registrationId !== registrationId) throw notFound('document')
  // Refused before the bytes are read: a slow line should not send five megabytes for nothing.
  refuseUnlessOpen(slot)
  if (!part) throw invalid({ file: 'file_missing' })
  const checked = await readChecked(part, slot.maxMb)
  const now = clock.now()

  await db.transaction().execute(async (tx) => {
    await getDocumentsRegistration(tx, actor, registrationId, { lock: true })
    const before = await getDocument(tx, actor, documentId)
    refuseUnlessOpen(before)
    const file = await storeUpload(services, tx, actor, checked, {
      kind: 'document',
      maxBytes: bytesOf(slot.maxMb),
      acceptedTypes: mimesOf(slot.acceptedTypes),
      purpose: 'document',
    })
    const changed = await tx
      .updateTable('documents')
      .set((eb) => ({
        fileId: file.id,
        status: documentTransitions.upload.to,
        uploadedAt: now,
        rejectReason: null,
        deferredUntil: null,
        reviewedBy: null,
        reviewedAt: null,
        version: eb('version', '+', 1),
      }))
      .where('id', '=', documentId)
      .where('status', 'in', [...documentTransitions.upload.from])
      .returning('id')
      .executeTakeFirst()
    if (!changed) throw conflict('wrong_status')
    if (before.fileId) await discardFile(tx, before.fileId, now)
    await recordAudit(
      tx,
      actor,
      'document.upload',
      { type: 'document', id: documentId },
      {
        before: { status: before.status, fileId: before.fileId },
        after: { status: 'uploaded', fileId: file.id, name: file.name },
      },
    )
    await documentsChanged(tx, services, registrationId)
  })
  return changedDocument(services, actor, documentId)
}
