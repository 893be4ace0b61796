import pg from 'pg'
import { afterAll, beforeAll, test } from 'vitest'
import type { Language } from '#entities/define/language.ts'
import { goTo } from './support/go-to.ts'
import { signInAs } from './support/steps.ts'
import { wordsOf } from './support/words.ts'
import { openWorld, type World } from './support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())

async function inDatabase<T extends pg.QueryResultRow>(query: string, values: unknown[] = []) {
  const db = new pg.Client({ connectionString: world.databaseUrl })
  await db.connect()
  try {
    return (await db.query<T>(query, values)).rows
  } finally {
    await db.end()
  }
}

type Student = { id: string; npm: string; name: string; district: string }

/** A demo student whose only problem is a district without a Neo Feeder code. */
async function almostReadyStudent(index: number): Promise<Student> {
  const [student] = await inDatabase<Student>(
    `SELECT r.id, s.npm, a.full_name AS name FROM students s JOIN registrations r ON r.id = s.registration_id
     JOIN applicants a ON a.id = r.applicant_id WHERE r.status = 'enrolled' ORDER BY s.npm LIMIT 1 OFFSET $1`,
    [index],
  )
  const [place] = await inDatabase<{ district: string }>(
    `WITH place AS (SELECT d.id AS district_id, d.name, d.city_id, c.province_id, v.id AS village_id FROM districts d
       JOIN cities c ON c.id = d.city_id
       JOIN LATERAL (SELECT id FROM villages WHERE district_id = d.id ORDER BY code LIMIT 1) v ON true ORDER BY d.code LIMIT 1 OFFSET $2),
     person AS (UPDATE applicants a SET nisn = '0071234567', birth_place = 'Surabaya', birth_date = '2007-05-17', gender = 'female',
       nik = '357801570507' || lpad((7000 + $2)::text, 4, '0'), mother_name = 'Siti Aminah', citizenship = 'ID', address = 'Jalan Mawar 12',
       special_needs = NULL, religion_id = (SELECT id FROM religions WHERE code = '1'), province_id = place.province_id,
       city_id = place.city_id, district_id = place.district_id, village_id = place.village_id
       FROM place, registrations r WHERE r.applicant_id = a.id AND r.id = $1),
     programme AS (UPDATE study_programmes SET pddikti_id = '0b8f4c1e-2d3a-4b5c-8d7e-9f0a1b2c3d4e'),
     level AS (UPDATE entry_levels SET pddikti_registration_kind = '1'),
     track AS (UPDATE tracks SET pddikti_track_code = '12'),
     data AS (INSERT INTO enrolment_data (registration_id, residence, transport, financing, kps_recipient, updated_at)
       VALUES ($1, '3', '13', '1', false, now()) ON CONFLICT (registration_id) DO UPDATE SET residence = '3', transport = '13',
         financing = '1', kps_recipient = false, kps_number = NULL, recognised_credits = NULL, mother_nik = NULL, father_nik = NULL,
         mother_birth_date = NULL, father_birth_date = NULL)
     SELECT name AS district FROM place`,
    [student!.id, index],
  )
  return { ...student!, ...place! }
}

test.each([
  ['en', 1280, 0],
  ['id', 360, 1],
] as const)(
  'in %s at %i px: a dry run reports the problem, which is corrected on its page; the student is sent and is in the log',
  async (language: Language, width: number, index: number) => {
    const say = wordsOf(language)
    const f = (key: string, params = {}) => say(`feeder:${key}`, params)
    const student = await almostReadyStudent(index)
    const clerk = await world.person({ width, language })
    const { page, checkPage } = clerk
    await world.keepPicturesOnFailure(`feeder-${language}`, [clerk], async () => {
      await signInAs(clerk, say, 'panitia')
      await goTo(page, `/mahasiswa-feeder?q=${student.npm}`)
      await page.getByText(student.npm).first().waitFor()
      await page.getByText(f('state.incomplete')).filter({ visible: true }).first().waitFor()
      await checkPage('students for Neo Feeder')

      await goTo(page, `/mahasiswa-feeder/${student.id}`)
      await page.getByRole('button', { name: f('send.action') }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText(`id_wilayah (${f('problem.unmapped')})`).waitFor()
      await checkPage('dry run with a problem')
      await dialog
        .getByRole('button', { name: say('common:actions.close') })
        .last()
        .click()
      await checkPage('student with a problem')

      await page
        .getByRole('button', { name: f('student.correctField', { field: 'id_wilayah' }) })
        .first()
        .click()
      await dialog.getByLabel(f('region.code')).fill(`05600${index + 1}`)
      await checkPage('code of a district')
      await dialog.getByRole('button', { name: f('region.save') }).click()
      await page.getByText(f('student.noProblems')).waitFor()

      await page.getByRole('button', { name: f('send.action') }).click()
      await dialog.getByText(f('send.will_one', { count: 1, target: f('target.demo') })).waitFor()
      await checkPage('dry run of a ready student')
      await dialog.getByRole('button', { name: f('send.action') }).click()
      await page.getByText('id_registrasi_mahasiswa').first().waitFor()
      await page.getByText(f('state.sent'), { exact: true }).first().waitFor()
      await checkPage('student who was sent')

      await goTo(page, `/mahasiswa-feeder/log?q=${student.npm}`)
      await page.getByText(student.npm).first().waitFor()
      await page.getByText(f('outcome.sent'), { exact: true }).filter({ visible: true }).first().waitFor()
      await checkPage('log of Neo Feeder')
    })
  },
)

test('the connection is tested, and accepts no address without https', async () => {
  const say = wordsOf('en')
  const admin = await world.person({ width: 1280, language: 'en' })
  const { page, checkPage } = admin
  await world.keepPicturesOnFailure('feeder-settings', [admin], async () => {
    await signInAs(admin, say, 'administrator')
    await goTo(page, '/settings/feeder')
    await page.getByRole('button', { name: say('feeder:settings.check') }).click()
    await page
      .getByText(say('feeder:settings.works', { university: 'Universitas Percontohan' }))
      .first()
      .waitFor()
    await checkPage('connection to the built-in register')
    await page.getByRole('radio', { name: say('feeder:target.sandbox') }).check()
    await page.getByLabel(say('feeder:settings.address')).fill('http://feeder.example.ac.id:3003')
    await page.getByLabel(say('feeder:settings.username')).fill('operator')
    await page.getByLabel(say('feeder:settings.password'), { exact: true }).fill('rahasia')
    await page.getByRole('button', { name: say('feeder:settings.save'), exact: true }).click()
    await page.getByText(say('errors:address_unsafe')).waitFor()
    await checkPage('connection with an address without https')
  })
})
