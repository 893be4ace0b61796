-- Links by which somebody without an account pays one bill.

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
