import { universityCalendar } from '#domain/calendar.ts'
import type { Language } from '#entities/define/language.ts'
import { longDate } from '#locales/format.ts'
import { notify } from '#server/modules/messaging/notify.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { conflict } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { verifyIfComplete } from './documents-changed.ts'
import { answerDocument, getDocumentsRegistration, isConfirmed, isOpen, requireReviewer } from './find-documents.ts'

type DocumentRequest = { name: string; required: boolean; acceptedTypes: string[]; maxMb: number; dueOn: string | null }

/** Days until a requested document is due, by default. */
const defaultDueDays = 14

/**
 * Requests an additional document and notifies the applicant. A required one makes the registration's documents
 * incomplete.
 */
export async function requestDocument(
  services: Services,
  actor: Actor,
  registrationId: string,
  request: DocumentRequest,
) {
  const now = services.clock.now()
  const dueOn = request.dueOn ?? universityCalendar().dayOf(new Date(now.getTime() + defaultDueDays * 86_400_000))
  const documentId = await inTransaction(services, actor, async (context) => {
    const { tx } = context
    const registration = await getDocumentsRegistration(tx, actor, registrationId, { lock: true })
    requireReviewer(actor, registration.status)
    if (!isOpen(registration.status)) throw conflict('document_closed')
    const stage = isConfirmed(registration.status) ? 'enrolment' : 'registration'
    const { id } = await tx
      .insertInto('documents')
      .values({ ...request, stage, dueOn, registrationId, requestedBy: actor.accountId, sortOrder: 1000 })
      .returning('id')
      .executeTakeFirstOrThrow()
    await recordAudit(tx, actor, {
      action: 'document.request',
      on: { document: id },
      after: { ...request, dueOn, registrationId },
    })
    const { language } = await tx
      .selectFrom('accounts')
      .select('language')
      .where('id', '=', registration.accountId)
      .executeTakeFirstOrThrow()
    await notify(context, {
      accountId: registration.accountId,
      event: 'document-requested',
      params: { document: request.name, due: longDate(dueOn, language as Language) },
      link: `/pendaftaran/${registrationId}/file`,
    })
    await verifyIfComplete(context, registrationId)
    return id
  })
  return answerDocument(services, actor, documentId)
}
