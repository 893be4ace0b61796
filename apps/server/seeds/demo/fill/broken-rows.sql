-- Rows written by this transaction that break a rule of a trigger disabled by large-fill.ts; if there are any, the fill
-- fails. The foreign key already checks that an applicant's school exists (applicants_follow_school).
WITH own AS (SELECT pg_current_xact_id()::xid AS id)
SELECT rule, count(*)::int AS count, min(id::text) AS example FROM (
  SELECT 'accounts_visits' AS rule, a.id FROM accounts a
  WHERE a.xmin = (SELECT id FROM own) AND NOT EXISTS (SELECT FROM account_visits v WHERE v.account_id = a.id)
  UNION ALL
  SELECT 'registrations_fill_search', r.id FROM registrations r JOIN applicants a ON a.id = r.applicant_id
  WHERE r.xmin = (SELECT id FROM own) AND (r.search_text, r.search_phone)
    IS DISTINCT FROM (lower(concat_ws(' ', a.full_name, r.code)), coalesce(a.phone, ''))
  UNION ALL
  SELECT 'bills_keep_issued_total', b.id FROM bills b
  LEFT JOIN (SELECT bill_id, sum(amount) AS sum FROM bill_lines WHERE added_later GROUP BY 1) l ON l.bill_id = b.id
  WHERE b.xmin = (SELECT id FROM own) AND b.issued_total <> b.total - coalesce(l.sum, 0)
  UNION ALL
  SELECT 'payments_complete', p.id FROM payments p LEFT JOIN virtual_accounts v ON v.id = p.virtual_account_id
  WHERE p.xmin = (SELECT id FROM own) AND (p.bill_id IS DISTINCT FROM v.bill_id
    OR (p.waiting_amount > 0) <> (p.waiting_since IS NOT NULL)
    OR (p.waiting_amount = 0 AND (p.waiting_owner IS NOT NULL OR p.waiting_note IS NOT NULL)))
  UNION ALL
  SELECT 'payments_received', v.id FROM virtual_accounts v
  LEFT JOIN (SELECT virtual_account_id, sum(amount) AS sum FROM payments GROUP BY 1) p ON p.virtual_account_id = v.id
  WHERE v.xmin = (SELECT id FROM own) AND v.received <> coalesce(p.sum, 0)
  UNION ALL
  SELECT 'payments_sum_new', p.id FROM payments p
  LEFT JOIN (SELECT payment_id, sum(amount) AS sum FROM allocations GROUP BY 1) a ON a.payment_id = p.id
  WHERE p.xmin = (SELECT id FROM own) AND (coalesce(a.sum, 0) < 0 OR coalesce(a.sum, 0) + p.waiting_amount + p.refunded_amount
    <> CASE p.status WHEN 'reversed' THEN 0 ELSE p.amount END)
  UNION ALL
  SELECT 'bills_sum_new', b.id FROM bills b
  LEFT JOIN (SELECT bill_id, sum(amount) AS sum FROM allocations GROUP BY 1) a ON a.bill_id = b.id
  LEFT JOIN (SELECT bill_id, sum(paid) AS sum FROM installments GROUP BY 1) i ON i.bill_id = b.id
  WHERE b.xmin = (SELECT id FROM own) AND (b.paid <> coalesce(a.sum, 0) OR b.paid <> coalesce(i.sum, b.paid))
  UNION ALL
  SELECT 'installments_sum_new', i.id FROM installments i
  LEFT JOIN (SELECT bill_id, installment_id, sum(amount) AS sum FROM allocations GROUP BY 1, 2) a
    ON (a.bill_id, a.installment_id) = (i.bill_id, i.id)
  WHERE i.xmin = (SELECT id FROM own) AND i.paid <> coalesce(a.sum, 0)
  UNION ALL
  SELECT 'allocations_commission', a.id FROM registrations r JOIN bills b ON b.registration_id = r.id
    JOIN allocations a ON a.bill_id = b.id
  WHERE r.xmin = (SELECT id FROM own) AND r.referral_code IS NOT NULL
    AND NOT EXISTS (SELECT FROM commission_due d WHERE d.registration_id = r.id)
) broken GROUP BY 1 ORDER BY 1
