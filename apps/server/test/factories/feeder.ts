import type { TestApp } from '#server-test/test-app.ts'
import { academicOf, aRegistration } from './admissions.ts'

/** id_prodi of a test university's first programme. */
export const feederProgrammeId = '0b8f4c1e-2d3a-4b5c-8d7e-9f0a1b2c3d4e'

/** A student with a number and all data the ministry requires. */
export async function aFeederStudent(t: TestApp, profile: Record<string, unknown> = {}) {
  const { id, code, applicant } = await aRegistration(t, { status: 'enrolled' })
  const { programmes } = await academicOf(t)
  await t.db
    .updateTable('studyProgrammes')
    .set({ pddiktiId: feederProgrammeId })
    .where('id', '=', programmes[0])
    .execute()
  const { nik, districtId, fullName } = await t.db
    .updateTable('applicants')
    .set({ nisn: '0071234567', ...profile } as never)
    .where('accountId', '=', applicant.accountId)
    .returning(['nik', 'districtId', 'fullName'])
    .executeTakeFirstOrThrow()
  await t.db
    .insertInto('enrolmentData')
    .values({
      registrationId: id,
      ...{ residence: '3', transport: '13', financing: '1', kpsRecipient: false },
      updatedAt: t.clock.now(),
    })
    .execute()
  const district = await t.db
    .selectFrom('districts')
    .select(['code', 'name'])
    .where('id', '=', districtId!)
    .executeTakeFirstOrThrow()
  await t.db
    .insertInto('feederRegions')
    .values({ code: '056001', name: district.name, regionCode: district.code })
    .onConflict((existing) => existing.doNothing())
    .execute()
  const { npm } = await t.db
    .selectFrom('students')
    .select('npm')
    .where('registrationId', '=', id)
    .executeTakeFirstOrThrow()
  return { id, code, npm, nik: nik!, name: fullName, accountId: applicant.accountId, districtCode: district.code }
}
