import { universityCalendar } from '#domain/calendar.ts'
import type { Language } from '#entities/define/language.ts'
import { longDate } from '#locales/format.ts'
import { notify } from '#server/modules/messaging/notify.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { conflict } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { documentsChanged } from './documents-changed.ts'
import { changedDocument, getDocumentsRegistration, isOpen } from './find-documents.ts'

type Wanted = { name: string; required: boolean; acceptedTypes: string[]; maxMb: number; dueOn: string | null }

/** Days an applicant has when staff name no date. */
const usualDays = 14

/** Asks the applicant for one more document; a blocking one keeps the registration from being complete. */
export async function requestDocument(services: Services, actor: Actor, registrationId: string, wanted: Wanted) {
  const { db, clock } = services
  const now = clock.now()
  const dueOn = wanted.dueOn ?? universityCalendar().dayOf(new Date(now.getTime() + usualDays * 86_400_000))
  const documentId = await db.transaction().execute(async (tx) => {
    const registration = await getDocumentsRegistration(tx, actor, registrationId, { lock: true })
    if (!isOpen(registration.status)) throw conflict('document_closed')
    const { id } = await tx
      .insertInto('documents')
      .values({ ...wanted, dueOn, registrationId, requestedBy: actor.accountId, sortOrder: 1000 })
      .returning('id')
      .executeTakeFirstOrThrow()
    await recordAudit(
      tx,
      actor,
      'document.request',
      { type: 'document', id },
      {
        after: { ...wanted, dueOn, registrationId },
      },
    )
    const { language } = await tx
      .selectFrom('accounts')
      .select('language')
      .where('id', '=', registration.accountId)
      .executeTakeFirstOrThrow()
    await notify(tx, services, {
      accountId: registration.accountId,
      event: 'document-requested',
      params: { document: wanted.name, due: longDate(dueOn, language as Language) },
    })
    await documentsChanged(tx, services, registrationId)
    return id
  })
  return changedDocument(services, actor, documentId)
}
