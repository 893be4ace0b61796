import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import type { Bench, Case } from '../measure.ts'

const lines = 20_000
const tests = 5
const session = 'Sesi ukur'

type World = { waveId: string; testIds: string[]; codes: string[] }

/** Adds a session of five tests that 20,000 registrations of the largest wave have attended. */
async function makeWorld(db: pg.Client): Promise<World> {
  await removeWorld(db)
  const { rows: waves } = await db.query<{ id: string }>(
    'SELECT wave_id AS id FROM registrations GROUP BY 1 ORDER BY count(*) DESC LIMIT 1',
  )
  const waveId = waves[0]!.id
  const { rows: sessions } = await db.query<{ id: string }>(
    `INSERT INTO test_sessions (wave_id, name, date, start_time, end_time, location, capacity)
     VALUES ($1, $2, current_date, '08:00', '10:00', 'Aula', 100000) RETURNING id`,
    [waveId, session],
  )
  const { rows: ids } = await db.query<{ id: string }>(
    `WITH made AS (INSERT INTO tests (code, name) SELECT 'UKUR' || n, 'Tes ukur ' || n FROM generate_series(1, $2::int) n
       RETURNING id, code), offered AS (INSERT INTO test_session_tests SELECT $1, id FROM made)
     SELECT id FROM made ORDER BY code`,
    [sessions[0]!.id, tests],
  )
  const { rows: people } = await db.query<{ code: string }>(
    `WITH chosen AS (SELECT id, code FROM registrations r WHERE wave_id = $1 AND status IN ('submitted', 'paid', 'verified')
         AND NOT EXISTS (SELECT FROM test_seats s WHERE s.registration_id = r.id AND s.status <> 'released') LIMIT $3),
       seated AS (INSERT INTO test_seats (test_session_id, registration_id, status) SELECT $2, id, 'attended' FROM chosen)
     SELECT code FROM chosen`,
    [waveId, sessions[0]!.id, lines],
  )
  await db.query('ANALYZE test_seats')
  return { waveId, testIds: ids.map(({ id }) => id), codes: people.map(({ code }) => code) }
}

/** Removes what a round wrote, so that the next one starts from the same rows. */
const removeWorld = (db: pg.Client) =>
  db.query(`
    CREATE TEMP TABLE IF NOT EXISTS gone (id uuid, test boolean);
    TRUNCATE gone;
    INSERT INTO gone SELECT id, true FROM tests WHERE code LIKE 'UKUR%';
    INSERT INTO gone SELECT id, false FROM test_sessions WHERE name = '${session}';
    DELETE FROM score_runs WHERE name = '${session}';
    DELETE FROM test_scores WHERE test_id IN (SELECT id FROM gone);
    DELETE FROM test_score_versions WHERE test_id IN (SELECT id FROM gone);
    DELETE FROM score_import_lines WHERE test_id IN (SELECT id FROM gone);
    DELETE FROM imports WHERE file_name = 'nilai-ukur.csv';
    DELETE FROM test_seats WHERE test_session_id IN (SELECT id FROM gone);
    DELETE FROM test_sessions WHERE id IN (SELECT id FROM gone);
    DELETE FROM tests WHERE id IN (SELECT id FROM gone)`)

const fileOf = ({ codes }: World) =>
  ['Kode,Nilai', ...codes.map((code, index) => `${code},${index % 101}`), ''].join('\n')

async function withDatabase<T>(url: string, work: (db: pg.Client) => Promise<T>): Promise<T> {
  const db = new pg.Client({ connectionString: url })
  await db.connect()
  try {
    return await work(db)
  } finally {
    await removeWorld(db)
    await db.end()
  }
}

type Imported = { id: string; version: number; problems: number; scores: { new: number } }

/** Sends, checks and writes the file, then prints how long final scores for all five tests take. */
async function importOnce({ url, token }: Bench, db: pg.Client): Promise<number> {
  const world = await makeWorld(db)
  const authorization = `Bearer ${await token('panitia@demo.test')}`
  const send = async <T>(call: string, body: FormData | object): Promise<T> => {
    const isForm = body instanceof FormData
    const answer = await fetch(`${url}/api${call}`, {
      method: 'POST',
      headers: { authorization, ...(!isForm && { 'content-type': 'application/json' }) },
      body: isForm ? body : JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${call}: ${await answer.text()}`)
    return ((await answer.json()) as { data: T }).data
  }
  const form = new FormData()
  form.append('file', new Blob([fileOf(world)], { type: 'text/csv' }), 'nilai-ukur.csv')
  const startMs = performance.now()
  const { id } = await send<Imported>(`/score-imports?waveId=${world.waveId}`, form)
  const checked = await send<Imported>(`/score-imports/${id}/check`, {
    mapping: [
      { header: 'Kode', as: 'code' },
      { header: 'Nilai', as: 'score', testId: world.testIds[0] },
    ],
    profile: null,
  })
  if (checked.problems > 0 || checked.scores.new !== world.codes.length)
    throw new Error(`${checked.problems} problems, ${checked.scores.new} scores`)
  const checkedMs = performance.now()
  await send(`/score-imports/${id}/run`, { version: checked.version })
  const endMs = performance.now()
  console.log(
    `${world.codes.length} lines: sent and checked in ${Math.round(checkedMs - startMs)} ms, written in ${Math.round(endMs - checkedMs)} ms`,
  )
  await printScoreRun(send, db, world)
  return world.codes.length / ((endMs - startMs) / 1000)
}

async function printScoreRun(
  send: <T>(call: string, body: object) => Promise<T>,
  db: pg.Client,
  { waveId, testIds }: World,
) {
  await db.query(
    `INSERT INTO test_scores (registration_id, test_id, score, package)
     SELECT s.registration_id, t.id, s.score, chr(65 + (s.score::int % 4)) FROM test_scores s, unnest($2::uuid[]) AS t (id)
     WHERE s.test_id = $1`,
    [testIds[0], testIds.slice(1)],
  )
  const startMs = performance.now()
  const { scores } = await send<{ scores: number }>('/score-runs', {
    name: session,
    waveId,
    trackId: null,
    methods: testIds.map((testId, index) => ({
      testId,
      method: index < 3 ? { kind: 'standard' } : { kind: 'linear', reference: 'A', anchor: null },
    })),
  })
  console.log(`${scores} final scores in ${Math.round(performance.now() - startMs)} ms`)
}

/** The hand-written way: COPY into a separate table, then one statement that finds the registrations. */
async function copyOnce(db: pg.Client): Promise<number> {
  const world = await makeWorld(db)
  const filePath = path.join(os.tmpdir(), `pmb-bench-scores-${process.pid}.csv`)
  fs.writeFileSync(filePath, fileOf(world), { mode: 0o644 })
  try {
    await db.query(`CREATE TABLE copied (registration_id uuid NOT NULL, test_id uuid NOT NULL, score numeric(6, 2) NOT NULL
      CHECK (score >= 0), recorded_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (registration_id, test_id))`)
    const startMs = performance.now()
    await db.query('BEGIN')
    await db.query('CREATE TEMP TABLE sheet (code text, score numeric(6, 2)) ON COMMIT DROP')
    await db.query(`COPY sheet FROM '${filePath}' WITH (FORMAT csv, HEADER)`)
    const { rowCount } = await db.query(
      `INSERT INTO copied (registration_id, test_id, score)
       SELECT r.id, $1, s.score FROM sheet s JOIN registrations r ON r.code = s.code
       ON CONFLICT (registration_id, test_id) DO UPDATE SET score = excluded.score`,
      [world.testIds[0]],
    )
    await db.query('COMMIT')
    return (rowCount ?? 0) / ((performance.now() - startMs) / 1000)
  } finally {
    await db.query('DROP TABLE IF EXISTS copied')
    fs.rmSync(filePath)
  }
}

/** 20,000 scores sent, checked and written with their versions, against COPY and one INSERT of the same rows. */
export const scoreImportCase: Case = {
  goal: 0.03,
  unit: 'rows/s',
  ours: (bench) => withDatabase(bench.databaseUrl, (db) => importOnce(bench, db)),
  theirs: ({ databaseUrl }) => withDatabase(databaseUrl, copyOnce),
}
