-- Statements keep the sen that banks write, as whole numbers: 100 sen are one rupiah. Payments and reports stay in rupiah.

DROP TRIGGER statement_lines_keep_what_arrived ON statement_lines;
ALTER TABLE statement_lines
  ALTER COLUMN amount TYPE bigint USING amount * 100,
  ALTER COLUMN balance TYPE bigint USING balance * 100;
ALTER TABLE statement_lines RENAME COLUMN amount TO amount_sen;
ALTER TABLE statement_lines RENAME COLUMN balance TO balance_sen;

ALTER TABLE statement_imports
  ALTER COLUMN credits TYPE bigint USING credits * 100,
  ALTER COLUMN debits TYPE bigint USING debits * 100,
  ALTER COLUMN closing_balance TYPE bigint USING closing_balance * 100;
ALTER TABLE statement_imports RENAME COLUMN credits TO credits_sen;
ALTER TABLE statement_imports RENAME COLUMN debits TO debits_sen;
ALTER TABLE statement_imports RENAME COLUMN closing_balance TO closing_balance_sen;

ALTER TABLE reconciliation_days
  ALTER COLUMN statement_total TYPE bigint USING statement_total * 100,
  ALTER COLUMN explained_total TYPE bigint USING explained_total * 100;
ALTER TABLE reconciliation_days RENAME COLUMN statement_total TO statement_total_sen;
ALTER TABLE reconciliation_days RENAME COLUMN explained_total TO explained_total_sen;

ALTER TABLE reconciliation_differences ALTER COLUMN statement_amount TYPE bigint USING statement_amount * 100;
ALTER TABLE reconciliation_differences RENAME COLUMN statement_amount TO statement_amount_sen;

-- A line that looks like one kept before is held: it counts nowhere until a person says that both are true (`new`) or that
-- they are the same transfer (`same`).
ALTER TABLE statement_lines
  ADD COLUMN similar_to uuid REFERENCES statement_lines (id),
  ADD COLUMN released_by uuid REFERENCES accounts (id),
  ADD COLUMN released_at timestamptz,
  ADD COLUMN release_reason varchar(500),
  DROP CONSTRAINT statement_lines_state_check,
  ADD CONSTRAINT statement_lines_state_check CHECK (state IN ('new', 'held', 'same', 'matched', 'explained')),
  DROP CONSTRAINT statement_lines_check3,
  ADD CONSTRAINT statement_lines_settled CHECK ((state IN ('new', 'held')) = (settled_at IS NULL)),
  ADD CONSTRAINT statement_lines_similar CHECK (state NOT IN ('held', 'same') OR similar_to IS NOT NULL),
  ADD CONSTRAINT statement_lines_same CHECK (state <> 'same' OR (reason IS NOT NULL AND settled_by IS NOT NULL)),
  ADD CONSTRAINT statement_lines_released CHECK (
    (released_at IS NULL) = (released_by IS NULL) AND (released_at IS NULL) = (release_reason IS NULL)
    AND (similar_to IS NULL OR state IN ('held', 'same') OR released_at IS NOT NULL));
CREATE INDEX statement_lines_held ON statement_lines (import_id) WHERE state = 'held';
CREATE INDEX statement_lines_similar_to ON statement_lines (similar_to) WHERE similar_to IS NOT NULL;

CREATE TRIGGER statement_lines_keep_what_arrived
  BEFORE UPDATE OF bank_account_id, import_id, line_number, day, amount_sen, reference, description, occurrence, balance_sen, reversal, raw, similar_to
  ON statement_lines FOR EACH ROW
  WHEN ((OLD.bank_account_id, OLD.import_id, OLD.line_number, OLD.day, OLD.amount_sen, OLD.reference, OLD.description, OLD.occurrence, OLD.balance_sen, OLD.reversal, OLD.raw, OLD.similar_to)
    IS DISTINCT FROM (NEW.bank_account_id, NEW.import_id, NEW.line_number, NEW.day, NEW.amount_sen, NEW.reference, NEW.description, NEW.occurrence, NEW.balance_sen, NEW.reversal, NEW.raw, NEW.similar_to))
  EXECUTE FUNCTION refuse_rewriting();

ALTER TABLE reconciliation_differences
  DROP CONSTRAINT reconciliation_differences_kind_check,
  ADD CONSTRAINT reconciliation_differences_kind_check CHECK (kind IN ('not_in_ledger', 'not_in_statement', 'amount_differs',
    'reported_not_booked', 'report_contradicts', 'taken_back', 'line_held'));

-- Lines of a file on their way in, so that a file of any length needs a few batches of memory. Emptied when the file is
-- done, and every night of what an interrupted server left.
CREATE UNLOGGED TABLE statement_staging (
  upload_id uuid NOT NULL,
  line_number integer NOT NULL,
  day date NOT NULL,
  amount_sen bigint NOT NULL,
  reference text NOT NULL,
  description text NOT NULL,
  occurrence integer NOT NULL,
  balance_sen bigint,
  reversal boolean NOT NULL,
  raw text NOT NULL,
  similar_to uuid,
  staged_at timestamptz NOT NULL,
  PRIMARY KEY (upload_id, line_number)
);
CREATE INDEX statement_staging_sums ON statement_staging (upload_id, day, amount_sen);

-- As before; who said that a held line is another transfer than the one it looks like does not decide about its money.
CREATE OR REPLACE FUNCTION approval_askers(request uuid) RETURNS TABLE (account_id uuid, of_line boolean) LANGUAGE sql STABLE AS $$
  WITH RECURSIVE asked AS (
    SELECT q.id, q.renews, q.kind, q.payment_id, q.statement_line_id, q.requested_by, false AS about_line
    FROM approval_requests q WHERE q.id = request
    UNION
    SELECT e.id, e.renews, e.kind, e.payment_id, e.statement_line_id, e.requested_by, n.about_line
    FROM asked a
    CROSS JOIN LATERAL (
      SELECT a.renews AS id, a.about_line WHERE a.renews IS NOT NULL
      UNION ALL
      SELECT p.approval_request_id, true FROM payments p
      WHERE a.kind = 'allocation' AND p.id = a.payment_id AND p.provider = 'statement') n
    JOIN approval_requests e ON e.id = n.id)
  SELECT requested_by, about_line FROM asked
  UNION
  SELECT said.account_id, true FROM asked a
  JOIN statement_lines l ON l.id = a.statement_line_id JOIN statement_imports i ON i.id = l.import_id
  CROSS JOIN LATERAL (VALUES (i.imported_by), (l.released_by)) AS said (account_id)
  WHERE said.account_id IS NOT NULL
$$;
