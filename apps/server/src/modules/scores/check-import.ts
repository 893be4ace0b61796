import { sql } from 'kysely'
import { theOnly } from '#domain/must.ts'
import type { ScoreMapping } from '#domain/scores/mapping.ts'
import { storeProblems } from '#server/modules/transfer/imports/problem-list.ts'
import { type Import, moveImport } from '#server/modules/transfer/imports/uploads.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { conflict, invalid } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { slicesOf } from '#server/platform/slices.ts'
import { placeColumns } from './place-columns.ts'
import { type Plan, type PlannedScore, planImport } from './plan-import.ts'
import { readScoreFile } from './score-file.ts'
import { getScoreImport, type ScoreImportRow } from './score-imports.ts'

type Check = { mapping: ScoreMapping; profile: string | null }

const unwritten: readonly Import['status'][] = ['uploaded', 'checked']

/**
 * Reads the file with a mapping. Stores the planned changes and every problem, but writes no scores. 409 `wrong_status`
 * if the import was already written.
 */
export async function checkScoreImport(services: Services, actor: Actor, id: string, { mapping, profile }: Check) {
  const { db, clock } = services
  const record = await getScoreImport(db, actor, id)
  if (!unwritten.includes(record.status)) throw conflict('wrong_status')
  const tests = await findTests(db, mapping)
  const { headers, headings, lines, findings } = await readScoreFile(services, record)
  const columns = placeColumns(mapping, headers)
  const profileId = profile === null ? null : await saveProfile(db, actor, { name: profile, mapping, now: clock.now() })
  const plan = await planImport(db, lines, {
    now: clock.now(),
    waveId: record.waveId,
    testSessionId: record.testSessionId,
    profileId,
    headings,
    columns,
    tests,
    testsOfSession: await findTestsOfSessions(db, record.waveId),
    confirmed: await findConfirmed(db, id),
  })
  await db.transaction().execute(async (tx) => {
    const { rowsTotal, rowsWrong, rowsIgnored, problems, proposals } = plan
    await moveImport(tx, id, unwritten, { status: 'checked', rowsTotal, rowsWrong, problems: problems.length })
    await storePlan(tx, id, plan)
    await tx
      .updateTable('scoreImports')
      .set((eb) => ({
        ...{ mapping: JSON.stringify(mapping), profileId, findings: JSON.stringify(findings) },
        ...{ rowsIgnored, rowsUnconfirmed: proposals.length, version: eb('version', '+', 1) },
      }))
      .where('id', '=', id)
      .execute()
    await sql`WITH c AS (SELECT count(*) FILTER (WHERE action = 'new') AS new,
          count(*) FILTER (WHERE action = 'changed') AS changed, count(*) FILTER (WHERE action = 'unchanged') AS unchanged,
          count(*) FILTER (WHERE decided AND action <> 'unchanged') AS decided
        FROM score_import_lines WHERE import_id = ${id}),
      counted AS (UPDATE imports SET rows_new = c.new, rows_changed = c.changed, rows_unchanged = c.unchanged
        FROM c WHERE id = ${id})
      UPDATE score_imports SET scores_decided = c.decided FROM c WHERE id = ${id}`.execute(tx)
  })
  return getScoreImport(db, actor, id)
}

/** Repeats the last check after staff confirmed people. */
export const checkAgain = (services: Services, actor: Actor, { id, mapping, profile }: ScoreImportRow) =>
  checkScoreImport(services, actor, id, { mapping: mapping as ScoreMapping, profile })

async function findTests(db: Db, mapping: ScoreMapping) {
  const ids = [...new Set(mapping.flatMap((column) => ('testId' in column ? column.testId : [])))]
  const tests = await db.selectFrom('tests').select(['id', 'name', 'maxScore']).where('id', 'in', ids).execute()
  if (tests.length < ids.length) throw invalid({ mapping: 'mapping_test_unknown' })
  return new Map(tests.map((test) => [test.id, test]))
}

async function findTestsOfSessions(db: Db, waveId: string) {
  const rows = await db
    .selectFrom('testSessionTests as st')
    .innerJoin('testSessions as e', 'e.id', 'st.testSessionId')
    .select(['st.testSessionId', 'st.testId'])
    .where('e.waveId', '=', waveId)
    .execute()
  const bySession = Map.groupBy(rows, ({ testSessionId }) => testSessionId)
  return new Map([...bySession].map(([id, tests]) => [id, new Set(tests.map(({ testId }) => testId))]))
}

async function findConfirmed(db: Db, importId: string) {
  const people = await db
    .selectFrom('scoreImportPeople')
    .select(['row', 'registrationId'])
    .where('importId', '=', importId)
    .where('confirmedAt', 'is not', null)
    .execute()
  return new Map(people.map(({ row, registrationId }) => [row, registrationId]))
}

type Profile = { name: string; mapping: ScoreMapping; now: Date }

/** Saves the mapping under the system's name, for its next file. */
async function saveProfile(db: Db, actor: Actor, { name, mapping, now }: Profile): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    INSERT INTO score_profiles (name, mapping, updated_at, updated_by)
    VALUES (${name}, ${JSON.stringify(mapping)}::jsonb, ${now}, ${actor.accountId})
    ON CONFLICT (lower(name)) DO UPDATE SET mapping = excluded.mapping, updated_at = excluded.updated_at,
      updated_by = excluded.updated_by,
      version = score_profiles.version + (score_profiles.mapping <> excluded.mapping)::int
    RETURNING id`.execute(db)
  return theOnly(rows).id
}

/** Rows per statement; binding more would block other requests. */
const rowsAtOnce = 1_000

/** Replaces the results of an earlier check. */
async function storePlan(tx: Tx, importId: string, { scores, problems, proposals }: Plan) {
  await tx.deleteFrom('scoreImportLines').where('importId', '=', importId).execute()
  await tx.deleteFrom('importProblems').where('importId', '=', importId).execute()
  await tx.deleteFrom('scoreImportPeople').where('importId', '=', importId).where('confirmedAt', 'is', null).execute()
  let stored = 0
  for await (const slice of slicesOf(scores, rowsAtOnce)) {
    await storeLines(tx, importId, slice, stored)
    stored += slice.length
  }
  await storeProblems(tx, importId, problems)
  await storeProposals(tx, importId, proposals)
}

const all = <T, V>(rows: readonly T[], columnOf: (row: T) => V) => rows.map(columnOf)

const storeProposals = (tx: Tx, importId: string, proposals: Plan['proposals']) =>
  sql`INSERT INTO score_import_people (import_id, row, name, birth_date, candidates)
    SELECT ${importId}::uuid, x.row, x.name, x.birth_date, x.candidates::uuid[]
    FROM unnest(${all(proposals, ({ row }) => row)}::int[], ${all(proposals, ({ name }) => name)}::text[],
      ${all(proposals, ({ birthDate }) => birthDate)}::date[],
      ${all(proposals, ({ candidates }) => `{${candidates.join(',')}}`)}::text[])
      AS x (row, name, birth_date, candidates)`.execute(tx)

/** Inserts planned scores next to those they replace, numbered on from `stored`. */
const storeLines = (tx: Tx, importId: string, scores: readonly PlannedScore[], stored: number) => {
  const each = <V>(columnOf: (score: PlannedScore) => V) => all(scores, columnOf)
  return sql`INSERT INTO score_import_lines (import_id, number, row, registration_id, test_id, score, package, parts, action,
      person_number, decided, version_before, score_before, package_before, parts_before, import_id_before)
    SELECT ${importId}::uuid, ${stored} + x.ordinality, x.row, x.registration_id, x.test_id, x.score, x.package, x.parts::jsonb,
      CASE WHEN s.version IS NULL THEN 'new'
        WHEN (s.score, s.package, s.parts) IS DISTINCT FROM (x.score, x.package::varchar, x.parts::jsonb) THEN 'changed'
        ELSE 'unchanged' END,
      x.person_number, x.decided, coalesce(s.version, 0), s.score, s.package, s.parts, s.import_id
    FROM unnest(${each(({ row }) => row)}::int[], ${each(({ registrationId }) => registrationId)}::uuid[],
      ${each(({ testId }) => testId)}::uuid[], ${each(({ score }) => score)}::numeric[],
      ${each((one) => one.package)}::text[], ${each(({ parts }) => JSON.stringify(parts))}::text[],
      ${each(({ personNumber }) => personNumber)}::text[], ${each(({ decided }) => decided)}::boolean[])
      WITH ORDINALITY AS x (row, registration_id, test_id, score, package, parts, person_number, decided)
    LEFT JOIN test_scores s ON s.registration_id = x.registration_id AND s.test_id = x.test_id`.execute(tx)
}
