import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { notFound } from '#server/platform/errors.ts'
import { getFile, imageUrl } from '#server/platform/files/files.ts'
import type { Services } from '#server/platform/services.ts'
import { type DocumentRow, getDocument } from './find-documents.ts'

/** Who looks at somebody else's papers is written down before they are shown. */
async function recordRead({ db }: Services, actor: Actor, row: DocumentRow, how: 'view' | 'download') {
  if (row.accountId === actor.accountId && !actor.seenBy) return
  await recordAudit(
    db,
    actor,
    `document.${how}`,
    { type: 'document', id: row.id },
    {
      after: { registration: row.code, name: row.name, fileId: row.fileId },
    },
  )
}

async function getFilled(services: Services, actor: Actor, documentId: string) {
  const row = await getDocument(services.db, actor, documentId)
  if (!row.fileId) throw notFound('file')
  return { row, fileId: row.fileId }
}

export async function viewDocument(services: Services, actor: Actor, documentId: string) {
  const { row, fileId } = await getFilled(services, actor, documentId)
  const isImage = row.fileMime?.startsWith('image/')
  // A PDF is fetched from its content next, and recorded there.
  if (isImage) await recordRead(services, actor, row, 'view')
  return {
    kind: isImage ? ('image' as const) : ('pdf' as const),
    url: isImage ? imageUrl(services, actor, 'document', fileId) : null,
    name: row.fileName ?? '',
    version: row.version,
  }
}

/** The file of a document, as it was kept. */
export async function documentContent(services: Services, actor: Actor, documentId: string) {
  const { row, fileId } = await getFilled(services, actor, documentId)
  const file = await getFile(services.db, fileId)
  await recordRead(services, actor, row, 'download')
  return file
}

/** The form the track offers for a slot. */
export async function documentTemplate(services: Services, actor: Actor, documentId: string) {
  const { templateFileId } = await getDocument(services.db, actor, documentId)
  if (!templateFileId) throw notFound('file')
  return getFile(services.db, templateFileId)
}
