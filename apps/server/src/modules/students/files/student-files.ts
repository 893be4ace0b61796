import { confirmedStatuses } from '#domain/admissions/registration-status.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import type { Services } from '#server/platform/services.ts'
import { getStudent } from './get-student.ts'
import { matchingFiles, waitingSince } from './list-files.ts'
import { receiptsOf } from './papers.ts'

/** The student, the paper receipts, and the registration whose file waits next. */
export async function showStudentFiles(services: Services, actor: Actor, registrationId: string) {
  const { db } = services
  const student = await getStudent(db, actor, registrationId)
  const [receipts, next] = await Promise.all([
    receiptsOf(db, registrationId),
    nextWaitingBeside(services, actor, registrationId),
  ])
  return { ...student, receipts, nextWaiting: next?.id ?? null }
}

async function nextWaitingBeside(services: Services, actor: Actor, registrationId: string) {
  const waiting = await matchingFiles(services, actor, { state: 'uploaded' })
  return waiting
    .select('r.id')
    .where('r.status', 'in', [...confirmedStatuses])
    .where('r.id', '<>', registrationId)
    .orderBy(waitingSince)
    .orderBy('d.id')
    .limit(1)
    .executeTakeFirst()
}

/** Names of the documents that tracks require. */
export async function fileKinds({ db }: Services) {
  const rows = await db.selectFrom('trackFiles').select('name').distinct().orderBy('name').execute()
  return rows.map(({ name }) => name)
}
