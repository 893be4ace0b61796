import { showOnDashboard } from '#server/modules/admissions/registrations/show-registration.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import type { Services } from '#server/platform/services.ts'
import { findVisible } from './conversation.ts'
import { registrationsIn } from './replies.ts'

/** Reads the applicant's newest registrations that the actor may see, at most five, with their unfinished steps. */
export async function showFacts({ db, clock }: Services, actor: Actor, conversationId: string) {
  const now = clock.now()
  const { accountId } = await findVisible(db, actor, conversationId)
  const registrations = await registrationsIn(db, actor, accountId, now)
  return {
    registrations: registrations.map((loaded) => {
      const { id, code, programme, wave, status, todo } = showOnDashboard(loaded, now)
      return {
        id,
        code,
        programme,
        wave,
        status,
        todo: todo.filter(({ state }) => state !== 'done'),
      }
    }),
  }
}
