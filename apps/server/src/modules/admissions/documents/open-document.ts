import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { notFound } from '#server/platform/errors.ts'
import { getFile, imageUrl } from '#server/platform/files/stored-files.ts'
import type { Services } from '#server/platform/services.ts'
import { type DocumentRow, getDocument } from './find-documents.ts'

/** Records reads of other people's documents; called before the answer is sent. */
async function recordRead({ db }: Services, actor: Actor, row: DocumentRow, access: 'view' | 'download') {
  if (row.accountId === actor.accountId && !actor.seenBy) return
  await recordAudit(db, actor, {
    action: `document.${access}`,
    on: { document: row.id },
    after: { registration: row.code, name: row.name, fileId: row.fileId },
  })
}

async function getUploaded(services: Services, actor: Actor, documentId: string) {
  const row = await getDocument(services.db, actor, documentId)
  if (!row.fileId) throw notFound('file')
  return { row, fileId: row.fileId }
}

export async function viewDocument(services: Services, actor: Actor, documentId: string) {
  const { row, fileId } = await getUploaded(services, actor, documentId)
  const isImage = row.fileMime?.startsWith('image/')
  // For a PDF, the client calls `documentContent` next, which records the read.
  if (isImage) await recordRead(services, actor, row, 'view')
  return {
    kind: isImage ? ('image' as const) : ('pdf' as const),
    url: isImage ? imageUrl(services, actor, 'document', fileId) : null,
    name: row.fileName ?? '',
    version: row.version,
  }
}

/** The file of a document for download; records the read. */
export async function documentContent(services: Services, actor: Actor, documentId: string) {
  const { row, fileId } = await getUploaded(services, actor, documentId)
  const file = await getFile(services.db, fileId)
  await recordRead(services, actor, row, 'download')
  return file
}

/** The track's template for a document; 404 if it has none. */
export async function documentTemplate(services: Services, actor: Actor, documentId: string) {
  const { templateFileId } = await getDocument(services.db, actor, documentId)
  if (!templateFileId) throw notFound('file')
  return getFile(services.db, templateFileId)
}
