import { sql } from 'kysely'
import type { Impossible, InvariantsOf } from './invariant.ts'

export const commissionInvariants: InvariantsOf<'commission'> = {
  /** The commission a registration step gave is between zero and what it earned last. */
  'commission-sum': () => sql<Impossible>`
    SELECT 'registration' AS subject_type, e.registration_id::text AS id, r.code AS label, e.sum::text AS stored,
      CASE WHEN e.sum < 0 THEN '0' ELSE e.most::text END AS derived, '/komisi?q=' || r.code AS path
    FROM (SELECT registration_id, stage, sum(amount) AS sum, coalesce(max(amount) FILTER (WHERE kind = 'earned'), 0) AS most
      FROM commission_entries WHERE registration_id IS NOT NULL GROUP BY 1, 2) e
    JOIN registrations r ON r.id = e.registration_id WHERE e.sum < 0 OR e.sum > e.most`,

  /** An approved payout line left the balance once; money the bank sent back was credited once. */
  'commission-payout': () => sql<Impossible>`
    SELECT 'payout' AS subject_type, l.run_id::text AS id, p.number AS label,
      coalesce((SELECT sum(e.amount) FROM commission_entries e
        WHERE e.cause = 'payout' AND e.cause_id = l.id::text), 0)::text AS stored,
      CASE l.status WHEN 'approved' THEN -l.amount ELSE 0 END::text AS derived, '/komisi/pencairan/' || l.run_id AS path
    FROM payout_lines l JOIN payout_runs p ON p.id = l.run_id
    WHERE coalesce((SELECT sum(e.amount) FROM commission_entries e
        WHERE e.cause = 'payout' AND e.cause_id = l.id::text), 0) <> CASE l.status WHEN 'approved' THEN -l.amount ELSE 0 END
      OR (l.status IN ('approved', 'returned')) <> EXISTS (SELECT FROM commission_entries e
        WHERE e.cause = 'payout' AND e.cause_id = l.id::text AND e.kind = 'paid')
    UNION ALL
    SELECT 'affiliate', e.affiliate_id::text, f.code, e.amount::text, NULL, '/komisi?q=' || f.code
    FROM commission_entries e JOIN affiliates f ON f.id = e.affiliate_id
    WHERE e.cause = 'payout' AND NOT EXISTS (SELECT FROM payout_lines l
      WHERE l.id::text = e.cause_id AND l.affiliate_id = e.affiliate_id)`,

  /** An entry's amount is what its rule gives for the money paid. */
  'commission-rule': () => sql<Impossible>`
    SELECT 'affiliate' AS subject_type, e.affiliate_id::text AS id, f.code AS label, e.amount::text AS stored,
      coalesce(c.amount, floor((e.base * c.share_bps * 2 + 10000) / 20000.0))::bigint::text AS derived, '/komisi?q=' || f.code AS path
    FROM commission_entries e JOIN commission_rules c ON c.id = e.rule_id JOIN affiliates f ON f.id = e.affiliate_id
    WHERE e.kind = 'earned' AND (c.approved_at IS NULL OR c.stage <> e.stage
      OR e.amount <> coalesce(c.amount, floor((e.base * c.share_bps * 2 + 10000) / 20000.0)))`,
}
