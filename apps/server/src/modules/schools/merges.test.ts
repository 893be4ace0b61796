import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asApplicant, asStaff, type TestActor } from '#server-test/actors.ts'
import { aPlace, aProfile, aSchoolType } from '#server-test/factories/applicants.ts'
import { merging, schoolsOf } from '#server-test/factories/schools.ts'
import { importing } from '#server-test/factories/sheets/sheets.ts'
import { untilLocked } from '#server-test/race-behind.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { pointersToSchools } from './references.ts'

let t: TestApp
let staff: TestActor
let place: Awaited<ReturnType<typeof aPlace>>
let type: string

const { aSchool, merge, stored, schoolOf, anApplicantOf } = schoolsOf(() => ({ t, staff, place, type }))

beforeAll(async () => {
  t = await testApp()
  staff = await asStaff(t)
  place = await aPlace(t)
  type = await aSchoolType(t)
}, 120_000)

afterAll(() => t.close())

describe('merging', () => {
  test("references to schools are found in the database's catalogue", async () => {
    const tables = (await pointersToSchools(t.db)).map(({ table, column }) => `${table}.${column}`)
    expect(tables).toContain('applicants.school_id')
    expect(tables).toContain('school_agreements.school_id')
    expect(tables).toContain('school_aliases.school_id')
    expect(tables.some((name) => name.startsWith('school_pairs') || name.startsWith('school_search'))).toBe(false)
  })

  test('columns that name a school without a foreign key are among those that must not change', async () => {
    const { rows } = await sql<{ name: string }>`
      SELECT a.attrelid::regclass::text || '.' || a.attname AS name
      FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
      WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND a.atttypid = 'uuid'::regtype
        AND a.attname ~ 'school(s)?_id$' AND NOT EXISTS (SELECT FROM pg_constraint f
          WHERE f.contype = 'f' AND f.conrelid = a.attrelid AND a.attnum = ANY(f.conkey)) ORDER BY 1`.execute(t.db)
    expect(rows.map(({ name }) => name)).toEqual([
      // Follows the profile by a trigger.
      'registration_facts.school_id',
      'school_merges.school_id',
      'school_search.school_id',
      'school_waiting.school_id',
    ])
  })

  test('search words of a school are deleted with it', async () => {
    const { id } = await aSchool('SMA Hapus Kembali')
    const words = () => t.db.selectFrom('schoolSearch').select('words').where('schoolId', '=', id).execute()
    expect(await words()).toHaveLength(1)
    await t.db.deleteFrom('schools').where('id', '=', id).execute()
    expect(await words()).toEqual([])
  })

  test('a merge leaves the number of rows, and every foreign key points to an existing school', async () => {
    const [keep, duplicate] = [await aSchool('SMA Hitungan'), await aSchool('SMA Hitungan')]
    for (let at = 0; at < 3; at++) await anApplicantOf(duplicate)
    const pointers = await pointersToSchools(t.db)
    const counts = async () =>
      Object.fromEntries(
        await Promise.all(
          pointers
            .filter(({ table }) => table !== 'school_aliases')
            .map(async ({ table, column }) => {
              const { rows } = await sql<{ all: number; of: number; lost: number }>`
                SELECT count(*)::int AS all, count(*) FILTER (WHERE s.id IN (${keep.id}, ${duplicate.id}))::int AS of,
                  count(*) FILTER (WHERE u.${sql.ref(column)} IS NOT NULL AND s.id IS NULL)::int AS lost
                FROM ${sql.table(table)} u LEFT JOIN schools s ON s.id = u.${sql.ref(column)}`.execute(t.db)
              return [`${table}.${column}`, rows[0]]
            }),
        ),
      )
    const before = await counts()
    expect(before['applicants.school_id']).toMatchObject({ of: 3, lost: 0 })
    const { mergeId } = await merge(merging(keep, [duplicate]))
    expect(await counts()).toEqual(before)
    await staff.post(`/master/sma-nama/merges/${mergeId}/undo`)
    expect(await counts()).toEqual(before)
  })

  test('overlapping merges at the same moment all end at one school and lose no applicant', async () => {
    const schools = await Promise.all([1, 2, 3, 4, 5].map(() => aSchool('SMA Tumpang Tindih')))
    const applicants = await Promise.all(schools.map(anApplicantOf))
    const chains = [
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 4],
      [4, 0],
    ] as const
    const answers = await Promise.all(
      chains.map(([keep, duplicate]) =>
        staff.post('/master/sma-nama/merge', {
          keepId: schools[keep]!.id,
          mergeIds: [schools[duplicate]!.id],
          versions: {},
        }),
      ),
    )
    for (const { statusCode, body } of answers) expect([200, 404, 409], body).toContain(statusCode)
    expect(answers.some(({ statusCode }) => statusCode === 200)).toBe(true)
    const remaining = (await Promise.all(schools.map(({ id }) => stored(id)))).filter((row) => row !== undefined)
    expect(remaining).toHaveLength(5 - answers.filter(({ statusCode }) => statusCode === 200).length)
    const existingIds = new Set(remaining.map(({ id }) => id))
    for (const { accountId } of applicants) expect(existingIds.has((await schoolOf(accountId))!)).toBe(true)
    const lost = await sql<{ n: number }>`SELECT count(*)::int AS n FROM school_aliases a
      WHERE NOT EXISTS (SELECT FROM schools s WHERE s.id = a.school_id)`.execute(t.db)
    expect(lost.rows[0]!.n).toBe(0)
  })

  test('moves every reference and stores the number as an alias, as its preview shows', async () => {
    const [keep, duplicate] = [await aSchool('SMA Negeri 21 Mawar'), await aSchool('SMAN 21 Mawar')]
    const applicant = await anApplicantOf(duplicate)
    await t.db
      .insertInto('schoolAgreements')
      .values({ schoolId: duplicate.id, number: 'MOU-21', title: 'Kerja sama', validTo: '2030-01-01' })
      .execute()
    const preview = (await staff.post('/master/sma-nama/merge/preview', merging(keep, [duplicate]))).json().data
    expect(preview).toMatchObject({ mergeId: null, aliases: [duplicate.npsn], dropped: [] })
    expect(preview.moved.map(({ count }: { count: number }) => count)).toEqual([1, 1])
    expect(await stored(duplicate.id)).toBeDefined()

    const outcome = await merge(merging(keep, [duplicate]))
    expect(outcome.moved).toEqual(preview.moved)
    expect(await stored(duplicate.id)).toBeUndefined()
    expect(await schoolOf(applicant.accountId)).toBe(keep.id)
    const found = (await staff.get(`/schools/search?q=${duplicate.npsn}`)).json().data
    expect(found).toMatchObject([{ id: keep.id }])
    const log = await t.db
      .selectFrom('auditLog')
      .select(['subjectId', 'after'])
      .where('action', '=', 'school.merge')
      .execute()
    expect(log.map(({ subjectId }) => subjectId)).toEqual(expect.arrayContaining([keep.id, duplicate.id]))
    expect(JSON.stringify(log)).toContain(duplicate.npsn)
  })

  test('takes each field from the chosen school', async () => {
    const keep = await aSchool('SMAN 22', { address: 'Jalan Lama 1' })
    const duplicate = await aSchool('SMA Negeri 22 Surabaya', { address: 'Jalan Baru 2', districtId: place.districtId })
    const outcome = await merge(
      merging(keep, [duplicate], {
        fields: { name: duplicate.id, npsn: duplicate.id, districtId: duplicate.id, address: keep.id },
      }),
    )
    expect(outcome).toMatchObject({ name: duplicate.name, npsn: duplicate.npsn, aliases: [keep.npsn] })
    expect(await stored(keep.id)).toMatchObject({
      name: duplicate.name,
      npsn: duplicate.npsn,
      address: 'Jalan Lama 1',
      districtId: place.districtId,
      version: keep.version + 1,
    })
  })

  test('of several schools, and of the result into another, leads every number and id to the last school', async () => {
    const [a, b, c, d] = [
      await aSchool('SMA A1'),
      await aSchool('SMA A1'),
      await aSchool('SMA A1'),
      await aSchool('SMA A1'),
    ]
    await merge(merging(b!, [c!, d!]))
    await merge({ keepId: a!.id, mergeIds: [b!.id], versions: {} })
    const rows = await t.db.selectFrom('schoolAliases').select(['formerId']).where('schoolId', '=', a!.id).execute()
    expect(rows.map(({ formerId }) => formerId).sort()).toEqual([b!.id, c!.id, d!.id].sort())
    for (const { npsn } of [b!, c!, d!])
      expect((await staff.get(`/schools/search?q=${npsn}`)).json().data).toMatchObject([{ id: a!.id }])
  })

  test('repeated says that it is done and changes nothing', async () => {
    const [keep, duplicate] = [await aSchool('SMA Ulang'), await aSchool('SMA Ulang')]
    await merge(merging(keep, [duplicate]))
    const again = await merge(merging(keep, [duplicate]))
    expect(again).toMatchObject({ already: true, mergeId: null, moved: [] })
  })

  test('twice at the same moment merges once; the second answer says that it is done', async () => {
    const [keep, duplicate] = [await aSchool('SMA Serentak'), await aSchool('SMA Serentak')]
    const answers = await Promise.all([1, 2, 3].map(() => merge(merging(keep, [duplicate]))))
    expect(answers.filter(({ already }) => !already)).toHaveLength(1)
    const merges = await t.db.selectFrom('schoolMerges').select('id').where('schoolId', '=', keep.id).execute()
    expect(merges).toHaveLength(1)
  })

  test('of two schools into each other at the same moment leaves exactly one', async () => {
    const [one, other] = [await aSchool('SMA Silang'), await aSchool('SMA Silang')]
    const answers = await Promise.all([
      staff.post('/master/sma-nama/merge', merging(one, [other])),
      staff.post('/master/sma-nama/merge', merging(other, [one])),
    ])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 404])
    expect([await stored(one.id), await stored(other.id)].filter(Boolean)).toHaveLength(1)
  })

  test('based on a stale version is refused', async () => {
    const [keep, duplicate] = [await aSchool('SMA Basi'), await aSchool('SMA Basi')]
    await t.db.updateTable('schools').set({ version: 2 }).where('id', '=', duplicate.id).execute()
    const answer = await staff.post('/master/sma-nama/merge', merging(keep, [duplicate]))
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'stale_version'])
    expect(await stored(duplicate.id)).toBeDefined()
  })

  test('of a school into itself, or of an unknown school, is refused', async () => {
    const keep = await aSchool('SMA Sendiri')
    expect((await staff.post('/master/sma-nama/merge', merging(keep, [keep]))).statusCode).toBe(422)
    const nobody = { ...keep, id: '00000000-0000-4000-8000-000000000001' }
    expect((await staff.post('/master/sma-nama/merge', merging(keep, [nobody]))).json().code).toBe('school_gone')
  })

  test('deletes rows the remaining school already has, reports that, and an undo restores them', async () => {
    await sql`CREATE TABLE school_visits (id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
      school_id uuid NOT NULL REFERENCES schools (id), day date NOT NULL, UNIQUE (school_id, day))`.execute(t.owner)
    await sql`GRANT ALL ON school_visits TO pmb_app`.execute(t.owner).catch(() => {})
    const [keep, duplicate] = [await aSchool('SMA Kunjung'), await aSchool('SMA Kunjung')]
    for (const [school, day] of [
      [keep.id, '2026-01-01'],
      [duplicate.id, '2026-01-01'],
      [duplicate.id, '2026-01-02'],
    ])
      await sql`INSERT INTO school_visits (school_id, day) VALUES (${school}, ${day}::date)`.execute(t.owner)
    const outcome = await merge(merging(keep, [duplicate]))
    expect(outcome.moved).toEqual([{ what: 'school_visits', count: 1 }])
    expect(outcome.dropped).toEqual([{ what: 'school_visits', count: 1 }])
    const count = async (id: string) =>
      (await sql<{ n: number }>`SELECT count(*)::int AS n FROM school_visits WHERE school_id = ${id}`.execute(t.owner))
        .rows[0]!.n
    expect([await count(keep.id), await count(duplicate.id)]).toEqual([2, 0])
    const undone = await staff.post(`/master/sma-nama/merges/${outcome.mergeId}/undo`)
    expect(undone.json().data, undone.body).toEqual({ moved: 2, left: 0, restored: true })
    expect([await count(keep.id), await count(duplicate.id)]).toEqual([1, 2])
    await sql`DROP TABLE school_visits`.execute(t.owner)
  })

  test('an applicant who saves a school merged meanwhile gets the remaining one', async () => {
    const [keep, duplicate] = [await aSchool('SMA Balapan'), await aSchool('SMA Balapan')]
    const early = await anApplicantOf(duplicate)
    const applicants = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const actor = await asApplicant(t)
        await aProfile(t, actor.accountId)
        return actor
      }),
    )
    const save = (actor: TestActor) => actor.put('/auth/my-profile', { version: 1, schoolId: duplicate.id })
    const answers = await Promise.all([
      ...applicants.slice(0, 3).map(save),
      merge(merging(keep, [duplicate])).then(() => ({ statusCode: 200, body: '' })),
      ...applicants.slice(3).map(save),
    ])
    for (const { statusCode, body } of answers) expect(statusCode, body).toBe(200)
    for (const { accountId } of [early, ...applicants]) expect(await schoolOf(accountId)).toBe(keep.id)
    // Much later, from a page that stayed open.
    const late = await anApplicantOf(keep)
    expect((await save(late)).statusCode).toBe(200)
    expect(await schoolOf(late.accountId)).toBe(keep.id)
  })

  test('applicants who save the merged school at that moment are not refused, and the merge waits for them', async () => {
    const [keep, duplicate] = [await aSchool('SMA Antre'), await aSchool('SMA Antre')]
    const applicants = await Promise.all(Array.from({ length: 6 }, () => anApplicantOf(duplicate)))
    const release = Promise.withResolvers<void>()
    const rowLocked = Promise.withResolvers<void>()
    // One applicant locks a profile and then refers to the school that the merge has locked.
    const slow = t.db.transaction().execute(async (tx) => {
      const mine = tx.updateTable('applicants').where('accountId', '=', applicants[0]!.accountId)
      await mine.set({ fullName: 'Sedang Menyimpan' }).execute()
      rowLocked.resolve()
      await release.promise
      await mine.set({ schoolId: keep.id }).execute()
    })
    await rowLocked.promise
    const merged = merge(merging(keep, [duplicate]))
    const saves = applicants
      .slice(1)
      .map((actor, at) => actor.put('/auth/my-profile', { version: 1, schoolId: at % 2 ? keep.id : duplicate.id }))
    // Waits for the merge, and for a save blocked by it.
    const waiting = untilLocked(t, 2).finally(release.resolve)
    await Promise.all([slow, merged, waiting])
    for (const answer of await Promise.all(saves)) expect(answer.statusCode, answer.body).toBe(200)
    for (const { accountId } of applicants) expect(await schoolOf(accountId)).toBe(keep.id)
  })

  test('an import with the merged school changes nothing about it, and its number refers to the remaining school', async () => {
    const [keep, duplicate] = [await aSchool('SMA Impor Utama'), await aSchool('SMA Impor Kembar')]
    await merge(merging(keep, [duplicate]))
    const use = importing(t, staff)
    const { code } = await t.db
      .selectFrom('schoolTypes')
      .select('code')
      .where('id', '=', type)
      .executeTakeFirstOrThrow()
    const lines = [
      ['NPSN', 'Name', 'School type', 'Ownership', 'City or regency', 'Address'],
      [keep.npsn, keep.name, code, 'negeri', 'Kota Surabaya', 'Jalan Impor 1'],
      [duplicate.npsn, duplicate.name, code, 'negeri', 'Kota Surabaya', 'Jalan Impor 2'],
    ]
    const found = await use.check('sma-nama', Buffer.from(lines.map((line) => line.join(',')).join('\n')))
    expect(found.rows).toMatchObject({ new: 0, changed: 1, unchanged: 1, wrong: 0 })
    await use.run(found.id)
    expect(await stored(keep.id)).toMatchObject({ name: keep.name, npsn: keep.npsn, address: 'Jalan Impor 1' })
    expect(await stored(duplicate.id)).toBeUndefined()

    const agreements = ['School,Number,Title,Valid to', `${duplicate.npsn},MOU-IMPOR,Kerja sama,2030-01-01`]
    const agreed = await use.check('sma-mou', Buffer.from(agreements.join('\n')))
    expect(agreed.rows).toMatchObject({ new: 1, wrong: 0 })
    await use.run(agreed.id)
    const agreement = await t.db
      .selectFrom('schoolAgreements')
      .select('schoolId')
      .where('number', '=', 'MOU-IMPOR')
      .executeTakeFirst()
    expect(agreement).toEqual({ schoolId: keep.id })
  })

  test('the number of a merged school cannot be given to another', async () => {
    const [keep, duplicate] = [await aSchool('SMA Nomor'), await aSchool('SMA Nomor')]
    await merge(merging(keep, [duplicate]))
    const values = {
      npsn: duplicate.npsn,
      name: 'SMA Baru',
      schoolTypeId: type,
      status: 'negeri',
      cityId: place.cityId,
    }
    const answer = await staff.post('/master/sma-nama', values)
    expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([422, ['npsn']])
    const other = await aSchool('SMA Lain Sekali')
    const renamed = await staff.put(`/master/sma-nama/${other.id}`, {
      ...values,
      districtId: null,
      address: null,
      verified: true,
      version: 1,
    })
    expect([renamed.statusCode, Object.keys(renamed.json().errors)]).toEqual([422, ['npsn']])
    const proposer = await asApplicant(t, { profile: true })
    const proposed = await proposer.post('/schools/propose', { ...values, name: 'SMA Usul Lama' })
    expect(proposed.json().data).toMatchObject({ id: keep.id, existed: true })
  })
})
