import { sql } from 'kysely'
import { languages } from '#entities/define/language.ts'
import type { Decision } from '#server/modules/admissions/results/decide-many.ts'
import { isPublished } from '#server/platform/access/decision-scope.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { sentences } from '#server/platform/text.ts'

/** Template of the reason for a refusal, for PostgreSQL's `format`, in the applicant's language. */
const reasonOf = (outcome: 'full' | 'below_minimum' | 'no_score' | 'excluded') =>
  sql`CASE u.language ${sql.join(
    languages.map((language) => {
      const template = sentences(language)(`selection:reason.${outcome}`, {
        programme: '%1$s',
        rank: '%2$s',
        places: '%3$s',
        last: '%4$s',
      })
      return sql`WHEN ${language} THEN ${template}`
    }),
    sql` `,
  )} END`

/**
 * Decisions that turn the registrations' present state into the run's output. Reserve candidates and applicants blocked
 * by the settings stay undecided. A published refusal never becomes undecided again.
 */
export async function decisionsOf(tx: Tx, runId: string, now: Date): Promise<Decision[]> {
  const { rows } = await sql<Decision>`
    WITH result AS (
      SELECT e.registration_id,
        max(e.programme_id::text) FILTER (WHERE e.outcome IN ('placed', 'held'))::uuid AS programme_id,
        bool_or(e.outcome = 'reserve') AS is_reserve, bool_or(e.outcome IN ('kept', 'blocked')) AS stays
      FROM selection_entries e WHERE e.selection_run_id = ${runId} GROUP BY 1),
    wanted AS (
      SELECT r.id, r.status, r.decision, r.accepted_programme_id, ${isPublished(now)} AS is_published, x.programme_id,
        CASE WHEN x.programme_id IS NOT NULL THEN 'accept' WHEN x.is_reserve THEN 'wait' ELSE 'reject' END AS result
      FROM result x JOIN registrations r ON r.id = x.registration_id WHERE NOT x.stays),
    due AS (
      SELECT w.*, CASE w.result
          WHEN 'accept' THEN w.decision IS DISTINCT FROM 'accepted' OR w.accepted_programme_id <> w.programme_id
          WHEN 'wait' THEN w.decision = 'accepted' OR (w.decision = 'not_accepted' AND NOT w.is_published)
          ELSE w.decision IS DISTINCT FROM 'not_accepted' END AS changes
      FROM wanted w)
    SELECT d.id, 'revertDecision' AS action, NULL::uuid AS programme_id, NULL AS reason, 1 AS turn
    FROM due d WHERE d.changes AND d.decision IS NOT NULL
    UNION ALL
    SELECT d.id, 'accept', d.programme_id, NULL, 2 FROM due d WHERE d.changes AND d.result = 'accept'
    UNION ALL
    SELECT d.id, 'reject', NULL, left(format(CASE e.outcome WHEN 'full' THEN ${reasonOf('full')}
        WHEN 'below_minimum' THEN ${reasonOf('below_minimum')} WHEN 'excluded' THEN ${reasonOf('excluded')}
        ELSE ${reasonOf('no_score')} END,
      CASE WHEN u.language = 'en' THEN coalesce(p.name_en, p.name) ELSE p.name END, coalesce(e.rank, 0), q.places,
      coalesce(replace(q.last_total::text, '.', ','), '–')), 500), 3
    FROM due d
    JOIN registrations r ON r.id = d.id JOIN accounts u ON u.id = r.account_id
    JOIN LATERAL (SELECT * FROM selection_entries e WHERE e.selection_run_id = ${runId} AND e.registration_id = d.id
      ORDER BY e.position LIMIT 1) e ON true
    JOIN selection_quotas q ON q.selection_run_id = ${runId} AND q.number = e.quota_number
    JOIN study_programmes p ON p.id = e.programme_id
    WHERE d.changes AND d.result = 'reject'
    ORDER BY turn, id`.execute(tx)
  return rows
}
