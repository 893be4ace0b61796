-- What unlocks a student number is a share of the re-registration bill; paid in full is all of it.
UPDATE settings SET value = '"share"' WHERE key = 'enrolmentUnlock' AND value = '"paid-in-full"';

-- The rule a student number was issued by: rules may change afterwards. Nothing for numbers issued before this was kept.
ALTER TABLE students
  ADD COLUMN unlock_rule text CHECK (unlock_rule IN ('none', 'first-instalment', 'share', 'promise')),
  -- Percent of the re-registration bill.
  ADD COLUMN unlock_share integer CHECK (unlock_share BETWEEN 1 AND 100),
  ADD CHECK ((unlock_rule IS NOT DISTINCT FROM 'share') = (unlock_share IS NOT NULL));

-- Somebody promised to pay by a day, and another person approved it.
ALTER TABLE approval_requests
  DROP CONSTRAINT approval_requests_kind_check,
  ADD CONSTRAINT approval_requests_kind_check CHECK (kind IN ('manual_payment', 'reversal', 'refund', 'waiver', 'discount',
    'guarantee', 'due_date', 'installment_plan', 'promise'));
-- Whoever decides about later due dates decides about promises.
INSERT INTO approval_limits (role_id, kind, most)
  SELECT role_id, 'promise', most FROM approval_limits WHERE kind = 'due_date' ON CONFLICT DO NOTHING;

-- The promise that counts for a bill; earlier ones stand in the requests.
ALTER TABLE bills
  ADD COLUMN promise_id uuid REFERENCES approval_requests (id),
  ADD COLUMN promised_until timestamptz,
  ADD CHECK ((promise_id IS NULL) = (promised_until IS NULL));
CREATE INDEX bills_promised ON bills (promised_until, id) WHERE promised_until IS NOT NULL;
