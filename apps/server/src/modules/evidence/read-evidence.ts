import { sql } from 'kysely'
import type { Language } from '#entities/define/language.ts'
import { documentsVisibleTo } from '#server/modules/admissions/documents/find-documents.ts'
import { decisionFor, getRegistration } from '#server/modules/admissions/registrations/load-registrations.ts'
import { readTimeline } from '#server/modules/admissions/registrations/timeline.ts'
import { explainOutcome, type OutcomeFacts } from '#server/modules/selection/why.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { seesDecision } from '#server/platform/access/decision-scope.ts'
import type { Db } from '#server/platform/database/database.ts'
import { notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'

/** Parts of the pack, in their order, with the permission of the screen that has the same rows; null: the pack's own. */
export const evidenceParts = {
  history: 'pendaftaran-view',
  documents: null,
  papers: null,
  licence: 'sim-mahasiswa-view',
  scores: 'import-nilai-cbt-view',
  selection: 'seleksi-view',
  decision: 'pendaftaran-view',
  bills: 'pendaftaran-view',
  payments: 'pendaftaran-view',
  numbers: 'npm-mahasiswa-view',
  cards: 'npm-mahasiswa-view',
  letters: 'surat-view',
  jackets: 'jaket-mahasiswa-view',
} as const
export type EvidencePart = keyof typeof evidenceParts

/** More entries than a registration ever has. */
const maxHistory = 10_000

/**
 * Everything that was decided about a registration, without what the actor may not read: `hidden` names those parts. An
 * unpublished decision leaves out the selection too. 404 if the actor may not read documents of the registration.
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
  const decisionIsVisible = seesDecision(actor, row.published)
  return {
    registration: row,
    status,
    hidden: (Object.keys(evidenceParts) as EvidencePart[]).filter((part) => !may(part)),
    history: await ifAllowed('history', async () => (await readTimeline(db, actor, id, now, maxHistory)).reverse()),
    documents: await documentsOf(db, id),
    papers: await papersOf(db, id),
    scores: await ifAllowed('scores', () => scoresOf(db, id)),
    selection: decisionIsVisible ? await ifAllowed('selection', () => selectionOf(db, id, language)) : [],
    decision: may('decision') ? decisionFor(actor, row) : null,
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

/** Scores as recorded, and the final score of the pinned run. */
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

/** The choices of the applicant in the adopted runs, each with the sentence why it ended so. */
async function selectionOf(db: Db, id: string, language: Language) {
  const rows = await db
    .selectFrom('selectionEntries as e')
    .innerJoin('selectionRuns as s', 's.id', 'e.selectionRunId')
    .innerJoin('studyProgrammes as p', 'p.id', 'e.programmeId')
    .innerJoin('selectionQuotas as n', (join) =>
      join.onRef('n.selectionRunId', '=', 'e.selectionRunId').onRef('n.number', '=', 'e.quotaNumber'),
    )
    .leftJoin('accounts as u', 'u.id', 's.adoptedBy')
    .select(['s.name as run', 's.inputHash', 's.outputHash', 's.verifiedHash', 's.adoptedAt', 'u.name as adoptedBy'])
    .select(['p.name as programme', 'e.position', 'e.outcome', 'e.rank', 'e.reserveRank', 'n.places', 'n.placed'])
    .select([
      'n.ties',
      sql<number | null>`e.total::float8`.as('total'),
      sql<number | null>`n.last_total::float8`.as('lastTotal'),
      sql<number | null>`n.passing_grade::float8`.as('passingGrade'),
      sql<string | null>`(SELECT h->>'reason' FROM jsonb_array_elements(s.rules->'holds') h
        WHERE h->>'registrationId' = e.registration_id::text LIMIT 1)`.as('holdReason'),
    ])
    .where('e.registrationId', '=', id)
    .where('s.status', '=', 'adopted')
    .orderBy('s.adoptedAt')
    .orderBy('e.position')
    .execute()
  return rows.map((row) => ({ ...row, why: explainOutcome(row as OutcomeFacts, language) }))
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
    .select(sql<string>`coalesce(p.receipt_number, p.reference, p.provider_reference)`.as('reference'))
    .where('b.registrationId', '=', id)
    .orderBy('l.createdAt')
    .orderBy('l.id')
    .execute()

/** Student numbers of the registration, the withdrawn ones too. */
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
