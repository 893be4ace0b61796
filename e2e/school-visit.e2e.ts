import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as door from './school-visit/door-steps.ts'
import * as marketing from './school-visit/marketing-steps.ts'
import * as pupil from './school-visit/pupil-steps.ts'
import { register, signInAs } from './support/steps.ts'
import { wordsOf } from './support/words.ts'
import { openWorld, type World } from './support/world.ts'

const english = wordsOf('en')
const say = wordsOf('id')

const visit: marketing.Visit = {
  nameId: 'Kunjungan Rekaan',
  nameEn: 'Invented visit',
  slug: 'kunjungan-rekaan',
  school: 'Contoh 1 Kota Bandung',
}
const dewi: pupil.Pupil = {
  name: 'Dewi Rekaan Kunjungan',
  phone: '0812 9999 0045',
  email: 'dewi.kunjungan@contoh.test',
  nik: '3171015708070045',
}
const tono = { name: 'Tono Tanpa Tiket', phone: '0812 9999 0046' }

let world: World
let db: pg.Client
beforeAll(async () => {
  world = await openWorld()
  db = new pg.Client({ connectionString: world.databaseUrl })
  await db.connect()
})
afterAll(async () => {
  await db?.end()
  await world?.close()
})

const arrivals = async (event: string) =>
  (
    await db.query<{ name: string; walk_in: boolean; check_ins: number; scans: number; origins: number }>(
      `SELECT v.name, v.walk_in,
         (SELECT count(*)::int FROM event_check_ins c WHERE c.visitor_id = v.id AND c.undone_at IS NULL) AS check_ins,
         (SELECT count(*)::int FROM event_scans s WHERE s.visitor_id = v.id) AS scans,
         (SELECT count(*)::int FROM lead_origins o WHERE o.lead_id = v.lead_id) AS origins
       FROM event_visitors v WHERE v.event_id = $1 ORDER BY v.name`,
      [event],
    )
  ).rows

const leadOf = async (name: string) =>
  (
    await db.query<{ stage: string; account: string | null }>(
      `SELECT l.stage, a.email AS account FROM leads l LEFT JOIN accounts a ON a.id = l.account_id WHERE l.name = $1`,
      [name],
    )
  ).rows

/** Name of a programme that the open wave offers in the journey's class. */
const offeredProgramme = async () =>
  (
    await db.query<{ name: string }>(
      `SELECT p.name FROM programme_details d JOIN study_programmes p ON p.id = d.programme_id AND p.active
         JOIN waves w ON w.id = d.wave_id AND w.code = 'G2'
         JOIN class_programmes c ON c.id = d.class_programme_id AND c.name = 'Kelas Pagi'
       WHERE d.active AND d.open ORDER BY p.name LIMIT 1`,
    )
  ).rows[0]!.name

test('a pupil met at a school without network becomes a lead and submits a registration', async () => {
  const staff = await world.person({ width: 1280, language: 'en' })
  const phone = await world.person({ width: 360, language: 'id' })
  const entrance = await world.person({ width: 360, language: 'id' })
  await world.keepPicturesOnFailure('school-visit', [staff, phone, entrance], async () => {
    await signInAs(staff, english, 'marketing')
    const event = await marketing.makeVisit(staff, english, visit)
    const ticket = await pupil.registerForVisit(phone, say, visit.slug, dewi)

    await signInAs(entrance, say, 'marketing')
    await door.openDoor(entrance, say, event)
    await entrance.context.setOffline(true)
    await entrance.page.getByText(say('common:offlineSentLater')).waitFor()
    await door.typeCode(entrance, say, ticket, dewi.name)
    await door.waitForQueue(entrance, say, 1)
    await entrance.page.reload()
    await door.waitForQueue(entrance, say, 1)
    await door.registerWalkIn(entrance, say, tono)
    await door.waitForQueue(entrance, say, 2)
    await entrance.checkPage('event-afiliator/view/{id}/check-in: without network')
    expect(await arrivals(event)).toEqual([{ name: dewi.name, walk_in: false, check_ins: 0, scans: 0, origins: 1 }])
    await entrance.context.setOffline(false)
    await door.waitForQueue(entrance, say, 0)
    const bothOnce = [
      { name: dewi.name, walk_in: false, check_ins: 1, scans: 1, origins: 1 },
      { name: tono.name, walk_in: true, check_ins: 1, scans: 1, origins: 1 },
    ]
    expect(await arrivals(event)).toEqual(bothOnce)
    await entrance.page.reload()
    await door.waitForQueue(entrance, say, 0)
    await entrance.checkPage('event-afiliator/view/{id}/check-in: sent')
    expect(await arrivals(event)).toEqual(bothOnce)

    const programme = await offeredProgramme()
    const link = await marketing.workOnLead(staff, english, dewi.name, programme)
    expect(await leadOf(dewi.name)).toEqual([{ stage: 'contacted', account: null }])

    await pupil.signUpByLink(phone, say, world, link, dewi)
    await expect
      .poll(() => leadOf(dewi.name), { timeout: 30_000 })
      .toEqual([{ stage: 'contacted', account: dewi.email }])
    await pupil.saveIdentity(phone, say, dewi)
    await pupil.completeProfileOfVisit(phone, say, dewi, visit.school)
    const registration = await register(phone, say)
    const { rows: choices } = await db.query(
      `SELECT p.name FROM registration_choices c JOIN study_programmes p ON p.id = c.programme_id
       WHERE c.registration_id = $1`,
      [registration.split('/').at(-1)],
    )
    expect(choices).toEqual([{ name: programme }])

    // The job that looks for submitted registrations runs every minute.
    await expect
      .poll(() => leadOf(dewi.name), { timeout: 150_000, interval: 1_000 })
      .toEqual([{ stage: 'registered', account: dewi.email }])
    await marketing.seeFunnel(staff, english, event, {
      registered: 2,
      attended: 2,
      lead: 2,
      account: 1,
      registration: 1,
      paid: 0,
    })
  })
})
