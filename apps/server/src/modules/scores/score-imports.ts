import { sql } from 'kysely'
import { theOnly } from '#domain/must.ts'
import type { ScoreImport } from '#domain/scores/endpoints.ts'
import { listScoreImports, listScoreLines, listScoreProblems } from '#domain/scores/lists.ts'
import { fitsHeaders, guessMapping, type ScoreMapping } from '#domain/scores/mapping.ts'
import type { Language } from '#entities/define/language.ts'
import { serveList } from '#server/list/serve-list.ts'
import type { ImportFormat } from '#server/modules/transfer/imports/import-files.ts'
import { problemOrder, problemsOf, problemsWith } from '#server/modules/transfer/imports/problem-list.ts'
import { recordUpload } from '#server/modules/transfer/imports/uploads.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { seesUnpublished } from '#server/platform/access/decision-scope.ts'
import { contains, type Db, type Tx } from '#server/platform/database/database.ts'
import { ofWholeView, requireWholeView } from '#server/platform/database/shared-rows.ts'
import { invalid, notFound } from '#server/platform/errors.ts'
import { claimFile, type StoredFile } from '#server/platform/files/stored-files.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { notesOf, type SheetFindings } from '#server/platform/sheets/headings.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { cellText, readScoreFile } from './score-file.ts'
import { findWaitingTracks, needsReason } from './score-reasons.ts'

/** Score files may contain people of every programme. */
export const requireWhole = (actor: Actor) => requireWholeView(actor, 'needs_every_programme')
export const ofWholeUniversity = ofWholeView('needs_every_programme')

const importRows = (db: Db) =>
  db
    .selectFrom('imports as i')
    .innerJoin('scoreImports as s', 's.id', 'i.id')
    .innerJoin('waves as w', 'w.id', 's.waveId')
    .leftJoin('testSessions as e', 'e.id', 's.testSessionId')
    .leftJoin('scoreProfiles as p', 'p.id', 's.profileId')

const withTitles = (rows: ReturnType<typeof importRows>) =>
  rows.selectAll(['i', 's']).select(['e.name as session', 'p.name as profile']).select(waveTitle.as('wave'))

const waveTitle = sql<string>`w.name || ' ' || w.academic_year`

const selectImport = (db: Db, id: string) =>
  withTitles(importRows(db))
    .where('i.id', '=', id)
    .executeTakeFirstOrThrow(() => notFound('import'))
export type ScoreImportRow = Awaited<ReturnType<typeof selectImport>>

/** 403 for a role limited to some programmes, 404 if the import does not exist. */
export async function getScoreImport(db: Db, actor: Actor, id: string): Promise<ScoreImportRow> {
  requireWhole(actor)
  return selectImport(db, id)
}

/** The import without the number of its scores that need a reason, which depends on the reader. */
const toScoreImport = (row: ScoreImportRow, language: Language): ScoreImport => ({
  id: row.id,
  accountName: row.accountName,
  waveId: row.waveId,
  wave: row.wave,
  testSessionId: row.testSessionId,
  session: row.session,
  profile: row.profile,
  fileName: row.fileName,
  hasFile: row.fileId !== null,
  bytes: row.bytes,
  headers: row.headers as string[],
  samples: row.samples as string[][],
  mapping: (row.mapping ?? []) as ScoreMapping,
  status: row.status as ScoreImport['status'],
  rows: {
    total: row.rowsTotal ?? 0,
    wrong: row.rowsWrong,
    unconfirmed: row.rowsUnconfirmed,
    ignored: row.rowsIgnored,
  },
  scores: {
    new: row.rowsNew,
    changed: row.rowsChanged,
    unchanged: row.rowsUnchanged,
    decided: 0,
  },
  problems: row.problems,
  notes: notesOf(row.findings as SheetFindings).map(({ sentence }) => sentence(language)),
  version: row.version,
  createdAt: row.createdAt.toISOString(),
  writtenAt: row.finishedAt?.toISOString() ?? null,
  undoneAt: row.undoneAt?.toISOString() ?? null,
  undoneBy: row.undoneBy,
})

/** The import as the actor sees it. */
export async function describeImport(
  { db, clock }: Services,
  actor: Actor,
  row: ScoreImportRow,
  language: Language,
): Promise<ScoreImport> {
  const record = toScoreImport(row, language)
  const decided = await countNeedingReason(db, actor, row, clock.now())
  return { ...record, scores: { ...record.scores, decided } }
}

/**
 * How many scores of a checked import need a reason from the actor. The check counted decisions; a reader who does not see them
 * gets a count that is the same for everyone of a track.
 */
export async function countNeedingReason(db: Db, actor: Actor, row: ScoreImportRow, now: Date): Promise<number> {
  if (seesUnpublished(actor)) return row.scoresDecided
  if (row.status !== 'checked') return 0
  const waiting = await findWaitingTracks(db, row.waveId, now)
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM score_import_lines l JOIN registrations r ON r.id = l.registration_id
    WHERE l.import_id = ${row.id} AND l.action <> 'unchanged'
      AND ${needsReason(actor, now, waiting, sql`l.action = 'changed'`)}`.execute(db)
  return theOnly(rows).count
}

export const serveScoreImports = (app: App, services: Services) =>
  serveList(app, services, listScoreImports, {
    from: () => importRows(services.db),
    scope: ofWholeUniversity,
    filters: {
      status: 'i.status',
      waveId: 's.waveId',
      q: (q) => (eb) => eb.or([contains('i.fileName', q), contains('i.accountName', q)]),
    },
    columns: (rows) => withTitles(rows),
    sorts: { createdAt: { by: sql`i.created_at`, type: 'timestamptz' } },
    id: sql`i.id`,
    toRows: (found, { actor, language }) =>
      found.map((row) => {
        const { headers: _headers, samples: _samples, mapping: _mapping, ...record } = toScoreImport(row, language)
        const decided = seesUnpublished(actor) ? row.scoresDecided : 0
        const scores = { ...record.scores, decided }
        return { ...record, scores, new: scores.new, changed: scores.changed }
      }),
  })

export const serveScoreProblems = (app: App, services: Services) =>
  serveList(app, services, listScoreProblems, {
    ...problemsOf(services, getScoreImport),
    filters: { q: problemsWith },
    sorts: { row: problemOrder },
  })

export const serveScoreLines = (app: App, services: Services) =>
  serveList(app, services, listScoreLines, {
    from: () =>
      services.db
        .selectFrom('scoreImportLines as l')
        .innerJoin('registrations as r', 'r.id', 'l.registrationId')
        .innerJoin('applicants as a', 'a.id', 'r.applicantId')
        .innerJoin('tests as t', 't.id', 'l.testId'),
    scope: async ({ actor, params }) => {
      const { id } = await getScoreImport(services.db, actor, params.id)
      return (eb) => eb('l.importId', '=', id)
    },
    filters: {
      action: 'l.action',
      q: (q) => (eb) => eb.or([contains('r.code', q), contains('a.fullName', q)]),
    },
    columns: (rows) =>
      rows.select([
        'l.number',
        'l.row',
        'l.registrationId',
        'r.code',
        'a.fullName as name',
        't.name as test',
        'l.action',
        'l.scoreBefore',
        'l.score',
      ]),
    sorts: { row: { by: sql`l.number`, type: 'integer' } },
    id: sql`l.number`,
    idType: 'bigint',
  })

type Upload = { waveId: string; testSessionId: string | undefined; file: StoredFile; format: ImportFormat }

const sampleRows = 5

/** Stores an upload with its headings, first rows and initial mapping: that of a known system, or a guess. */
export async function startScoreImport(services: Services, actor: Actor, upload: Upload): Promise<ScoreImportRow> {
  const { db } = services
  const { waveId, testSessionId, file, format } = upload
  await db.transaction().execute((tx) => claimFile(tx, file))
  const { headers, lines, findings } = await readScoreFile(services, { fileId: file.id, format }, sampleRows)
  const mapping = await firstMapping(db, { waveId, testSessionId }, headers)
  return inTransaction(services, actor, async (context) => {
    const { tx } = context
    const { id } = await recordUpload(context, 'score-import', { entity: 'scores', format, file, status: 'uploaded' })
    await tx
      .insertInto('scoreImports')
      .values({
        ...{ id, waveId, testSessionId: testSessionId ?? null, profileId: mapping.profileId },
        headers: JSON.stringify(headers),
        samples: JSON.stringify(lines.map((line) => headers.map((_, index) => cellText(line, index).slice(0, 100)))),
        mapping: JSON.stringify(mapping.columns),
        findings: JSON.stringify(findings),
      })
      .execute()
    return selectImport(tx, id)
  })
}

/** 404 or 422 unless the wave exists and the session belongs to it. */
export async function checkTarget(
  db: Db,
  { waveId, testSessionId }: { waveId: string; testSessionId?: string | undefined },
) {
  const wave = await db.selectFrom('waves').select('id').where('id', '=', waveId).executeTakeFirst()
  if (!wave) throw notFound('wave')
  if (!testSessionId) return
  const session = await db
    .selectFrom('testSessions')
    .select('waveId')
    .where('id', '=', testSessionId)
    .executeTakeFirst()
  if (!session) throw notFound('test session')
  if (session.waveId !== waveId) throw invalid({ testSessionId: 'session_of_other_wave' })
}

/**
 * The mapping of the known system with the most columns, if the file has all of them; otherwise a guess from the tests
 * of the sessions.
 */
async function firstMapping(
  db: Db,
  { waveId, testSessionId }: { waveId: string; testSessionId: string | undefined },
  headers: readonly string[],
): Promise<{ profileId: string | null; columns: ScoreMapping }> {
  const profiles = await db.selectFrom('scoreProfiles').select(['id', 'mapping']).orderBy('updatedAt', 'desc').execute()
  const [known] = profiles
    .map(({ id, mapping }) => ({ profileId: id, columns: mapping as ScoreMapping }))
    .filter(({ columns }) => fitsHeaders(columns, headers))
    .sort((one, other) => other.columns.length - one.columns.length)
  if (known) return known
  const tests = await db
    .selectFrom('tests as t')
    .select(['t.id', 't.code', 't.name'])
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('testSessionTests as st')
          .innerJoin('testSessions as e', 'e.id', 'st.testSessionId')
          .select('st.testId')
          .whereRef('st.testId', '=', 't.id')
          .where('e.waveId', '=', waveId)
          .$call((sessions) => (testSessionId === undefined ? sessions : sessions.where('e.id', '=', testSessionId))),
      ),
    )
    .orderBy('t.code')
    .execute()
  return { profileId: null, columns: guessMapping(headers, tests) }
}

/** Locks the import if it has one of these statuses; the caller handles any other status. */
export const lockScoreImport = (tx: Tx, id: string, statuses: readonly ScoreImport['status'][]) =>
  tx
    .selectFrom('imports as i')
    .innerJoin('scoreImports as s', 's.id', 'i.id')
    .select(['i.status', 's.version', 's.testSessionId'])
    .where('i.id', '=', id)
    .where('i.status', 'in', statuses)
    .forUpdate()
    .executeTakeFirst()
