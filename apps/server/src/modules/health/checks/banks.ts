import { sql } from 'kysely'
import { dayMs } from '#server/modules/health/measure/line.ts'
import { findProvider } from '#server/modules/payments/providers/index.ts'
import type { Services } from '#server/platform/services.ts'

type Row = {
  id: string
  code: string
  name: string
  active: boolean
  answeredAt: Date | null
  unansweredAt: Date | null
  unansweredProblem: string | null
  verifiedAt: Date | null
  refusedAt: Date | null
  refusedOutcome: 'wrong_signature' | 'malformed' | 'failed' | null
}

/** Failures older than this many days are ignored: a search for a failure that never happened would read every call. */
const recentDays = 30

/** Last contact with each bank: our calls to it, and its signed and refused calls to us. */
export async function findBankStandings(services: Services) {
  const since = new Date(services.clock.now().getTime() - recentDays * dayMs)
  const { rows } = await sql<Row>`
    SELECT p.id, p.code, p.name, p.active, good.called_at AS answered_at, bad.called_at AS unanswered_at,
      coalesce(bad.error, 'HTTP ' || bad.status) AS unanswered_problem, signed.received_at AS verified_at,
      refused.received_at AS refused_at, refused.outcome AS refused_outcome
    FROM provider_accounts p
    LEFT JOIN LATERAL (SELECT called_at FROM bank_calls WHERE provider = p.code AND status < 500 AND status <> 429
      ORDER BY called_at DESC LIMIT 1) good ON true
    LEFT JOIN LATERAL (SELECT called_at, status, error FROM bank_calls WHERE provider = p.code
      AND called_at > ${since} AND (status IS NULL OR status >= 500 OR status = 429) ORDER BY called_at DESC LIMIT 1) bad ON true
    LEFT JOIN LATERAL (SELECT received_at FROM bank_reports WHERE provider = p.code AND outcome IS NOT NULL
      AND outcome NOT IN ('wrong_signature', 'malformed', 'failed') ORDER BY received_at DESC LIMIT 1) signed ON true
    LEFT JOIN LATERAL (SELECT received_at, outcome FROM (
        (SELECT received_at, outcome FROM unverified_reports WHERE provider = p.code ORDER BY received_at DESC LIMIT 1)
        UNION ALL
        (SELECT received_at, outcome FROM bank_reports WHERE provider = p.code
          AND received_at > ${since} AND outcome IN ('wrong_signature', 'malformed', 'failed') ORDER BY received_at DESC LIMIT 1)) both_kinds
      ORDER BY received_at DESC LIMIT 1) refused ON true
    ORDER BY p.name, p.id`.execute(services.db)
  return Promise.all(
    rows.map(async (row) => ({
      id: row.id,
      name: row.name,
      active: row.active,
      canCheck: (await findProvider(services, row.code))?.check !== undefined,
      answeredAt: row.answeredAt?.toISOString() ?? null,
      unanswered:
        row.unansweredAt && isNewer(row.unansweredAt, row.answeredAt)
          ? { at: row.unansweredAt.toISOString(), problem: row.unansweredProblem ?? '' }
          : null,
      verifiedAt: row.verifiedAt?.toISOString() ?? null,
      refused:
        row.refusedAt && row.refusedOutcome ? { at: row.refusedAt.toISOString(), outcome: row.refusedOutcome } : null,
    })),
  )
}

const isNewer = (at: Date, than: Date | null) => than === null || at > than
