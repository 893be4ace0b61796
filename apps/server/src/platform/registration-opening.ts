import type { Db } from './database/database.ts'
import { AppError } from './errors.ts'

/** Whether applicants may sign up and apply. */
export async function isRegistrationOpen(db: Db): Promise<boolean> {
  const opening = await db.selectFrom('registrationOpening').select('closedAt').executeTakeFirst()
  return opening !== undefined && opening.closedAt === null
}

/** Throws 409 `registration_closed` while the university has not opened registration. */
export async function requireRegistrationOpen(db: Db) {
  if (!(await isRegistrationOpen(db))) throw new AppError(409, 'registration_closed')
}
