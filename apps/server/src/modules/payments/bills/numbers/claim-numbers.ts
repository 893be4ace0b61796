import type { Services } from '#server/platform/services.ts'

type Due = { column: 'tellAt' | 'askAt'; most: number; lease: number }

/** Takes numbers that are due for something, so that no other server does the same with them while the lease lasts. */
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
