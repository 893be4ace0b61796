import { spawn } from 'node:child_process'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { academicOf, aRegistration, publish } from '#server-test/factories/admissions.ts'
import { pastTriggers, type TestApp, testApp } from '#server-test/test-app.ts'
import { isWhole } from '#testing/form.ts'
import { announceResultsJob } from './announce-results.job.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t?.close())

/**
 * Copies a decided registration with its account many times, every third one not accepted; returns the total number.
 */
async function decideMany(count: number) {
  const { id, trackId, applicant } = await aRegistration(t, { status: 'decided' })
  await pastTriggers(
    t,
    sql`WITH people AS (
        INSERT INTO accounts (name, email, role_id, language)
        SELECT 'Peserta ' || n, 'peserta' || n || '@example.com', a.role_id, CASE n % 2 WHEN 0 THEN 'en' ELSE 'id' END
        FROM accounts a, generate_series(1, ${count - 1}) n WHERE a.id = ${applicant.accountId}
        RETURNING id, name
      )
      INSERT INTO registrations (code, applicant_id, account_id, wave_id, track_id, entry_level_id, class_programme_id,
        programme_id, status, decision, accepted_programme_id, verified_at, decided_at, search_text)
      SELECT 'M-' || substr(p.name, 9), gen_random_uuid(), p.id, r.wave_id, r.track_id, r.entry_level_id, r.class_programme_id,
        r.programme_id, 'decided', CASE substr(p.name, 9)::int % 3 WHEN 0 THEN 'not_accepted' ELSE 'accepted' END,
        CASE WHEN substr(p.name, 9)::int % 3 > 0 THEN r.accepted_programme_id END, r.verified_at, r.decided_at, ''
      FROM people p, registrations r WHERE r.id = ${id}`,
  )
  return { trackId, waveId: (await academicOf(t)).wave, count }
}

/** Counts messages per person and channel, and mails without exactly one handover. */
async function countMessages() {
  const { rows } = await sql<{ people: number; most: number; least: number; wrongHandovers: number }>`
    SELECT count(*)::int AS people, max(inbox)::int AS most, min(mail)::int AS least, sum(wrong)::int AS wrong_handovers
    FROM (SELECT m.account_id, count(*) FILTER (WHERE channel = 'inbox') AS inbox,
        count(*) FILTER (WHERE channel = 'email') AS mail,
        count(*) FILTER (WHERE channel = 'email' AND (SELECT count(*) FROM handovers h
          WHERE h.message_id = m.id AND h.state = 'due') <> 1) AS wrong
      FROM messages m WHERE event IN ('registration-accepted', 'registration-not-accepted') GROUP BY 1) told`.execute(
    t.owner,
  )
  return rows[0]
}

test('announcing to many people sends no NOTIFY', async () => {
  const { programmes } = await academicOf(t)
  const { trackId } = await aRegistration(t, { status: 'decided', choices: [programmes[1]] })
  await publish(t, trackId)
  const listener = new pg.Client({ connectionString: t.connectionString })
  await listener.connect()
  const heard: string[] = []
  listener.on('notification', ({ channel, payload }) => heard.push(`${channel} ${payload}`))
  const { rows } = await listener.query(
    "SELECT 'pgboss_' || left(encode(sha224('pgboss'::bytea), 'hex'), 24) AS channel",
  )
  await listener.query(`LISTEN "${rows[0].channel}"`)
  await announceResultsJob.run(t.services, { waveId: (await academicOf(t)).wave, trackId })
  await listener.query('SELECT 1')
  await listener.end()
  expect(heard).toEqual([])
})

test('an announcing job killed again and again notifies everybody exactly once', { timeout: 240_000 }, async () => {
  const { trackId, waveId, count } = await decideMany(isWhole ? 6_000 : 2_500)
  await publish(t, trackId)
  const script = path.join(import.meta.dirname, '../../../../test/announce.ts')
  const untold = async () =>
    (
      await sql<{ count: number }>`SELECT count(*)::int AS count FROM registrations
      WHERE track_id = ${trackId} AND status = 'decided' AND result_told_at IS NULL`.execute(t.owner)
    ).rows[0]!.count
  for (let kill = 0; kill < (isWhole ? 10 : 3); kill++) {
    const child = spawn(process.execPath, [script, t.connectionString, JSON.stringify({ waveId, trackId })], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = new Promise((resolve) => child.once('exit', resolve))
    await new Promise((resolve) => child.stdout.once('data', resolve))
    await wait(Math.random() * 200)
    child.kill('SIGKILL')
    await ended
  }
  const left = await untold()
  await announceResultsJob.run(t.services, { waveId, trackId })
  expect(await untold()).toBe(0)
  expect(left).toBeGreaterThan(0)
  // The applicant of the other test is included.
  expect(await countMessages()).toEqual({ people: count + 1, most: 1, least: 1, wrongHandovers: 0 })
})
