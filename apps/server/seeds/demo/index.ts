import { mustGet } from '#domain/must.ts'
import { hashPassword } from '#server/platform/access/authentication.ts'
import type { Services } from '#server/platform/services.ts'
import { seedDemoAcademic } from './academic.ts'
import { fillRegistrations } from './fill/registrations.ts'
import { drawPictures } from './pictures.ts'
import { seedDemoSchools } from './schools.ts'
import { accounts, demoId, demoPassword } from './university.ts'

const applicantCount = 300
/** Number of the applicant who becomes mahasiswa@demo.test, with a submitted registration whose fee is not paid yet. */
const demoApplicantNumber = 15

/**
 * Adds the demo university, an account per role and 300 applicants of the current season; for the embedded database
 * only. `seedDemoSeasons` adds the rest of the season and the earlier ones.
 */
export async function seedDemo(services: Services): Promise<void> {
  const { db, files, clock } = services
  await seedDemoAcademic(db, clock.now())
  await seedDemoSchools(db)
  const passwordHash = await hashPassword(demoPassword)
  const roles = new Map(
    (await db.selectFrom('roles').select(['id', 'name']).execute()).map(({ id, name }) => [name, id]),
  )
  await db
    .insertInto('accounts')
    .values(
      accounts
        .filter(({ role }) => role !== 'Mahasiswa')
        .map(({ email, name, role }) => ({
          id: demoId(`account:${email}`),
          name,
          email,
          emailVerifiedAt: clock.now(),
          passwordHash,
          roleId: mustGet(roles, role),
        })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await fillRegistrations(db, { from: 1, count: applicantCount, now: clock.now(), passwordHash })
  await drawPictures(db, files, applicantCount)
  const demoAccount = accounts.find(({ role }) => role === 'Mahasiswa')!
  await db
    .updateTable('accounts')
    .set({ email: demoAccount.email, name: demoAccount.name, language: 'en' })
    .where('email', '=', `camaba${demoApplicantNumber}@demo.test`)
    .execute()
  await db
    .updateTable('applicants')
    .set({ fullName: demoAccount.name })
    .where('accountId', '=', (query) =>
      query.selectFrom('accounts').select('id').where('email', '=', demoAccount.email),
    )
    .execute()
}
