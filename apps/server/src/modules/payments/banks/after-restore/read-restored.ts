import { sql } from 'kysely'
import type { Restored } from '#domain/payments/banks/after-restore/endpoints.ts'
import { bankName } from '#server/modules/payments/providers/index.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { seesAll } from '#server/platform/access/row-scope.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { isShort } from './skip-numbers.ts'

/** Most lost payments listed on the page. */
const mostShown = 200

/** Permissions that show the notice; their holders see applicants' money or check the books. */
const moneyPermissions = [
  'ops-invariants',
  'pembayaran-mahasiswa-view',
  'persetujuan-view',
  'rekonsiliasi-view',
  'transaksi-va-view',
] as const

/** The newest open restore with its remaining tasks; null for readers who do not handle money. */
export async function readRestored(services: Services, actor: Actor): Promise<Restored | null> {
  if (!moneyPermissions.some((slug) => actor.permissions.has(slug))) return null
  const { db } = services
  const restore = await db
    .selectFrom('restores')
    .select(['id', 'backupAt', 'restoredAt', 'askedAt'])
    .where('endedAt', 'is', null)
    .orderBy('restoredAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!restore) return null
  const seesWhole = seesAll(actor)
  const [banks, gaps, lost] = await Promise.all([
    answersByBank(db),
    db
      .selectFrom('numberGaps')
      .select(['kind', 'scope', 'firstNumber as first', 'lastNumber as last', 'wanted as requested'])
      .where('restoreId', '=', restore.id)
      .orderBy('kind')
      .orderBy('scope')
      .execute(),
    seesWhole ? lostPayments(db, restore.restoredAt, mostShown) : [],
  ])
  const sum = (of: (row: (typeof banks)[number]) => number) => banks.reduce((total, row) => total + of(row), 0)
  return {
    id: restore.id,
    backupAt: restore.backupAt.toISOString(),
    restoredAt: restore.restoredAt.toISOString(),
    askedAt: restore.askedAt?.toISOString() ?? null,
    questions: {
      total: sum(({ total }) => total),
      waiting: sum(({ waiting }) => waiting),
      refused: sum(({ refused }) => refused),
      notAskable: sum(({ notAskable }) => notAskable),
    },
    paymentsFound: sum(({ found }) => found),
    silentBanks: banks
      .filter(({ refused, notAskable }) => refused + notAskable > 0)
      .map(({ bank }) => bankName(services, bank)),
    gaps: gaps.map(({ requested, ...gap }) => ({ ...gap, short: isShort({ ...gap, requested }) })),
    lost,
    mayEnd: seesWhole && actor.permissions.has('ops-invariants'),
  }
}

type Answers = { bank: string; total: number; waiting: number; refused: number; notAskable: number; found: number }

/** For each bank, the numbers asked about in open restores, counted by answer. */
async function answersByBank(db: Db): Promise<Answers[]> {
  const { rows } = await sql<Answers>`
    SELECT q.bank, count(*)::int AS total, (count(*) FILTER (WHERE q.answer IS NULL))::int AS waiting,
      (count(*) FILTER (WHERE q.answer = 'refused'))::int AS refused,
      (count(*) FILTER (WHERE q.answer = 'not_askable'))::int AS not_askable, sum(q.payments_found)::int AS found
    FROM restore_questions q JOIN restores r ON r.id = q.restore_id AND r.ended_at IS NULL GROUP BY q.bank ORDER BY q.bank`.execute(
    db,
  )
  return rows
}

/** Open alerts about money on numbers unknown to the books, raised since the restore; `most` limits them for a page. */
export const lostPayments = (db: Db, since: Date, most?: number) =>
  db
    .selectFrom('paymentAlerts')
    .select(['id', 'provider', 'providerReference as reference', 'amount', 'paymentId'])
    .where('virtualAccountId', 'is', null)
    .where('settledAt', 'is', null)
    .where('raisedAt', '>=', since)
    .orderBy('raisedAt')
    .$call((q) => (most === undefined ? q : q.limit(most)))
    .execute()
