import type { Db } from '#server/platform/database/database.ts'
import { asApplicant, type TestActor } from '#server-test/actors.ts'
import type { AcademicFixture } from '#server-test/factories/academic.ts'
import type { TestApp } from '#server-test/test-app.ts'

let count = 0

/** A registration of an account on the track with a test, past the steps before the given status. */
export async function registrationForTest(
  db: Db,
  academic: AcademicFixture,
  accountId: string,
  { status = 'paid', trackId = academic.tracks.regular }: { status?: string; trackId?: string } = {},
): Promise<string> {
  count += 1
  const applicant =
    (await db.selectFrom('applicants').select('id').where('accountId', '=', accountId).executeTakeFirst()) ??
    (await db
      .insertInto('applicants')
      .values({ accountId, fullName: `Peserta ${count}` })
      .returning('id')
      .executeTakeFirstOrThrow())
  const { id } = await db
    .insertInto('registrations')
    .values({
      code: `T${String(count).padStart(6, '0')}`,
      applicantId: applicant.id,
      accountId,
      waveId: academic.wave,
      trackId,
      entryLevelId: academic.entryLevel,
      classProgrammeId: academic.classProgramme,
      programmeId: academic.programmes[0],
      status: status as never,
      ...(status === 'decided' && { decision: 'not_accepted' as const }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function testSession(db: Db, academic: AcademicFixture, now: Date, values: Record<string, unknown> = {}) {
  const { id } = await db
    .insertInto('testSessions')
    .values({
      waveId: academic.wave,
      trackId: academic.tracks.regular,
      name: 'Sesi uji',
      date: new Date(now.getTime() + 10 * 86_400_000).toISOString().slice(0, 10),
      startTime: '13:00',
      endTime: '15:00',
      mode: 'onsite',
      location: 'Aula',
      capacity: 10,
      ...values,
    } as never)
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('testSessionTests').values({ testSessionId: id, testId: academic.test }).execute()
  return id
}

export type TestTaker = { actor: TestActor; id: string }

/** An applicant with a registration on the track with a test. */
export async function testTaker(
  t: TestApp,
  academic: AcademicFixture,
  options?: Parameters<typeof registrationForTest>[3],
): Promise<TestTaker> {
  const actor = await asApplicant(t)
  return { actor, id: await registrationForTest(t.db, academic, actor.accountId, options) }
}

export const takeSeat = ({ actor, id }: TestTaker, testSessionId: string) =>
  actor.post(`/pendaftaran/${id}/test-seat`, { testSessionId })
