import type { TestApp } from '#server-test/test-app.ts'

type Holder = { registrationId: string; programmeId: string; npm: string; accountId: string }

/** A student number withdrawn after its card was printed; returns the print run's id. */
export async function aWithdrawnNumber({ db, clock }: TestApp, { accountId, ...number }: Holder) {
  const now = clock.now()
  await db
    .insertInto('withdrawnStudentNumbers')
    .values({ ...number, issuedAt: now, withdrawnAt: now, withdrawnBy: accountId, reason: 'Salah prodi.' })
    .execute()
  const { id: printId } = await db
    .insertInto('studentCardPrints')
    .values({ layout: 'card', printedAt: now, printedBy: accountId })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('studentCards')
    .values({ npm: number.npm, copy: 1, registrationId: number.registrationId, printId })
    .execute()
  return printId
}
