-- Requests that needed a second person among the applicants of demo_people: sibling discounts, and refunds to students
-- who left. The finance office requested them, the administrator approved.

-- Without indexes and fresh statistics the joins below would read whole tables once per row.
ANALYZE bills, bill_lines, payments, allocations, students;
DROP TABLE IF EXISTS pg_temp.demo_requests;
CREATE TEMP TABLE demo_requests ON COMMIT DROP AS
SELECT pg_temp.demo_uuid('demo-request-' || d.n) AS id, 'discount' AS kind, p.registration_id, b.id AS bill_id,
  NULL::uuid AS payment_id,
  d.amount, jsonb_build_object('discountId', d.discount_id, 'siblingNumber', s.npm) AS details,
    'Kakaknya mahasiswa aktif' AS reason,
  b.issued_at + interval '1 hour' AS asked_at, b.issued_at + interval '3 hours' AS decided_at,
  jsonb_build_object('amount', d.amount) AS effect, NULL::text AS refund_number, p.n
FROM demo_discounts d JOIN demo_people p USING (n) JOIN bills b ON b.id = pg_temp.demo_uuid('demo-tuition-' || d.n)
JOIN discounts x ON x.id = d.discount_id AND x.condition = 'sibling'
CROSS JOIN LATERAL (SELECT npm FROM students s WHERE s.account_id <> p.account_id ORDER BY s.issued_at LIMIT 1) s
UNION ALL
SELECT pg_temp.demo_uuid('demo-refund-request-' || p.n), 'refund', p.registration_id, b.id, y.id, r.amount,
  jsonb_build_object('bank', 'Bank Contoh', 'accountNumber', '9900' || pg_temp.demo_digits(p.n, 8), 'accountHolder', p.full_name),
  'Mengundurkan diri, diterima di perguruan tinggi lain', p.closed_at + interval '1 day', p.closed_at + interval '2 days',
  jsonb_build_object('amount', r.amount, 'fromWaiting', 0, 'fromBills', jsonb_build_array(jsonb_build_object('name', b.number,
    'amount', r.amount)),
    'policy', 'Mengundurkan diri sebelum kuliah', 'policyPercent', 75,
    'payee', 'Bank Contoh, 9900' || pg_temp.demo_digits(p.n, 8) || ', ' || p.full_name), NULL, p.n
FROM demo_people p JOIN bills b ON b.id = pg_temp.demo_uuid('demo-tuition-' || p.n) AND b.status = 'paid'
JOIN payments y ON y.bill_id = b.id
CROSS JOIN LATERAL (SELECT sum(l.amount)::bigint * 3 / 4 AS amount FROM bill_lines l
  JOIN fee_components c ON c.id = l.fee_component_id AND c.refundable
  WHERE l.bill_id = b.id) r
WHERE p.reached = 'enrolled' AND p.closed_at < p.now - interval '3 days' AND pg_temp.demo_roll(p.n, 95) < 0.85;
UPDATE demo_requests d SET refund_number = 'RF-' || n.year || '-' || pg_temp.demo_digits(n.seq, 6)
FROM (SELECT q.id, y.year, coalesce(c.value, 0) + row_number() OVER (PARTITION BY y.year ORDER BY q.decided_at, q.id) AS seq
  FROM demo_requests q CROSS JOIN LATERAL to_char(q.decided_at AT TIME ZONE 'Asia/Jakarta', 'YYYY') AS y (year)
  LEFT JOIN number_counters c ON c.kind = 'refund' AND c.scope = y.year WHERE q.kind = 'refund') n
WHERE n.id = d.id;
INSERT INTO number_counters (kind, scope, value)
SELECT 'refund', substr(refund_number, 4, 4), max(substr(refund_number, 9)::bigint) FROM demo_requests WHERE kind = 'refund'
  GROUP BY 2
ON CONFLICT (kind, scope) DO UPDATE SET value = EXCLUDED.value;

INSERT INTO approval_requests (id, kind, registration_id, bill_id, payment_id, amount, details, reason, status, requested_by,
  requested_at,
  decided_by, decided_at, effect)
SELECT q.id, q.kind, q.registration_id, q.bill_id, q.payment_id, q.amount, q.details, q.reason, 'approved', k.id, q.asked_at,
  a.id, q.decided_at, q.effect
FROM demo_requests q, accounts k, accounts a WHERE k.email = 'keuangan@demo.test' AND a.email = 'administrator@demo.test';

-- Reverses whole allocations and allocates the remainder again.
INSERT INTO allocations (payment_id, bill_id, installment_id, amount, reversal_of, created_at)
SELECT o.payment_id, o.bill_id, o.installment_id, -o.amount, o.id, q.decided_at
FROM demo_requests q JOIN allocations o ON o.payment_id = q.payment_id AND q.kind = 'refund';
INSERT INTO allocations (payment_id, bill_id, installment_id, amount, created_at)
SELECT o.payment_id, o.bill_id, o.installment_id, o.amount - q.amount, q.decided_at
FROM demo_requests q JOIN allocations o ON o.payment_id = q.payment_id AND o.amount > 0 AND q.kind = 'refund';
INSERT INTO commission_due (registration_id)
SELECT q.registration_id FROM demo_requests q JOIN demo_people p USING (n) CROSS JOIN generate_series(1, 2)
WHERE q.kind = 'refund' AND p.referral_code IS NOT NULL AND current_setting('pmb.triggers') = 'off';
INSERT INTO bill_lines (bill_id, description, amount, added_later, added_at, sort_order)
SELECT bill_id, 'Pengembalian ' || refund_number, -amount, true, decided_at, 95 FROM demo_requests WHERE kind = 'refund';
UPDATE installments i SET amount = i.amount - q.amount, paid = i.paid - q.amount
FROM demo_requests q WHERE i.bill_id = q.bill_id AND q.kind = 'refund';
UPDATE bills b SET total = b.total - q.amount, paid = b.paid - q.amount FROM demo_requests q WHERE b.id = q.bill_id
  AND q.kind = 'refund';
UPDATE payments p SET refunded_amount = q.amount FROM demo_requests q WHERE p.id = q.payment_id AND q.kind = 'refund';
INSERT INTO refunds (number, payment_id, approval_request_id, amount, by_policy, bank, account_number, account_holder, created_at,
  paid_out_at, paid_out_by, paid_out_reference)
SELECT refund_number, payment_id, q.id, amount, amount, details ->> 'bank', details ->> 'accountNumber',
  details ->> 'accountHolder', decided_at,
  decided_at + interval '1 day', k.id, 'TRF-' || refund_number
FROM demo_requests q, accounts k WHERE q.kind = 'refund' AND k.email = 'keuangan@demo.test';

INSERT INTO audit_log (at, actor_id, actor_name, role_name, action, subject_type, subject_id, after, reason)
SELECT e.at, a.id, a.name, r.name, e.action, 'approval', q.id::text, jsonb_build_object('kind', q.kind, 'amount', q.amount,
  'registrationId', q.registration_id,
    'billId', q.bill_id, 'paymentId', q.payment_id, 'details', CASE q.kind WHEN 'refund'
      THEN jsonb_set(q.details, '{accountNumber}', to_jsonb('••••' || right(q.details ->> 'accountNumber', 4)))
        ELSE q.details END), q.reason
FROM demo_requests q CROSS JOIN LATERAL (VALUES ('approval.ask', q.asked_at, 'keuangan@demo.test'),
  ('approval.approve', q.decided_at, 'administrator@demo.test')) e (action, at, email)
JOIN accounts a ON a.email = e.email JOIN roles r ON r.id = a.role_id
UNION ALL
SELECT q.decided_at, a.id, a.name, r.name, 'payment.refund', 'payment', q.payment_id::text, jsonb_build_object('number',
  q.refund_number, 'amount', q.amount), q.reason
FROM demo_requests q JOIN accounts a ON a.email = 'administrator@demo.test' JOIN roles r ON r.id = a.role_id
  WHERE q.kind = 'refund'
ORDER BY 1;
