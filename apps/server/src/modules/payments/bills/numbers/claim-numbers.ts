import type { Services } from '#server/platform/services.ts'

type Due = { column: 'tellAt' | 'askAt'; most: number; lease: number }

/** Claims numbers that are due for a task; during the lease no other server claims them. */
export function claimNumbers({ db, clock }: Services, { column, most, lease }: Due) {
  const now = clock.now()
  return db
    .updateTable('virtualAccounts')
    .set({ [column]: new Date(now.getTime() + lease) })
    .where((eb) =>
      eb(
        'id',
        'in',
        eb
          .selectFrom('virtualAccounts')
          .select('id')
          .where(column, '<=', now)
          .orderBy(column)
          .limit(most)
          .forUpdate()
          .skipLocked(),
      ),
    )
    .returningAll()
    .execute()
}
