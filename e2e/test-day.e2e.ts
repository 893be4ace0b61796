import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { as, type DemoPerson, peopleWho } from './support/demo-people.ts'
import { keptOnPhone } from './support/kept-on-phone.ts'
import { linkIn, mailFor } from './support/outbox.ts'
import { type Say, signInAs } from './support/steps.ts'
import { wordsOf } from './support/words.ts'
import { openWorld, type Person, type World } from './support/world.ts'
import * as applicant from './test-day/applicant-steps.ts'
import * as door from './test-day/attendance-steps.ts'
import { cameraFlags, showCard } from './test-day/card-video.ts'
import { importScores, typeScores } from './test-day/score-steps.ts'
import { createSeries, givePlaces, writeSeries } from './test-day/staff-steps.ts'

const english = wordsOf('en')
const say = wordsOf('id')
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pmb-camera-'))
const video = path.join(folder, 'camera.y4m')

let world: World
let db: pg.Client
beforeAll(async () => {
  world = await openWorld({ browserFlags: cameraFlags(video) })
  db = new pg.Client({ connectionString: world.databaseUrl })
  await db.connect()
})
afterAll(async () => {
  await db?.end()
  await world?.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

const sessionsNamed = async (name: string) =>
  (
    await db.query<{ id: string; name: string }>(
      'SELECT id, name FROM test_sessions WHERE name LIKE $1 ORDER BY name',
      [`${name}%`],
    )
  ).rows

const seatStatusOf = async ({ id }: DemoPerson) =>
  (
    await db.query<{ status: string }>(
      `SELECT status FROM test_seats WHERE registration_id = $1 AND status <> 'released'`,
      [id],
    )
  ).rows[0]?.status

/** One query after the other, because a PostgreSQL client runs one at a time. */
async function seatStatusesOf(people: readonly DemoPerson[]) {
  const statuses: (string | undefined)[] = []
  for (const person of people) statuses.push(await seatStatusOf(person))
  return statuses
}

/** Makes today the test day; the session lasts from midnight to midnight, so that everybody arrives late. */
const letDayArrive = (session: string) =>
  db.query(
    `UPDATE test_sessions SET date = (now() AT TIME ZONE 'Asia/Jakarta')::date, start_time = '00:00', end_time = '23:59',
       booking_closes_at = NULL, people_told_at = now() WHERE id = $1`,
    [session],
  )

/** Signs in without checking the pages on the way, which other journeys check. */
const enter = (person: Person, words: Say, account: string) =>
  signInAs({ ...person, checkPage: async () => {} }, words, account)

/** Downloads an applicant's own card and shows it to the camera. */
const showCardOf = async ({ account, id }: DemoPerson) =>
  showCard(video, await (await as(world, account)).file(`/pendaftaran/${id}/card.pdf`))

test('a test day: a series of sessions, seats, a waiting list, offline attendance, and scores', async () => {
  const [ani, budi, ...others] = await peopleWho(
    world,
    `r.status IN ('paid', 'verified') AND NOT EXISTS (SELECT FROM test_seats s WHERE s.registration_id = r.id)
       AND EXISTS (SELECT FROM tracks t WHERE t.id = r.track_id AND t.has_test)
       AND EXISTS (SELECT FROM waves w WHERE w.id = r.wave_id AND w.code = 'G2')`,
    5,
  )
  const staff = await world.person({ width: 1280, language: 'en' })
  const [anisPhone, budisPhone, firstDoor, secondDoor] = [
    await world.person({ width: 360, language: 'id' }),
    await world.person({ width: 360, language: 'id' }),
    await world.person({ width: 360, language: 'id' }),
    await world.person({ width: 360, language: 'en' }),
  ] as [Person, Person, Person, Person]

  await world.keepPicturesOnFailure('test-day', [staff, anisPhone, budisPhone, firstDoor, secondDoor], async () => {
    await enter(staff, english, 'panitia')
    await createSeries(staff, english, 'CBT Kampus A')
    expect(await sessionsNamed('CBT')).toEqual([])
    await writeSeries(staff, english)
    const sessions = await sessionsNamed('CBT')
    expect(sessions.map(({ name }) => name)).toEqual([1, 2, 3, 4].map((number) => `CBT Kampus A ${number}`))
    const { id: session, name } = sessions[0]!

    for (const { account, id } of others)
      await (await as(world, account))('POST', `/pendaftaran/${id}/test-seat`, { testSessionId: session })
    await enter(anisPhone, say, ani!.account)
    await enter(budisPhone, say, budi!.account)
    await applicant.bookSeat(anisPhone, say, ani!, name)
    await applicant.waitForSeat(budisPhone, say, budi!, name)
    await applicant.giveSeatBack(anisPhone, say)
    const offer = await mailFor(world.url, `${budi!.account}@demo.test`, 'test-offered')
    await applicant.acceptOffer(budisPhone, say, linkIn(offer))
    expect([await seatStatusOf(ani!), await seatStatusOf(budi!)]).toEqual([undefined, 'booked'])
    await givePlaces(staff, english, session)

    await letDayArrive(session)
    const [first, second, ...absent] = others
    const late = new RegExp(say('attendance:verdict.late_other', { count: '\\d+' }))
    await enter(firstDoor, say, 'panitia')
    await door.openAttendance(firstDoor, say, session, 'Pintu utara')
    await showCardOf(budi!)
    await door.scan(firstDoor, say, late, budi!.name)
    await door.waitForQueue(firstDoor, say, 0)
    await firstDoor.checkPage('jadwal-test/{id}/attendance')
    await keptOnPhone(firstDoor.page, '/jadwal-test/')

    await firstDoor.context.setOffline(true)
    await firstDoor.page.getByText(say('common:offlineSentLater')).waitFor()
    await showCardOf(first!)
    await door.scan(firstDoor, say, late, first!.name)
    await firstDoor.page.reload()
    await door.waitForQueue(firstDoor, say, 1)
    await showCardOf(second!)
    await door.scan(firstDoor, say, late, second!.name)
    await door.waitForQueue(firstDoor, say, 2)
    await firstDoor.checkPage('jadwal-test/{id}/attendance: without network')
    expect(await seatStatusOf(second!)).toBe('booked')

    // The second phone does not know yet that the first one has scanned this card.
    await enter(secondDoor, english, 'panitia')
    await door.openAttendance(secondDoor, english, session, 'South door')
    const lateInEnglish = new RegExp(english('attendance:verdict.late_other', { count: '\\d+' }))
    await door.scan(secondDoor, english, lateInEnglish, second!.name)
    await door.waitForQueue(secondDoor, english, 0)
    await firstDoor.context.setOffline(false)
    await door.waitForQueue(firstDoor, say, 0)
    await secondDoor.page.reload()
    const since = english('attendance:verdict.already', { time: '\\d\\d.\\d\\d', device: 'Pintu utara' })
    await door.scan(secondDoor, english, new RegExp(since.replace(/[()]/g, '\\$&')), second!.name)
    await secondDoor.checkPage('jadwal-test/{id}/attendance: seen before')

    await door.markOthersAbsent(firstDoor, say, absent.length)
    await door.waitForQueue(firstDoor, say, 0)
    const attended = [budi!, first!, second!]
    expect(await seatStatusesOf([...attended, ...absent])).toEqual([
      ...attended.map(() => 'attended'),
      ...absent.map(() => 'absent'),
    ])

    await importScores(firstDoor, say, { attended, absent: absent[0]! })
    const { rows } = await db.query<{ id: string }>(`SELECT id FROM tests WHERE code = 'TPA'`)
    await typeScores(firstDoor, say, { session, test: rows[0]!.id, people: attended })
  })
})
