import type { Db } from '#server/platform/database/database.ts'

/** Choices for the profile form's short lists, active ones only. */
export async function profileOptions(db: Db) {
  const [religions, ethnicGroups, schoolTypes, majors] = await Promise.all([
    db.selectFrom('religions').select(['id', 'name']).where('active', '=', true).orderBy('code').execute(),
    db.selectFrom('ethnicGroups').select(['id', 'name']).where('active', '=', true).orderBy('name').execute(),
    db.selectFrom('schoolTypes').select(['id', 'code', 'name']).where('active', '=', true).orderBy('code').execute(),
    db
      .selectFrom('schoolMajors')
      .select(['id', 'name', 'schoolTypeId'])
      .where('active', '=', true)
      .orderBy('name')
      .execute(),
  ])
  const majorsOf = Map.groupBy(majors, ({ schoolTypeId }) => schoolTypeId)
  return {
    religions,
    ethnicGroups,
    schoolTypes: schoolTypes.map((type) => ({ ...type, majors: majorsOf.get(type.id) ?? [] })),
  }
}
