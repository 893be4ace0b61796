import { sql } from 'kysely'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit, recordAudits } from '#server/platform/audit.ts'
import { conflict } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import type { Context } from '#server/platform/use-case.ts'
import { getLetter } from './letter-file.ts'

/** Withdraws a valid letter; its number is not reused. */
export const withdrawLetter = (services: Services, actor: Actor, id: string, reason: string) =>
  services.db.transaction().execute(async (tx) => {
    const letter = await getLetter(tx, actor, id)
    const { numUpdatedRows } = await tx
      .updateTable('letters')
      .set({
        state: 'withdrawn',
        withdrawnAt: services.clock.now(),
        withdrawnBy: actor.accountId || null,
        withdrawnReason: reason,
      })
      .where('id', '=', id)
      .where('state', '=', 'valid')
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw conflict('letter_not_valid')
    await recordAudit(tx, actor, {
      action: 'letter.withdraw',
      on: { letter: id },
      before: { state: letter.state },
      after: { state: 'withdrawn' },
      reason,
    })
  })

/**
 * Withdraws a registration's valid letters that contain a student number; the reason is that of revoking the number.
 */
export async function withdrawLettersWithNumber(
  { tx, services, actor }: Context,
  registrationId: string,
  { npm, reason }: { npm: string; reason: string },
) {
  const now = services.clock.now()
  const withdrawn = await tx
    .updateTable('letters')
    .set({
      state: 'withdrawn',
      withdrawnAt: now,
      withdrawnBy: actor.accountId || null,
      withdrawnReason: `${npm}: ${reason}`.slice(0, 500),
    })
    .where('registrationId', '=', registrationId)
    .where('state', '=', 'valid')
    .where(sql<boolean>`facts->>'npm' = ${npm}`)
    .returning('id')
    .execute()
  await recordAudits(
    tx,
    actor,
    withdrawn.map(({ id }) => ({
      action: 'letter.withdraw',
      on: { letter: id },
      before: { state: 'valid' },
      after: { state: 'withdrawn' },
      reason,
    })),
  )
}
