import crypto from 'node:crypto'
import { sql } from 'kysely'
import { mustGet } from '#domain/must.ts'
import type { ScoreRun } from '#domain/scores/endpoints.ts'
import { listFinalScores, listScoreRuns } from '#domain/scores/lists.ts'
import { serveList } from '#server/list/serve-list.ts'
import { inBothLanguages } from '#server/modules/transfer/imports/problems.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { contains, type Db, type Tx } from '#server/platform/database/database.ts'
import { conflict, notFound } from '#server/platform/errors.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { sentences } from '#server/platform/text.ts'
import { finalScores, type ScoreMethod } from './final-scores.ts'
import { checkTarget, ofWholeUniversity, requireWhole } from './score-imports.ts'

export type TestMethod = { testId: string; method: ScoreMethod }
type NewRun = { name: string; waveId: string; trackId: string | null; methods: readonly TestMethod[] }

type RawRow = {
  registrationId: string
  testId: string
  score: number
  package: string | null
  parts: Record<string, number>
  sessionId: string | null
}

/** Raw scores of everybody still taking part and not absent, ordered by test and registration. */
const findRawScores = async (tx: Tx, { waveId, trackId, methods }: NewRun) => {
  const { rows } = await sql<RawRow>`
    SELECT s.registration_id, s.test_id, s.score, s.package, s.parts, e.test_session_id AS session_id
    FROM test_scores s JOIN registrations r ON r.id = s.registration_id
    LEFT JOIN test_seats e ON e.registration_id = r.id AND e.status <> 'released'
    WHERE s.score IS NOT NULL AND s.test_id = ANY(${methods.map(({ testId }) => testId)}::uuid[])
      AND r.wave_id = ${waveId} AND ${trackId ? sql`r.track_id = ${trackId}` : sql`true`}
      AND r.status NOT IN ('draft', 'withdrawn', 'cancelled', 'expired') AND e.status IS DISTINCT FROM 'absent'
    ORDER BY s.test_id, s.registration_id`.execute(tx)
  return rows
}

/** SHA-256 of the methods and all raw scores: runs with equal hashes have equal final scores. */
function hashInput(methods: readonly TestMethod[], rows: readonly RawRow[]): string {
  const hash = crypto.createHash('sha256')
  const sorted = methods.toSorted((one, other) => (one.testId < other.testId ? -1 : 1))
  hash.update(JSON.stringify(sorted.map(({ testId, method }) => [testId, Object.entries(method).sort()])))
  for (const { registrationId, testId, score, package: name, parts, sessionId } of rows)
    hash.update(JSON.stringify([registrationId, testId, score, name, Object.entries(parts).sort(), sessionId]))
  return hash.digest('hex')
}

/** Creates final scores in one transaction; 409 if there are no scores or a method cannot be applied. */
export async function createScoreRun(services: Services, actor: Actor, run: NewRun): Promise<ScoreRun> {
  requireWhole(actor)
  const { db, clock } = services
  await checkTarget(db, { waveId: run.waveId })
  const names = await findTestNames(
    db,
    run.methods.map(({ testId }) => testId),
  )
  const id = await db.transaction().execute(async (tx) => {
    const rows = await findRawScores(tx, run)
    if (rows.length === 0) throw conflict('scores_none_to_run')
    const byTest = Map.groupBy(rows, ({ testId }) => testId)
    const finals = run.methods.flatMap(({ testId, method }) =>
      computeTest(byTest.get(testId) ?? [], method, mustGet(names, testId), actor),
    )
    const created = await tx
      .insertInto('scoreRuns')
      .values({
        name: run.name,
        waveId: run.waveId,
        trackId: run.trackId,
        methods: JSON.stringify(run.methods),
        inputHash: hashInput(run.methods, rows),
        createdAt: clock.now(),
        createdBy: actor.accountId || null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await sql`INSERT INTO final_scores (score_run_id, registration_id, test_id, score)
      SELECT ${created.id}::uuid, * FROM unnest(${finals.map(({ registrationId }) => registrationId)}::uuid[],
        ${finals.map(({ testId }) => testId)}::uuid[], ${finals.map(({ score }) => score)}::numeric[])`.execute(tx)
    await recordAudit(tx, actor, {
      action: 'score-run.create',
      on: { 'score-run': created.id },
      after: { name: run.name, scores: finals.length },
    })
    return created.id
  })
  return getScoreRun(db, actor, id)
}

async function findTestNames(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const tests = await db.selectFrom('tests').select(['id', 'name']).where('id', 'in', ids).execute()
  if (tests.length < ids.length) throw notFound('test')
  return new Map(tests.map(({ id, name }) => [id, name]))
}

function computeTest(rows: readonly RawRow[], method: ScoreMethod, test: string, { language }: Actor) {
  const outcome = rows.length === 0 ? { scores: [] } : finalScores(rows, method)
  if ('scores' in outcome)
    return rows.map(({ registrationId, testId }, index) => ({ registrationId, testId, score: outcome.scores[index]! }))
  const { problem, at } = outcome
  const reason = inBothLanguages((one) => sentences(one)(`scores:methodProblem.${problem}`, { at }))
  throw conflict('score_method_fails', { test, problem: reason[language] })
}

const runRows = (db: Db) =>
  db
    .selectFrom('scoreRuns as n')
    .innerJoin('waves as w', 'w.id', 'n.waveId')
    .leftJoin('tracks as t', 't.id', 'n.trackId')
    .leftJoin('accounts as a', 'a.id', 'n.createdBy')

const withFacts = (rows: ReturnType<typeof runRows>) =>
  rows
    .select(['n.id', 'n.name', 'n.waveId', 'n.trackId', 't.name as track', 'n.inputHash', 'n.createdAt', 'n.pinnedAt'])
    .select('a.name as createdBy')
    .select(sql<string>`w.name || ' ' || w.academic_year`.as('wave'))
    .select(sql<number>`(SELECT count(*) FROM final_scores f WHERE f.score_run_id = n.id)`.as('scores'))

async function getScoreRun(db: Db, actor: Actor, id: string) {
  requireWhole(actor)
  const run = await withFacts(runRows(db)).where('n.id', '=', id).executeTakeFirst()
  if (!run) throw notFound('score run')
  return { ...run, createdAt: run.createdAt.toISOString(), pinnedAt: run.pinnedAt?.toISOString() ?? null }
}

type TestFacts = {
  testId: string
  test: string
  scores: number
  mean: number | null
  deviation: number | null
  lowest: number | null
  highest: number | null
}
type Compared = {
  testId: string
  both: number
  only: number
  missing: number
  changed: number
  largest: number | null
}

/** One run with the spread of its scores by test, and a comparison with another run if requested. */
export async function readScoreRun(db: Db, actor: Actor, id: string, comparedWith: string | undefined) {
  const run = await getScoreRun(db, actor, id)
  const { methods } = await db.selectFrom('scoreRuns').select('methods').where('id', '=', id).executeTakeFirstOrThrow()
  const { rows: facts } = await sql<TestFacts>`
    SELECT t.id AS test_id, t.name AS test, count(f.score) AS scores, round(avg(f.score), 4) AS mean,
      round(stddev_pop(f.score), 4) AS deviation, min(f.score) AS lowest, max(f.score) AS highest
    FROM tests t LEFT JOIN final_scores f ON f.test_id = t.id AND f.score_run_id = ${id}
    WHERE t.id = ANY(${(methods as TestMethod[]).map(({ testId }) => testId)}::uuid[])
    GROUP BY t.id, t.name ORDER BY t.name`.execute(db)
  const { rows: compared } = comparedWith
    ? await sql<Compared>`
      SELECT test_id, count(*) FILTER (WHERE f.score IS NOT NULL AND o.score IS NOT NULL) AS both,
        count(*) FILTER (WHERE o.score IS NULL) AS only, count(*) FILTER (WHERE f.score IS NULL) AS missing,
        count(*) FILTER (WHERE f.score <> o.score) AS changed, max(abs(f.score - o.score)) AS largest
      FROM (SELECT registration_id, test_id, score FROM final_scores WHERE score_run_id = ${id}) f
      FULL JOIN (SELECT registration_id, test_id, score FROM final_scores WHERE score_run_id = ${comparedWith}) o
        USING (registration_id, test_id)
      GROUP BY test_id`.execute(db)
    : { rows: [] }
  const byTest = new Map(compared.map(({ testId, ...counts }) => [testId, counts]))
  const methodOf = new Map((methods as TestMethod[]).map(({ testId, method }) => [testId, method]))
  const selection = await db.selectFrom('selectionRuns').select('id').where('scoreRunId', '=', id).executeTakeFirst()
  return {
    ...run,
    tests: facts.map((test) => ({
      ...test,
      method: mustGet(methodOf, test.testId),
      compared: byTest.get(test.testId) ?? null,
    })),
    canDelete: run.pinnedAt === null && !selection,
  }
}

/** Deletes a run; 409 if a selection uses it or a publication pinned it. */
export async function deleteScoreRun(services: Services, actor: Actor, id: string): Promise<void> {
  requireWhole(actor)
  await services.db.transaction().execute(async (tx) => {
    const run = await tx
      .selectFrom('scoreRuns')
      .select(['name', 'pinnedAt'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!run) throw notFound('score run')
    if (run.pinnedAt) throw conflict('score_run_pinned')
    await tx.deleteFrom('scoreRuns').where('id', '=', id).execute()
    await recordAudit(tx, actor, { action: 'score-run.delete', on: { 'score-run': id }, before: { name: run.name } })
  })
}

export const serveScoreRuns = (app: App, services: Services) =>
  serveList(app, services, listScoreRuns, {
    from: () => runRows(services.db),
    scope: ofWholeUniversity,
    filters: {
      waveId: 'n.waveId',
      q: (q) => contains('n.name', q),
    },
    columns: (rows) => withFacts(rows),
    sorts: { createdAt: { by: sql`n.created_at`, type: 'timestamptz' } },
    id: sql`n.id`,
  })

const isUuid = (text: string | undefined) =>
  text !== undefined && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

export const serveFinalScores = (app: App, services: Services) =>
  serveList(app, services, listFinalScores, {
    from: (_reader, { comparedWith }) => {
      const other = isUuid(comparedWith) ? comparedWith : null
      return services.db
        .selectFrom('finalScores as f')
        .innerJoin('registrations as r', 'r.id', 'f.registrationId')
        .innerJoin('applicants as a', 'a.id', 'r.applicantId')
        .innerJoin('tests as t', 't.id', 'f.testId')
        .leftJoin('testScores as s', (join) =>
          join.onRef('s.registrationId', '=', 'f.registrationId').onRef('s.testId', '=', 'f.testId'),
        )
        .leftJoin('finalScores as o', (join) =>
          join
            .onRef('o.registrationId', '=', 'f.registrationId')
            .onRef('o.testId', '=', 'f.testId')
            .on(sql<boolean>`o.score_run_id = ${other}::uuid`),
        )
    },
    scope: async ({ actor, params }) => {
      const { id } = await getScoreRun(services.db, actor, params.id)
      return (eb) => eb('f.scoreRunId', '=', id)
    },
    filters: {
      testId: (testId) => (eb) => eb('f.testId', '=', testId),
      // The other run is a table of `from`.
      comparedWith: () => undefined,
      changed: (changed) => sql<boolean>`(f.score IS DISTINCT FROM o.score) = ${changed === 'true'}`,
      q: (q) => (eb) => eb.or([contains('r.code', q), contains('a.fullName', q)]),
    },
    columns: (rows) =>
      rows
        .select(['f.registrationId', 'r.code', 'a.fullName as name', 't.name as test', 's.score as raw', 'f.score'])
        .select('o.score as compared')
        .select(sql<number | null>`f.score - o.score`.as('difference'))
        .select(finalScoreId.as('id')),
    sorts: {
      code: { by: sql`r.code`, type: 'text' },
      score: { by: sql`f.score`, type: 'numeric' },
    },
    id: finalScoreId,
    nameOf: async (_filter, value) =>
      isUuid(value)
        ? (await services.db.selectFrom('scoreRuns').select('name').where('id', '=', value).executeTakeFirst())?.name
        : undefined,
  })

/** Combines both keys into one uuid, since lists break ties by a single column. */
const finalScoreId = sql<string>`md5(f.registration_id::text || f.test_id::text)::uuid`
