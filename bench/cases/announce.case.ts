import type pg from 'pg'
import { announceResultsJob } from '#server/modules/admissions/results/announce-results.job.ts'
import type { Case } from '../measure.ts'
import { type OwnProduct, ownProduct } from '../own-product.ts'

/** Applicants whose results are announced per round and side. */
const people = Number(process.env.BENCH_RESULTS ?? 50_000)
const batchSize = 1_000

type Ready = OwnProduct & { waveId: string; trackId: string }

async function prepare(): Promise<Ready> {
  const own = await ownProduct('announce', 100)
  const { db } = own
  const { rows } = await db.query<{ waveId: string; trackId: string }>(
    `SELECT d.wave_id AS "waveId", d.track_id AS "trackId" FROM track_details d JOIN waves w ON w.id = d.wave_id
     WHERE w.code = 'G2' ORDER BY d.id LIMIT 1`,
  )
  const { waveId, trackId } = rows[0]!
  await fillResults(db, waveId, trackId)
  return { ...own, waveId, trackId }
}

/** Adds decided registrations with published results; every fourth was not accepted. */
async function fillResults(db: pg.Client, waveId: string, trackId: string) {
  for (const statement of [
    `CREATE TEMP TABLE people AS SELECT n, gen_random_uuid() AS account, gen_random_uuid() AS applicant
     FROM generate_series(1, ${people}) n`,
    `INSERT INTO accounts (id, name, email, role_id, language)
     SELECT account, 'Peserta ' || n, 'peserta-' || n || '@demo.test', (SELECT id FROM roles WHERE name = 'Mahasiswa'),
       CASE n % 3 WHEN 0 THEN 'en' ELSE 'id' END FROM people`,
    `INSERT INTO applicants (id, account_id, full_name) SELECT applicant, account, 'Peserta ' || n FROM people`,
    `INSERT INTO registrations (code, applicant_id, account_id, wave_id, track_id, entry_level_id, class_programme_id,
       programme_id, accepted_programme_id, status, decision, verified_at, decided_at)
     SELECT 'HASIL' || n, applicant, account, '${waveId}', '${trackId}', d.entry_level_id, d.class_programme_id,
       d.programme_id, CASE WHEN n % 4 > 0 THEN d.programme_id END, 'decided',
       CASE WHEN n % 4 > 0 THEN 'accepted' ELSE 'not_accepted' END, now() - interval '2 days', now() - interval '1 day'
     FROM people CROSS JOIN (SELECT d.* FROM programme_details d WHERE d.wave_id = '${waveId}' ORDER BY d.id LIMIT 1) d`,
    `INSERT INTO result_publications (wave_id, track_id, publish_at)
     VALUES ('${waveId}', '${trackId}', now() - interval '1 minute')
     ON CONFLICT (wave_id, track_id, number) DO UPDATE SET publish_at = excluded.publish_at`,
  ])
    await db.query(statement)
  await forget(db)
}

/** Deletes what a round wrote. */
async function forget(db: pg.Client) {
  for (const statement of [
    "DELETE FROM messages WHERE event IN ('registration-accepted', 'registration-not-accepted')",
    "UPDATE registrations SET result_told_at = NULL WHERE code LIKE 'HASIL%'",
    'VACUUM ANALYZE messages, registrations, handovers',
    'CHECKPOINT',
  ])
    await db.query(statement)
}

/** The peer's message texts, as long as the product's. */
const accepted = {
  id: ['Selamat, Anda diterima di %s', 'Selamat! Anda diterima di %s. Mohon konfirmasi sebelum %s.'],
  en: ['Congratulations: you are accepted at %s', 'Congratulations! You are accepted at %s. Please confirm before %s.'],
}
const refused = {
  id: ['Hasil %s sudah diumumkan', 'Terima kasih sudah mengikuti seleksi. Mohon maaf, pendaftaran %s belum diterima.'],
  en: ['The result of %s is published', 'Thank you for taking part. We regret that registration %s was not accepted.'],
}
const text = (index: 0 | 1) =>
  `CASE WHEN b.decision = 'accepted' THEN format(CASE u.language WHEN 'en' THEN '${accepted.en[index]}' ELSE '${accepted.id[index]}' END,
      CASE u.language WHEN 'en' THEN coalesce(p.name_en, p.name) ELSE p.name END, to_char(b.due_at, 'DD Mon YYYY HH24.MI'))
    ELSE format(CASE u.language WHEN 'en' THEN '${refused.en[index]}' ELSE '${refused.id[index]}' END, b.code) END`

/**
 * One statement that announces a batch: inbox and mail messages, a handover for each mail, and the registration's mark.
 */
const batchStatement = `
  WITH batch AS MATERIALIZED (
    SELECT r.id, r.code, r.account_id, r.decision, r.accepted_programme_id, coalesce(d.confirmation_due_at, w.confirmation_due_at) AS due_at
    FROM registrations r JOIN waves w ON w.id = r.wave_id
    LEFT JOIN track_details d ON d.wave_id = r.wave_id AND d.track_id = r.track_id AND d.entry_level_id = r.entry_level_id
    WHERE r.wave_id = $1 AND r.track_id = $2 AND r.status = 'decided' AND r.result_told_at IS NULL
    ORDER BY r.id LIMIT ${batchSize} FOR NO KEY UPDATE OF r
  ), written AS (
    INSERT INTO messages (account_id, channel, event, language, created_at, subject, body, link, status, sent_at, to_address)
    SELECT b.account_id, c.channel, CASE b.decision WHEN 'accepted' THEN 'registration-accepted' ELSE 'registration-not-accepted' END,
      u.language, now(), ${text(0)}, ${text(1)}, '/pendaftaran/' || b.id, c.status,
      CASE c.channel WHEN 'inbox' THEN now() END, CASE c.channel WHEN 'email' THEN u.email END
    FROM batch b JOIN accounts u ON u.id = b.account_id LEFT JOIN study_programmes p ON p.id = b.accepted_programme_id
    CROSS JOIN (VALUES ('inbox', 'sent'), ('email', 'queued')) c (channel, status)
    RETURNING id, channel
  ), due AS (
    INSERT INTO handovers (id, message_id, channel, urgency, state, due_at, state_at)
    SELECT id, id, channel, 3, 'due', now(), now() FROM written WHERE channel = 'email'
  )
  UPDATE registrations r SET result_told_at = now() FROM batch b WHERE r.id = b.id`

let ready: Promise<Ready> | undefined
const isReady = () => {
  ready ??= prepare()
  return ready
}

/**
 * Runs one side and returns its rate; throws unless each applicant has one inbox message and one mail with a handover.
 */
async function rateOf({ db }: Ready, announce: () => Promise<unknown>) {
  await forget(db)
  const startMs = performance.now()
  await announce()
  const seconds = (performance.now() - startMs) / 1000
  const { rows } = await db.query<{ inbox: number; due: number }>(
    `SELECT (SELECT count(DISTINCT account_id)::int FROM messages WHERE channel = 'inbox'
         AND event IN ('registration-accepted', 'registration-not-accepted')) AS inbox,
       (SELECT count(*)::int FROM handovers WHERE urgency = 3) AS due`,
  )
  if (rows[0]!.inbox !== people || rows[0]!.due !== people) throw new Error(`told ${JSON.stringify(rows[0])}`)
  console.log(`${people.toLocaleString('en')} results announced in ${seconds.toFixed(1)} s`)
  return people / seconds
}

/**
 * 50,000 published results announced by inbox and mail, against the same rows by INSERT … SELECT in batches of 1,000.
 */
export const announceCase: Case = {
  ownDatabase: true,
  goal: 0.3,
  unit: 'applicants/s',
  async ours() {
    const bench = await isReady()
    const { waveId, trackId } = bench
    return rateOf(bench, () => announceResultsJob.run(bench.product.services, { waveId, trackId }))
  },
  async theirs() {
    const bench = await isReady()
    const { db, waveId, trackId } = bench
    return rateOf(bench, async () => {
      for (let batch = batchSize; batch > 0; )
        batch = (await db.query({ name: 'announce', text: batchStatement, values: [waveId, trackId] })).rowCount ?? 0
    })
  },
  close: async () => (await ready)?.stop(),
}
