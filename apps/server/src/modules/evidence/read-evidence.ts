import { sql } from 'kysely'
import { type SelectionRules, selectionRules } from '#domain/selection/rules.ts'
import type { Language } from '#entities/define/language.ts'
import { documentsVisibleTo } from '#server/modules/admissions/documents/find-documents.ts'
import { decisionFor, getRegistration } from '#server/modules/admissions/registrations/load-registrations.ts'
import { readTimeline } from '#server/modules/admissions/registrations/timeline.ts'
import { explainOutcome, type OutcomeFacts } from '#server/modules/selection/why.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { isPublished, isSelectionPublic, precedesEnd, seesUnpublished } from '#server/platform/access/decision-scope.ts'
import { bankReference } from '#server/platform/bank-reference.ts'
import type { Db } from '#server/platform/database/database.ts'
import { notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'

/**
 * Parts of the pack, in order, with the permission of the screen that shows the same rows; null for parts that need
 * only the pack's own permission.
 */
export const evidenceParts = {
  history: 'pendaftaran-view',
  documents: null,
  papers: null,
  licence: 'sim-mahasiswa-view',
  scores: 'import-nilai-cbt-view',
  selection: 'seleksi-view',
  decision: 'pendaftaran-view',
  publications: 'pendaftaran-view',
  bills: 'pendaftaran-view',
  payments: 'pendaftaran-view',
  numbers: 'npm-mahasiswa-view',
  cards: 'npm-mahasiswa-view',
  letters: 'surat-view',
  jackets: 'jaket-mahasiswa-view',
} as const
export type EvidencePart = keyof typeof evidenceParts

/** More entries than any registration has. */
const maxHistory = 10_000

/**
 * Everything decided about a registration that the actor may read; `hidden` names the other parts. Selections whose
 * decisions are not published are left out too, and `selectionWaits` says whether there are any. 404 if the actor may
 * not read documents of the registration.
 */
export async function readEvidence({ db, clock }: Services, actor: Actor, id: string, language: Language) {
  await db
    .selectFrom('registrations as r')
    .select('r.id')
    .where('r.id', '=', id)
    .where(documentsVisibleTo(actor))
    .executeTakeFirstOrThrow(() => notFound('registration'))
  const now = clock.now()
  const { row, status } = await getRegistration(db, actor, id, now)
  const may = (part: EvidencePart) => {
    const permission = evidenceParts[part]
    return permission === null || actor.permissions.has(permission)
  }
  const ifAllowed = async <T>(part: EvidencePart, read: () => Promise<T[]>) => (may(part) ? read() : [])
  const intake = { waveId: row.wave.id, trackId: row.track.id }
  const runs = await ifAllowed('selection', () => selectionOf(db, id, intake, now, language))
  const selection = runs.filter(({ isPublic }) => seesUnpublished(actor) || isPublic)
  return {
    registration: row,
    status,
    hidden: (Object.keys(evidenceParts) as EvidencePart[]).filter((part) => !may(part)),
    history: await ifAllowed('history', async () => (await readTimeline(db, actor, id, now, maxHistory)).reverse()),
    documents: await documentsOf(db, id),
    papers: await papersOf(db, id),
    scores: await ifAllowed('scores', () => scoresOf(db, id)),
    selection,
    selectionWaits: selection.length < runs.length,
    decision: may('decision') ? decisionFor(actor, row) : null,
    publications: await ifAllowed('publications', () => publicationsOf(db, actor, id, now)),
    bills: await ifAllowed('bills', () => billsOf(db, id)),
    payments: await ifAllowed('payments', () => paymentsOf(db, id)),
    numbers: await ifAllowed('numbers', () => numbersOf(db, id)),
    cards: await ifAllowed('cards', () => cardsOf(db, id)),
    letters: await ifAllowed('letters', () => lettersOf(db, id)),
    jackets: await ifAllowed('jackets', () => jacketsOf(db, id)),
  }
}
export type Evidence = Awaited<ReturnType<typeof readEvidence>>

const documentsOf = (db: Db, id: string) =>
  db
    .selectFrom('documents as d')
    .leftJoin('accounts as u', 'u.id', 'd.reviewedBy')
    .leftJoin('files as f', 'f.id', 'd.fileId')
    .select(['d.name', 'd.status', 'd.uploadedAt', 'd.reviewedAt', 'd.rejectReason', 'u.name as reviewedBy'])
    .select(sql<string | null>`encode(f.sha256, 'hex')`.as('sha256'))
    .where('d.registrationId', '=', id)
    .orderBy('d.sortOrder')
    .orderBy('d.id')
    .execute()

const papersOf = (db: Db, id: string) =>
  db
    .selectFrom('paperReceipts as p')
    .innerJoin('accounts as u', 'u.id', 'p.receivedBy')
    .select(['p.number', 'p.receivedAt', 'p.broughtBy', 'p.voidReason', 'u.name as receivedBy'])
    .select(
      sql<string>`(SELECT string_agg(d.name || ', ' || l.copies || '×', '; ' ORDER BY d.sort_order, d.name)
        FROM paper_receipt_lines l JOIN documents d ON d.id = l.document_id WHERE l.receipt_id = p.id)`.as('lines'),
    )
    .where('p.registrationId', '=', id)
    .orderBy('p.receivedAt')
    .execute()

/** Scores as recorded, and the final score of the pinned score run. */
const scoresOf = (db: Db, id: string) =>
  db
    .selectFrom('testScores as s')
    .innerJoin('tests as t', 't.id', 's.testId')
    .leftJoin('accounts as u', 'u.id', 's.recordedBy')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('finalScores as f')
          .innerJoin('scoreRuns as n', 'n.id', 'f.scoreRunId')
          .select(['n.name as run', 'n.inputHash', sql<number>`f.score::float8`.as('final')])
          .whereRef('f.registrationId', '=', 's.registrationId')
          .whereRef('f.testId', '=', 's.testId')
          .where('n.pinnedAt', 'is not', null)
          .orderBy('n.pinnedAt', 'desc')
          .limit(1)
          .as('run'),
      (join) => join.onTrue(),
    )
    .select(['t.name as test', 's.recordedAt', 'u.name as recordedBy', 'run.run', 'run.inputHash', 'run.final'])
    .select(sql<number | null>`s.score::float8`.as('score'))
    .where('s.registrationId', '=', id)
    .orderBy('t.code')
    .execute()

type Run = {
  id: string
  name: string
  rules: unknown
  counts: unknown
  checks: unknown
  inputHash: string | null
  outputHash: string | null
  verifiedHash: string | null
  adoptedAt: Date
  adoptedBy: string | null
  scoreRun: string | null
  isPublic: boolean
}
type Entry = OutcomeFacts & { runId: string; programme: string; position: number }

/** Every adopted selection of the wave, with its rules and the outcome of each of the applicant's choices. */
async function selectionOf(
  db: Db,
  id: string,
  { waveId, trackId }: { waveId: string; trackId: string },
  now: Date,
  language: Language,
) {
  const { rows: runs } = await sql<Run>`
    SELECT n.id, n.name, n.rules, n.counts, n.checks, n.input_hash, n.output_hash, n.verified_hash, n.adopted_at,
      u.name AS adopted_by, c.name AS score_run, ${isSelectionPublic(now, 'n', 'k')} AS is_public
    FROM (SELECT ${waveId}::uuid AS wave_id, ${trackId}::uuid AS track_id) k
    JOIN selection_runs n ON n.wave_id = k.wave_id AND n.status = 'adopted'
    LEFT JOIN accounts u ON u.id = n.adopted_by LEFT JOIN score_runs c ON c.id = n.score_run_id
    ORDER BY n.adopted_at, n.id`.execute(db)
  const { rows: entries } = await sql<Entry>`
    SELECT e.selection_run_id AS run_id, p.name AS programme, e.position, e.outcome, e.rank, e.reserve_rank, q.places,
      q.placed, q.ties, e.total::float8 AS total, q.last_total::float8 AS last_total,
      q.passing_grade::float8 AS passing_grade,
      (SELECT h->>'reason' FROM selection_runs n, jsonb_array_elements(n.rules->'holds') h
        WHERE n.id = e.selection_run_id AND h->>'registrationId' = ${id} LIMIT 1) AS hold_reason
    FROM selection_entries e JOIN study_programmes p ON p.id = e.programme_id
    JOIN selection_quotas q ON q.selection_run_id = e.selection_run_id AND q.number = e.quota_number
    WHERE e.registration_id = ${id} AND e.selection_run_id = ANY(${runs.map((run) => run.id)}::uuid[])
    ORDER BY e.position`.execute(db)
  const rulesOf = (run: Run) => {
    const rules = selectionRules.parse(run.rules) as SelectionRules
    // The pack contains nothing about other applicants.
    return { ...rules, holds: rules.holds.filter((hold) => hold.registrationId === id) }
  }
  const runsWithRules = runs.map((run) => ({ ...run, rules: rulesOf(run) }))
  const names = await namesOf(db, runsWithRules)
  return runsWithRules.map(({ id: runId, ...run }) => ({
    ...run,
    names,
    criteria: run.rules.criteria.filter((criteria) => criteria.trackId === trackId),
    ties: run.rules.tracks.find((track) => track.trackId === trackId)?.ties ?? null,
    choices: entries
      .filter((entry) => entry.runId === runId)
      .map((entry) => ({ ...entry, why: explainOutcome(entry, language) })),
  }))
}

/** Names, by id, of the tests and study programmes that the selections' rules refer to. */
async function namesOf(db: Db, runs: readonly { rules: SelectionRules }[]): Promise<Record<string, string>> {
  const ids = runs.flatMap(({ rules }) =>
    rules.criteria.flatMap(({ programmeId, tests }) => [
      ...(programmeId ? [programmeId] : []),
      ...tests.map((test) => test.testId),
    ]),
  )
  const { rows } = await sql<{ id: string; name: string }>`
    SELECT id, name FROM study_programmes WHERE id = ANY(${ids}::uuid[])
    UNION ALL SELECT id, name FROM tests WHERE id = ANY(${ids}::uuid[])`.execute(db)
  return Object.fromEntries(rows.map(({ id, name }) => [id, name]))
}

type PublicationRow = {
  /** When results were published, or when the decision became public; null if it never became public. */
  at: Date | null
  number: number
  /** Null for the publication itself. */
  decision: 'accepted' | 'not_accepted' | null
  run: string | null
  by: string | null
  decidedAt: Date | null
  undoneAt: Date | null
  staysShown: boolean
}

/** Publications of the wave and track, and when each decision about the registration became public. */
async function publicationsOf(db: Db, actor: Actor, id: string, now: Date) {
  const all = seesUnpublished(actor)
  const { rows } = await sql<PublicationRow>`
    SELECT x.* FROM (
      SELECT rp.publish_at AS at, rp.number, NULL::text AS decision, NULL AS run, u.name AS by, NULL::timestamptz AS decided_at,
        NULL::timestamptz AS undone_at, false AS stays_shown, 0 AS turn
      FROM registrations r JOIN result_publications rp ON rp.wave_id = r.wave_id AND rp.track_id = r.track_id
      LEFT JOIN accounts u ON u.id = rp.published_by WHERE r.id = ${id}
      UNION ALL
      SELECT CASE WHEN greatest(s.at, rp.publish_at) <= coalesce(s.undone_at, 'infinity') AND rp.publish_at IS NOT NULL
          THEN greatest(s.at, rp.publish_at) END,
        coalesce(s.published_after, 0) + 1, s.step, n.name, u.name, s.at,
        CASE WHEN NOT s.stays_shown OR ${all}::boolean OR r.decision IS NOT NULL AND ${isPublished(now)} THEN s.undone_at END,
        s.stays_shown, 1
      FROM registration_steps s JOIN registrations r ON r.id = s.registration_id
      LEFT JOIN result_publications rp ON rp.wave_id = r.wave_id AND rp.track_id = r.track_id
        AND rp.number = coalesce(s.published_after, 0) + 1 AND ${precedesEnd('rp', 'r')}
      LEFT JOIN selection_runs n ON n.id = s.selection_run_id LEFT JOIN accounts u ON u.id = s.taken_by
      WHERE s.registration_id = ${id} AND s.step IN ('accepted', 'not_accepted')) x
    WHERE ${all}::boolean OR x.at <= ${now}
    ORDER BY coalesce(x.at, x.decided_at), x.turn, x.decided_at`.execute(db)
  return rows
}

const billsOf = (db: Db, id: string) =>
  db
    .selectFrom('bills')
    .select(['number', 'kind', 'status', 'total', 'paid', 'issuedAt', 'dueAt', 'paidAt'])
    .where('registrationId', '=', id)
    .orderBy('issuedAt')
    .orderBy('number')
    .execute()

/** What each payment gave to the bills of the registration, in whole rupiah; a negative amount is a reversal. */
const paymentsOf = (db: Db, id: string) =>
  db
    .selectFrom('allocations as l')
    .innerJoin('bills as b', 'b.id', 'l.billId')
    .innerJoin('payments as p', 'p.id', 'l.paymentId')
    .leftJoin('accounts as u', 'u.id', 'l.createdBy')
    .select(['b.number as bill', 'l.amount', 'l.createdAt as at', 'u.name as by', 'p.provider', 'p.channel'])
    .select(sql<string>`coalesce(p.receipt_number, ${bankReference}, '')`.as('reference'))
    .where('b.registrationId', '=', id)
    .orderBy('l.createdAt')
    .orderBy('l.id')
    .execute()

/** Student numbers of the registration, including withdrawn ones. */
async function numbersOf(db: Db, id: string) {
  const { rows } = await sql<{
    npm: string
    issuedAt: Date
    issuedBy: string | null
    withdrawnAt: Date | null
    withdrawnBy: string | null
    reason: string | null
  }>`
    SELECT n.npm, n.issued_at, i.name AS issued_by, n.withdrawn_at, w.name AS withdrawn_by, n.reason FROM (
      SELECT npm, issued_at, issued_by, NULL::timestamptz AS withdrawn_at, NULL::uuid AS withdrawn_by, NULL AS reason
        FROM students WHERE registration_id = ${id}
      UNION ALL SELECT npm, issued_at, issued_by, withdrawn_at, withdrawn_by, reason
        FROM withdrawn_student_numbers WHERE registration_id = ${id}) n
    LEFT JOIN accounts i ON i.id = n.issued_by LEFT JOIN accounts w ON w.id = n.withdrawn_by
    ORDER BY n.issued_at, n.npm`.execute(db)
  return rows
}

const cardsOf = (db: Db, id: string) =>
  db
    .selectFrom('studentCards as c')
    .innerJoin('studentCardPrints as p', 'p.id', 'c.printId')
    .innerJoin('accounts as u', 'u.id', 'p.printedBy')
    .select(['c.npm', 'c.copy', 'p.printedAt', 'p.reason', 'u.name as printedBy'])
    .where('c.registrationId', '=', id)
    .orderBy('p.printedAt')
    .orderBy('c.copy')
    .execute()

const lettersOf = (db: Db, id: string) =>
  db
    .selectFrom('letters as l')
    .innerJoin('letterKinds as k', 'k.id', 'l.letterKindId')
    .leftJoin('accounts as u', 'u.id', 'l.issuedBy')
    .leftJoin('accounts as w', 'w.id', 'l.withdrawnBy')
    .select(['l.number', 'k.nameEn', 'k.nameId', 'l.state', 'l.issuedAt', 'l.hash'])
    .select(['u.name as issuedBy', 'l.withdrawnAt', 'w.name as withdrawnBy', 'l.withdrawnReason'])
    .where('l.registrationId', '=', id)
    .orderBy('l.issuedAt')
    .orderBy('l.number')
    .execute()

const jacketsOf = (db: Db, id: string) =>
  db
    .selectFrom('jacketHandOuts as h')
    .leftJoin('accounts as u', 'u.id', 'h.handedBy')
    .leftJoin('accounts as e', 'e.id', 'h.endedBy')
    .select(['h.size', 'h.handedAt', 'u.name as handedBy', 'h.endedAt', 'h.endedAs', 'h.endedReason'])
    .select('e.name as endedBy')
    .where('h.registrationId', '=', id)
    .orderBy('h.handedAt')
    .execute()
