import type { z } from 'zod'
import type { approveFiles as approveCall } from '#domain/students/files/endpoints.ts'
import { getDocument } from '#server/modules/admissions/documents/find-documents.ts'
import { reviewDocument } from '#server/modules/admissions/documents/review-document.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { AppError, conflict } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { sentences } from '#server/platform/text.ts'

type Batch = z.output<(typeof approveCall)['body']>

/**
 * Approves documents one by one, each in its own transaction: a refusal does not roll back the others. Returns the
 * refusals with their reasons.
 */
export async function approveFiles(services: Services, actor: Actor, { requirement, documents }: Batch) {
  const t = sentences(actor.language)
  const refused: { id: string; reason: string }[] = []
  for (const { id, version } of documents) {
    try {
      const { name } = await getDocument(services.db, actor, id)
      if (name !== requirement) throw conflict('document_of_other_kind', { requirement })
      await reviewDocument(services, actor, id, 'approve', { version })
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error
      refused.push({ id, reason: t(`errors:${error.code}` as 'errors:not_found', error.details) })
    }
  }
  return { approved: documents.length - refused.length, refused }
}
