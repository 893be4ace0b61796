import { randomBytes } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import type { Services } from '#server/platform/services.ts'
import { seedDemoAcademic } from './academic.ts'
import { drawPictures } from './pictures.ts'
import { fillRegistrations } from './registrations.ts'
import { seedDemoSchools } from './schools.ts'
import { seedDemoStatement } from './statement.ts'
import { accounts, demoId, demoPassword } from './university.ts'

const applicants = 300
/** The applicant whose place the demo account of role Mahasiswa takes: submitted, the fee not yet paid. */
const shownApplicant = 15

/** The demo university with an account per role and 300 applicants; only ever for the embedded database. */
export async function seedDemo(services: Services): Promise<void> {
  const { db, files, clock } = services
  await seedDemoAcademic(db, clock.now())
  const filled = await db
    .selectFrom('accounts')
    .select('id')
    .where('email', '=', 'mahasiswa@demo.test')
    .executeTakeFirst()
  if (filled) return
  await seedDemoSchools(db)
  const passwordHash = await hash(demoPassword, {
    memoryCost: 19_456,
    timeCost: 2,
    parallelism: 1,
    salt: randomBytes(16),
  })
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
          roleId: roles.get(role)!,
        })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await fillRegistrations(db, { from: 1, count: applicants, now: clock.now(), passwordHash })
  await drawPictures(db, files, applicants)
  const shown = accounts.find(({ role }) => role === 'Mahasiswa')!
  await db
    .updateTable('accounts')
    .set({ email: shown.email, name: shown.name, language: 'en' })
    .where('email', '=', `camaba${shownApplicant}@demo.test`)
    .execute()
  await db
    .updateTable('applicants')
    .set({ fullName: shown.name })
    .where('accountId', '=', (query) => query.selectFrom('accounts').select('id').where('email', '=', shown.email))
    .execute()
  await seedDemoStatement(services)
}
