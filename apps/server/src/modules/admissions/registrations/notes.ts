import type { Actor } from '#server/platform/access/authorization.ts'
import { isApplicant } from '#server/platform/access/row-scope.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { forbidden } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { requireVisible } from './load-registrations.ts'

/** Applicants never read notes, even if their role has the permission. */
async function requireReader({ db }: Services, actor: Actor, id: string) {
  if (isApplicant(actor)) throw forbidden('pendaftaran-note')
  await requireVisible(db, actor, id)
}

export async function listNotes(services: Services, actor: Actor, id: string) {
  await requireReader(services, actor, id)
  return services.db
    .selectFrom('registrationNotes as n')
    .innerJoin('accounts as a', 'a.id', 'n.authorId')
    .select(['n.id', 'a.name as author', 'n.body', 'n.createdAt'])
    .where('n.registrationId', '=', id)
    .orderBy('n.createdAt', 'desc')
    .limit(200)
    .execute()
}

export async function addNote(services: Services, actor: Actor, id: string, body: string) {
  await requireReader(services, actor, id)
  return services.db.transaction().execute(async (tx) => {
    const note = await tx
      .insertInto('registrationNotes')
      .values({ registrationId: id, authorId: actor.accountId, body, createdAt: services.clock.now() })
      .returning(['id', 'body', 'createdAt'])
      .executeTakeFirstOrThrow()
    await recordAudit(tx, actor, { action: 'registration.note', on: { registration: id }, after: { note: note.id } })
    return { ...note, author: actor.name }
  })
}
