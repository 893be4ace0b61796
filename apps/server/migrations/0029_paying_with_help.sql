-- Links by which somebody without an account pays one bill, and proofs of transfers that do not appear.

-- The address holds the id and a signature of it, so each row has another address. The link lives as long as its bill,
-- unless the applicant takes it back.
CREATE TABLE payment_links (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  bill_id uuid NOT NULL REFERENCES bills (id),
  created_by uuid NOT NULL REFERENCES accounts (id),
  created_at timestamptz NOT NULL,
  opened_at timestamptz,
  last_opened_at timestamptz,
  -- Visits; loading the page again within ten minutes is the same visit.
  visits integer NOT NULL DEFAULT 0 CHECK (visits >= 0),
  taken_back_at timestamptz,
  taken_back_by uuid REFERENCES accounts (id),
  CHECK ((opened_at IS NULL) = (last_opened_at IS NULL)),
  CHECK ((opened_at IS NULL) = (visits = 0)),
  CHECK ((taken_back_at IS NULL) = (taken_back_by IS NULL))
);
CREATE UNIQUE INDEX payment_links_valid ON payment_links (bill_id) WHERE taken_back_at IS NULL;
CREATE INDEX payment_links_bill ON payment_links (bill_id);
CREATE INDEX payment_links_created_by ON payment_links (created_by);
CREATE INDEX payment_links_taken_back_by ON payment_links (taken_back_by) WHERE taken_back_by IS NOT NULL;

-- What an applicant says about a transfer that does not appear, with a picture of it. A proof is never money: staff match
-- it with a payment or a line of a statement, which go the usual ways, or refuse it with a reason.
CREATE TABLE transfer_proofs (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  bill_id uuid NOT NULL REFERENCES bills (id),
  file_id uuid NOT NULL UNIQUE REFERENCES files (id),
  amount bigint NOT NULL CHECK (amount > 0),
  paid_at timestamptz NOT NULL,
  from_bank varchar(60) NOT NULL,
  note varchar(300),
  sent_by uuid NOT NULL REFERENCES accounts (id),
  sent_at timestamptz NOT NULL,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'matched', 'refused')),
  payment_id uuid REFERENCES payments (id),
  statement_line_id uuid REFERENCES statement_lines (id),
  reason varchar(500),
  answered_by uuid REFERENCES accounts (id),
  answered_at timestamptz,
  version integer NOT NULL DEFAULT 1,
  CHECK ((state = 'open') = (answered_at IS NULL)),
  CHECK ((answered_at IS NULL) = (answered_by IS NULL)),
  CHECK ((state = 'matched') = (num_nonnulls(payment_id, statement_line_id) = 1)),
  CHECK ((state = 'refused') = (reason IS NOT NULL))
);
CREATE INDEX transfer_proofs_bill ON transfer_proofs (bill_id, sent_at);
CREATE INDEX transfer_proofs_newest ON transfer_proofs (sent_at, id);
CREATE INDEX transfer_proofs_open ON transfer_proofs (sent_at, id) WHERE state = 'open';
CREATE INDEX transfer_proofs_amount ON transfer_proofs (amount, id);
CREATE INDEX transfer_proofs_paid_at ON transfer_proofs (paid_at, id);
CREATE INDEX transfer_proofs_sent_by ON transfer_proofs (sent_by);
CREATE INDEX transfer_proofs_answered_by ON transfer_proofs (answered_by) WHERE answered_by IS NOT NULL;
-- The same money answers one proof.
CREATE UNIQUE INDEX transfer_proofs_payment ON transfer_proofs (payment_id) WHERE payment_id IS NOT NULL;
CREATE UNIQUE INDEX transfer_proofs_line ON transfer_proofs (statement_line_id) WHERE statement_line_id IS NOT NULL;
