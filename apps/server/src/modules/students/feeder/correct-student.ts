import { sql } from 'kysely'
import type { z } from 'zod'
import type {
  correctFeederStudent as correctCall,
  mapFeederRegion as mapCall,
} from '#domain/students/feeder/endpoints.ts'
import { identityPermission } from '#server/modules/admissions/registrations/applicant-profile.ts'
import { type Actor, requirePermission } from '#server/platform/access/authorization.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { conflict, invalid, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { showFeederStudent } from './show-student.ts'

/**
 * Saves answers that only the ministry's register needs; 409 `stale_version` if outdated. `nikChecked` applies to the
 * present NIK; changing it needs permission to see identity numbers.
 */
export async function correctStudent(
  services: Services,
  actor: Actor,
  registrationId: string,
  { version, nikChecked, ...content }: z.output<(typeof correctCall)['body']>,
) {
  const { db, clock } = services
  await db.transaction().execute(async (tx) => {
    const student = await tx
      .selectFrom('registrations as r')
      .innerJoin('applicants as a', 'a.id', 'r.applicantId')
      .innerJoin('students as s', 's.registrationId', 'r.id')
      .leftJoin('feederCorrections as k', 'k.registrationId', 'r.id')
      .select(['a.nik', 'k.checkedNik', 'k.previousUniversityId', 'k.previousProgrammeId', 'k.specialNeedsCode'])
      .where('r.id', '=', registrationId)
      .where(visibleTo(actor))
      .executeTakeFirst()
    if (!student) throw notFound('student')
    const { nik, checkedNik: before, ...earlier } = student
    const wasChecked = before !== null && before === nik
    if (nikChecked !== wasChecked) requirePermission(actor, identityPermission)
    const values = { ...content, checkedNik: nikChecked ? nik : null, updatedAt: clock.now() }
    const saved = await tx
      .insertInto('feederCorrections')
      .values({ registrationId, ...values })
      .onConflict((conflicting) =>
        conflicting
          .column('registrationId')
          .doUpdateSet({ ...values, version: version + 1 })
          .where('feederCorrections.version', '=', version),
      )
      .returning('version')
      .executeTakeFirst()
    if (saved?.version !== version + 1) throw conflict('stale_version')
    await recordAudit(tx, actor, {
      action: 'feeder.correct',
      on: { registration: registrationId },
      before: { ...earlier, nikChecked: wasChecked },
      after: { ...content, nikChecked },
    })
  })
  return showFeederStudent(services, actor, registrationId)
}

/** Sets the register's code of a district; 422 for an unknown district or a code that another district has. */
export const mapRegion = (
  services: Services,
  actor: Actor,
  { districtCode, code }: z.output<(typeof mapCall)['body']>,
) =>
  services.db.transaction().execute(async (tx) => {
    // A row that does not exist yet cannot be locked.
    await sql`SELECT pg_advisory_xact_lock(hashtextextended('regions of neo feeder', 0))`.execute(tx)
    const district = await tx.selectFrom('districts').select('name').where('code', '=', districtCode).executeTakeFirst()
    if (!district) throw invalid({ districtCode: 'not_found' })
    const now = services.clock.now()
    const earlier = await tx
      .selectFrom('feederRegions')
      .select(['id', 'code', 'regionCode', 'active'])
      .where((eb) => eb.or([eb('code', '=', code), eb('regionCode', '=', districtCode)]))
      .orderBy('id')
      .forUpdate()
      .execute()
    const known = earlier.find((row) => row.code === code)
    if (known?.regionCode && known.regionCode !== districtCode) throw invalid({ code: 'feeder_region_taken' })
    // A wrong code the district had until now is removed from it.
    const wrong = earlier.find((row) => row.regionCode === districtCode && row.code !== code)
    const set = { version: 1, updatedAt: now, updatedBy: actor.accountId }
    if (wrong)
      await tx
        .updateTable('feederRegions')
        .set((eb) => ({ ...set, regionCode: null, version: eb('version', '+', 1) }))
        .where('id', '=', wrong.id)
        .execute()
    const { id } = known
      ? await tx
          .updateTable('feederRegions')
          .set((eb) => ({ ...set, regionCode: districtCode, active: true, version: eb('version', '+', 1) }))
          .where('id', '=', known.id)
          .returning('id')
          .executeTakeFirstOrThrow()
      : await tx
          .insertInto('feederRegions')
          .values({
            code,
            name: district.name,
            regionCode: districtCode,
            createdBy: actor.accountId,
            updatedBy: actor.accountId,
          })
          .returning('id')
          .executeTakeFirstOrThrow()
    await recordAudit(tx, actor, {
      action: 'wilayah-feeder.update',
      on: { 'wilayah-feeder': id },
      before: { code: wrong?.code ?? null, regionCode: known?.regionCode ?? null },
      after: { code, regionCode: districtCode },
    })
    return { id }
  })
