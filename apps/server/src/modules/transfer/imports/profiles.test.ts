import fs from 'node:fs'
import path from 'node:path'
import zlib from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importProfiles } from '#domain/transfer/profiles.ts'
import { getEntity } from '#entities/index.ts'
import { seedRegions } from '#seeds/regions.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { importing } from '#server-test/factories/sheets/sheets.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { importColumnsOf } from './import-columns.ts'

const realSchools = path.resolve(import.meta.dirname, '../../../../../../../shared/data/schools_sma_smk_2019.csv.gz')

describe('a profile', () => {
  it.each(importProfiles)('$key fills only fields its entity has, and is data only', (profile) => {
    const keys = importColumnsOf(getEntity(profile.entity)).map(({ key }) => key)
    expect(keys).toEqual(expect.arrayContaining(Object.keys(profile.columns)))
    expect(JSON.parse(JSON.stringify(profile))).toEqual(profile)
  })
})

describe.skipIf(!fs.existsSync(realSchools))(
  'the real list of schools (skipped where ../shared/data is absent)',
  () => {
    let t: TestApp
    let staff: TestActor
    let aceh: string[]

    beforeAll(async () => {
      t = await testApp()
      staff = await asStaff(t)
      await sql`DELETE FROM villages; DELETE FROM districts; DELETE FROM cities; DELETE FROM provinces`.execute(t.owner)
      await seedRegions(t.owner, ['11'])
      await sql`INSERT INTO school_types (code, name) VALUES ('SMA', 'SMA'), ('SMK', 'SMK'), ('SMLB', 'SMLB') ON CONFLICT DO NOTHING`.execute(
        t.db,
      )
      const [header = '', ...lines] = zlib.gunzipSync(fs.readFileSync(realSchools)).toString().split('\n')
      aceh = ['# Sumber: daftar sekolah', header, ...lines.filter((line) => line.includes(',Aceh,'))]
    })
    afterAll(() => t?.close())

    it('is understood as it is: cities by their province, districts by their city, types by name', async () => {
      const use = importing(t, staff)
      const found = await use.check('sma-nama', Buffer.from(aceh.join('\n')))
      expect(found.profile).toBe('schools-2019')
      expect(found.columns.unknown).toEqual([])
      expect(found.rows).toMatchObject({ new: aceh.length - 2, wrong: 0 })
      await use.run(found.id)
      const [school] = (await staff.get('/master/sma-nama?q=10100112')).json().data
      expect(school).toMatchObject({
        name: 'SMK NEGERI 1 MESJID RAYA',
        status: 'negeri',
        titles: {
          cityId: 'Kabupaten Aceh Besar',
          districtId: 'Mesjid Raya',
          schoolTypeId: expect.stringContaining('SMK'),
        },
      })
      expect((await use.check('sma-nama', Buffer.from(aceh.join('\n')))).rows.unchanged).toBe(aceh.length - 2)
    }, 60_000)
  },
)
