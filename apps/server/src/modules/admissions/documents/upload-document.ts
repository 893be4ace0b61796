import { canTake, type DocumentStatus, documentTransitions } from '#domain/documents/document-status.ts'
import { mimesOf } from '#domain/documents/file-types.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { conflict, notFound } from '#server/platform/errors.ts'
import { claimFile, discardFile, type StoredFile, type UploadRules } from '#server/platform/files/stored-files.ts'
import type { Services } from '#server/platform/services.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { verifyIfComplete } from './documents-changed.ts'
import { answerDocument, type DocumentRow, getDocument, getDocumentsRegistration, isOpen } from './find-documents.ts'

/** 1,048,576 bytes per megabyte. Devices count 1,000,000 or 1,048,576; the larger limit refuses no valid file. */
const bytesOf = (megabytes: number) => megabytes * 1_048_576

function refuseUnlessOpen({ status, registrationStatus }: Pick<DocumentRow, 'status' | 'registrationStatus'>) {
  if (!isOpen(registrationStatus)) throw conflict('document_closed')
  if (canTake('upload', status as DocumentStatus)) return
  throw conflict(status === 'approved' ? 'document_approved' : 'wrong_status', { status })
}

/** The upload rules of a slot. Throws before the file is transferred, which may be slow. */
export async function rulesOfSlot(
  { db }: Services,
  actor: Actor,
  registrationId: string,
  documentId: string,
): Promise<UploadRules> {
  const slot = await getDocument(db, actor, documentId)
  if (slot.registrationId !== registrationId) throw notFound('document')
  refuseUnlessOpen(slot)
  return {
    kind: 'document',
    maxBytes: bytesOf(slot.maxMb),
    maximum: `${slot.maxMb} MB`,
    acceptedTypes: mimesOf(slot.acceptedTypes),
    purpose: 'document',
    withoutPassword: true,
  }
}

type Sent = {
  registrationId: string
  documentId: string
  file: StoredFile
  /** Version of the document that the sender saw when choosing the file. Sending may end much later. */
  seen?: string | undefined
}

/** Saves the file of a slot and replaces the former file; 409 if that is approved, or not the one the sender saw. */
export async function saveDocument(services: Services, actor: Actor, { registrationId, documentId, file, seen }: Sent) {
  await inTransaction(services, actor, async (context) => {
    const { tx, now } = context
    await getDocumentsRegistration(tx, actor, registrationId, { lock: true })
    const slot = await getDocument(tx, actor, documentId)
    refuseUnlessOpen(slot)
    if (seen !== undefined && seen !== String(slot.version)) throw conflict('document_changed')
    await claimFile(tx, file)
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
    if (slot.fileId) await discardFile(tx, slot.fileId, now)
    await recordAudit(tx, actor, {
      action: 'document.upload',
      on: { document: documentId },
      before: { status: slot.status, fileId: slot.fileId },
      after: { status: 'uploaded', fileId: file.id, name: file.name },
    })
    await verifyIfComplete(context, registrationId)
  })
  return answerDocument(services, actor, documentId)
}
