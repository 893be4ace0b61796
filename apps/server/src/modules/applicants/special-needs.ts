import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'

/** The actor's special needs at a test. Null without needs or profile, and for staff viewing as this account. */
export async function specialNeedsOf(db: Db, { accountId, seenBy }: Actor): Promise<string | null> {
  if (seenBy) return null
  const row = await db
    .selectFrom('applicants')
    .select('specialNeeds')
    .where('accountId', '=', accountId)
    .executeTakeFirst()
  return row?.specialNeeds ?? null
}

/** Throws 404 before the first save of the profile. The audit log records the change without its text. */
export async function saveSpecialNeeds({ db, clock }: Services, actor: Actor, needs: string | null) {
  const specialNeeds = needs || null
  await db.transaction().execute(async (tx) => {
    const saved = await tx
      .updateTable('applicants')
      .set({ specialNeeds, updatedAt: clock.now() })
      .where('accountId', '=', actor.accountId)
      .returning('id')
      .executeTakeFirst()
    if (!saved) throw notFound('profile')
    await recordAudit(tx, actor, { action: 'profile.needs', on: { account: actor.accountId } })
  })
  return specialNeeds
}
