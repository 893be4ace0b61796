-- Money that did not come on a bank transfer number, money given back, and whoever decides about exceptions.

-- The bill a payment came for: of its number, or named by whoever entered it. Nothing for money nobody knows yet.
ALTER TABLE payments ADD COLUMN bill_id uuid REFERENCES bills (id);
UPDATE payments p SET bill_id = v.bill_id FROM virtual_accounts v WHERE v.id = p.virtual_account_id;
CREATE INDEX payments_bill ON payments (bill_id);

ALTER TABLE payments
  ALTER COLUMN virtual_account_number DROP NOT NULL,
  ADD COLUMN payer_name varchar(120),
  -- What the bank calls a transfer entered by hand.
  ADD COLUMN reference varchar(80),
  ADD COLUMN proof_file_id uuid REFERENCES files (id),
  -- Whole rupiah given back or about to be.
  ADD COLUMN refunded_amount bigint NOT NULL DEFAULT 0 CHECK (refunded_amount >= 0),
  ADD COLUMN reversed_at timestamptz,
  -- Who looks after money that waits, and since when it does.
  ADD COLUMN waiting_since timestamptz,
  ADD COLUMN waiting_owner uuid REFERENCES accounts (id),
  ADD COLUMN waiting_note varchar(500),
  ADD CHECK (waiting_amount + refunded_amount <= amount);
UPDATE payments SET waiting_since = received_at WHERE waiting_amount > 0;
-- Money that waits has waited since some moment, and a payment on a number came for the bill of that number.
CREATE FUNCTION payments_complete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.waiting_amount > 0 AND NEW.waiting_since IS NULL THEN NEW.waiting_since := NEW.received_at; END IF;
  IF NEW.waiting_amount = 0 THEN NEW.waiting_since := NULL; NEW.waiting_owner := NULL; NEW.waiting_note := NULL; END IF;
  IF NEW.bill_id IS NULL AND NEW.virtual_account_id IS NOT NULL THEN
    NEW.bill_id := (SELECT bill_id FROM virtual_accounts WHERE id = NEW.virtual_account_id);
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER payments_complete BEFORE INSERT OR UPDATE OF waiting_amount ON payments
  FOR EACH ROW EXECUTE FUNCTION payments_complete();
CREATE INDEX payments_waiting_since ON payments (waiting_since, id) WHERE waiting_amount > 0;
-- The same transfer is entered once, unless its entry was taken back.
CREATE UNIQUE INDEX payments_entered_once ON payments (lower(reference)) WHERE provider = 'manual' AND status <> 'reversed';
CREATE INDEX payments_amount ON payments (amount, id);

-- Whoever asks for an exception never decides about it: the database says so as well.
CREATE TABLE approval_requests (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  kind text NOT NULL CHECK (kind IN ('manual_payment', 'reversal', 'refund', 'waiver', 'discount', 'guarantee', 'due_date', 'installment_plan')),
  registration_id uuid NOT NULL REFERENCES registrations (id),
  bill_id uuid REFERENCES bills (id),
  payment_id uuid REFERENCES payments (id),
  -- Whole rupiah, compared with what a role may decide about.
  amount bigint NOT NULL CHECK (amount >= 0),
  details jsonb NOT NULL DEFAULT '{}',
  file_id uuid REFERENCES files (id),
  reason varchar(500) NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'rejected', 'withdrawn')),
  requested_by uuid NOT NULL REFERENCES accounts (id),
  requested_at timestamptz NOT NULL,
  decided_by uuid REFERENCES accounts (id),
  decided_at timestamptz,
  decision_reason varchar(500),
  CHECK ((status = 'pending') = (decided_at IS NULL)),
  CHECK (status IN ('pending', 'withdrawn') OR decided_by <> requested_by)
);
CREATE INDEX approval_requests_open ON approval_requests (requested_at, id) WHERE status = 'pending';
CREATE INDEX approval_requests_requested ON approval_requests (requested_at, id);
CREATE INDEX approval_requests_amount ON approval_requests (amount, id);
CREATE INDEX approval_requests_registration ON approval_requests (registration_id, requested_at);
CREATE INDEX approval_requests_bill ON approval_requests (bill_id);
CREATE INDEX approval_requests_payment ON approval_requests (payment_id);
CREATE INDEX approval_requests_asked_by ON approval_requests (requested_by, requested_at);
-- One question about a bill or payment at a time, so that two exceptions never contradict each other.
CREATE UNIQUE INDEX approval_requests_one_of_payment ON approval_requests (payment_id) WHERE status = 'pending' AND kind IN ('reversal', 'refund');
CREATE UNIQUE INDEX approval_requests_one_of_bill ON approval_requests (bill_id, kind) WHERE status = 'pending' AND kind NOT IN ('manual_payment', 'reversal', 'refund');

-- Up to how many rupiah a role decides about a kind of request; nothing: any sum. Roles without a row decide about none.
CREATE TABLE approval_limits (
  role_id uuid NOT NULL REFERENCES roles (id) ON DELETE CASCADE,
  kind text NOT NULL,
  most bigint CHECK (most > 0),
  PRIMARY KEY (role_id, kind)
);

-- What is given back is paid out by somebody, to somebody, once.
CREATE TABLE refunds (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  number varchar(40) NOT NULL UNIQUE,
  payment_id uuid NOT NULL REFERENCES payments (id),
  approval_request_id uuid NOT NULL UNIQUE REFERENCES approval_requests (id),
  amount bigint NOT NULL CHECK (amount > 0),
  -- The part the refund policy gave; the rest had come by mistake.
  by_policy bigint NOT NULL CHECK (by_policy BETWEEN 0 AND amount),
  bank varchar(60) NOT NULL,
  account_number varchar(30) NOT NULL,
  account_holder varchar(120) NOT NULL,
  created_at timestamptz NOT NULL,
  paid_out_at timestamptz,
  paid_out_by uuid REFERENCES accounts (id),
  paid_out_reference varchar(80),
  CHECK ((paid_out_at IS NULL) = (paid_out_by IS NULL))
);
CREATE INDEX refunds_payment ON refunds (payment_id);
CREATE INDEX refunds_unpaid ON refunds (created_at) WHERE paid_out_at IS NULL;

-- What is given back of money paid for a place that was given up: the row with the nearest last day still to come counts.
CREATE TABLE refund_policies (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  code varchar(20) NOT NULL,
  name varchar(120) NOT NULL,
  kind text NOT NULL DEFAULT 're_registration' CHECK (kind IN ('registration_fee', 're_registration')),
  wave_id uuid REFERENCES waves (id) ON DELETE RESTRICT,
  last_day date NOT NULL,
  share_bps integer NOT NULL CHECK (share_bps BETWEEN 1 AND 10000),
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid
);
CREATE UNIQUE INDEX refund_policies_code_key ON refund_policies (lower(code) text_pattern_ops);
CREATE INDEX refund_policies_wave_id ON refund_policies (wave_id);

-- An instalment may shrink to nothing, by a waiver or a refund.
ALTER TABLE installments DROP CONSTRAINT installments_amount_check, ADD CHECK (amount >= 0);
