-- Whole rupiah everywhere.
CREATE TABLE bills (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  number varchar(40) NOT NULL UNIQUE,
  registration_id uuid NOT NULL REFERENCES registrations (id),
  account_id uuid NOT NULL REFERENCES accounts (id),
  kind text NOT NULL CHECK (kind IN ('registration_fee', 're_registration')),
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'partly_paid', 'paid', 'waived', 'guaranteed', 'cancelled')),
  total bigint NOT NULL CHECK (total >= 0),
  -- Sum of allocations; re-derived by the nightly check.
  paid bigint NOT NULL DEFAULT 0 CHECK (paid >= 0 AND paid <= total),
  due_at timestamptz,
  installment_plan_id uuid REFERENCES installment_plans (id),
  issued_at timestamptz NOT NULL,
  paid_at timestamptz,
  version integer NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX bills_one_of_kind ON bills (registration_id, kind) WHERE status <> 'cancelled';
CREATE INDEX bills_account ON bills (account_id, issued_at DESC);
CREATE INDEX bills_status ON bills (status, due_at);

CREATE TABLE bill_lines (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  bill_id uuid NOT NULL REFERENCES bills (id) ON DELETE CASCADE,
  fee_component_id uuid REFERENCES fee_components (id),
  description varchar(160) NOT NULL,
  -- Discounts are negative.
  amount bigint NOT NULL,
  sort_order integer NOT NULL DEFAULT 0
);
CREATE INDEX bill_lines_bill ON bill_lines (bill_id, sort_order);

CREATE TABLE installments (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  bill_id uuid NOT NULL REFERENCES bills (id) ON DELETE CASCADE,
  position integer NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  paid bigint NOT NULL DEFAULT 0 CHECK (paid >= 0 AND paid <= amount),
  due_at timestamptz NOT NULL,
  paid_at timestamptz,
  UNIQUE (bill_id, position)
);

CREATE TABLE virtual_accounts (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  bill_id uuid NOT NULL REFERENCES bills (id),
  installment_id uuid REFERENCES installments (id),
  provider varchar(20) NOT NULL,
  bank varchar(20) NOT NULL,
  number varchar(28) NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'paid', 'expired', 'replaced', 'cancelled')),
  expires_at timestamptz NOT NULL,
  provider_reference varchar(64),
  created_at timestamptz NOT NULL DEFAULT now(),
  closed_at timestamptz,
  UNIQUE (provider, number)
);
CREATE UNIQUE INDEX virtual_accounts_one_active ON virtual_accounts (bill_id, bank) WHERE status = 'active';
CREATE INDEX virtual_accounts_expiry ON virtual_accounts (expires_at) WHERE status = 'active';

-- What a bank sent, byte for byte, stored before anything else is done with it.
CREATE TABLE bank_reports (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  provider varchar(20) NOT NULL,
  body bytea NOT NULL,
  headers jsonb NOT NULL,
  received_at timestamptz NOT NULL,
  outcome varchar(40),
  answered_at timestamptz
);
CREATE INDEX bank_reports_received ON bank_reports (provider, received_at DESC);

CREATE TABLE payments (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  provider varchar(20) NOT NULL,
  -- The bank's own transaction id: what makes a repeated report harmless.
  provider_reference varchar(80) NOT NULL,
  virtual_account_id uuid REFERENCES virtual_accounts (id),
  virtual_account_number varchar(28) NOT NULL,
  account_id uuid REFERENCES accounts (id),
  amount bigint NOT NULL CHECK (amount > 0),
  status text NOT NULL DEFAULT 'received' CHECK (status IN ('received', 'allocated', 'waiting', 'reversed')),
  waiting_reason text CHECK (waiting_reason IN ('unknown_number', 'bill_settled', 'bill_closed', 'overpaid')),
  waiting_amount bigint NOT NULL DEFAULT 0 CHECK (waiting_amount >= 0),
  receipt_number varchar(40) UNIQUE,
  channel varchar(40),
  paid_at timestamptz NOT NULL,
  received_at timestamptz NOT NULL,
  bank_report_id uuid REFERENCES bank_reports (id),
  UNIQUE (provider, provider_reference)
);
CREATE INDEX payments_account ON payments (account_id, received_at DESC);
CREATE INDEX payments_virtual_account ON payments (virtual_account_id);
CREATE INDEX payments_waiting ON payments (received_at) WHERE waiting_amount > 0;
CREATE INDEX payments_newest ON payments (received_at DESC, id DESC);
CREATE INDEX payments_status ON payments (status, received_at DESC, id DESC);
CREATE INDEX payments_receipt ON payments (receipt_number text_pattern_ops);
CREATE INDEX payments_number ON payments (virtual_account_number text_pattern_ops);

-- Append-only: a correction is a row with a negative amount that names what it reverses.
CREATE TABLE allocations (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  payment_id uuid NOT NULL REFERENCES payments (id),
  bill_id uuid NOT NULL REFERENCES bills (id),
  installment_id uuid REFERENCES installments (id),
  amount bigint NOT NULL CHECK (amount <> 0),
  reversal_of uuid UNIQUE REFERENCES allocations (id),
  created_at timestamptz NOT NULL,
  created_by uuid REFERENCES accounts (id),
  CHECK ((amount < 0) = (reversal_of IS NOT NULL))
);
CREATE INDEX allocations_bill ON allocations (bill_id);
CREATE INDEX allocations_payment ON allocations (payment_id);
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;
CREATE TRIGGER allocations_append_only BEFORE UPDATE OR DELETE ON allocations
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- The demo bank's own books: what was paid at its counter, whether or not its report arrived.
CREATE TABLE sandbox_transactions (
  reference varchar(80) PRIMARY KEY,
  virtual_account_number varchar(28) NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  channel varchar(40) NOT NULL,
  paid_at timestamptz NOT NULL,
  reports integer NOT NULL DEFAULT 0
);
CREATE INDEX sandbox_transactions_number ON sandbox_transactions (virtual_account_number, paid_at);
