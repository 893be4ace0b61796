import { expect } from 'vitest'
import type { MergeOutcome, SchoolPair } from '#domain/schools/endpoints.ts'
import { compareSome } from '#server/modules/schools/compare-schools.ts'
import { asApplicant, type TestActor } from '#server-test/actors.ts'
import type { TestApp } from '#server-test/test-app.ts'
import { type aPlace, aProfile } from './applicants.ts'

export type Made = { id: string; npsn: string; name: string; version: number }

type World = { t: TestApp; staff: TestActor; place: Awaited<ReturnType<typeof aPlace>>; type: string }

export const merging = (keep: Made, others: Made[], more: Record<string, unknown> = {}) => ({
  keepId: keep.id,
  mergeIds: others.map(({ id }) => id),
  versions: Object.fromEntries([keep, ...others].map(({ id, version }) => [id, version])),
  ...more,
})

/** Schools, pairs found among them, and merges, as staff make them. */
export function schoolsOf(world: () => World) {
  let number = 0

  const aSchool = async (name: string, values: Record<string, unknown> = {}): Promise<Made> =>
    world()
      .t.db.insertInto('schools')
      .values({
        npsn: `6${String(++number).padStart(7, '0')}`,
        name,
        schoolTypeId: world().type,
        cityId: world().place.cityId,
        ...values,
      } as never)
      .returning(['id', 'npsn', 'name', 'version'])
      .executeTakeFirstOrThrow()

  const compareAll = async () => {
    while ((await compareSome(world().t.db, 500)) > 0);
  }

  const pairs = async (query = ''): Promise<SchoolPair[]> => {
    await compareAll()
    const answer = await world().staff.get(`/master/sma-nama/duplicates?per_page=100${query}`)
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json().data
  }

  const isPair = async (a: Made, b: Made, query = '') =>
    (await pairs(query)).find((pair) => [pair.a.id, pair.b.id].sort().join() === [a.id, b.id].sort().join())

  const merge = async (body: object, actor = world().staff): Promise<MergeOutcome> => {
    const answer = await actor.post('/master/sma-nama/merge', body)
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json().data
  }

  const stored = (id: string) => world().t.db.selectFrom('schools').selectAll().where('id', '=', id).executeTakeFirst()

  const schoolOf = async (accountId: string) =>
    (
      await world()
        .t.db.selectFrom('applicants')
        .select('schoolId')
        .where('accountId', '=', accountId)
        .executeTakeFirstOrThrow()
    ).schoolId

  const anApplicantOf = async (school: Made) => {
    const actor = await asApplicant(world().t)
    await aProfile(world().t, actor.accountId, { schoolId: school.id })
    return actor
  }

  return { aSchool, compareAll, pairs, isPair, merge, stored, schoolOf, anApplicantOf }
}
