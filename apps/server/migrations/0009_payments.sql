-- Connections to banks, transfer numbers, reports of banks, and payments, in whole rupiah.

-- Banks and gateways that the university has a contract with.
CREATE TABLE provider_accounts (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- Never changes: stored on every number, report and payment, and part of the address that the bank calls.
  code varchar(20) NOT NULL UNIQUE CHECK (code ~ '^[a-z][a-z0-9-]{1,19}$' AND code <> 'sandbox'),
  kind text NOT NULL CHECK (kind IN ('snap', 'midtrans', 'xendit')),
  name varchar(100) NOT NULL,
  active boolean NOT NULL DEFAULT false,
  base_url varchar(200) NOT NULL,
  -- Further fields of the kind, checked by domain/payments/provider-kinds.ts.
  settings jsonb NOT NULL DEFAULT '{}',
  checked_at timestamptz,
  problem varchar(40),
  problem_detail varchar(300),
  problem_at timestamptz,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid,
  -- The approved request that made the present values; 0011_approvals.sql refuses others.
  approval_request_id uuid UNIQUE,
  -- Largest payment in rupiah that is booked without a person. Above it SNAP is refused; money that a gateway has moved
  -- is held until two people book or dismiss it. The upper bound keeps sums of thousands of payments below 2^53.
  maximum_amount bigint NOT NULL DEFAULT 1000000000 CHECK (maximum_amount BETWEEN 1 AND 1000000000000)
);
CREATE UNIQUE INDEX provider_accounts_name ON provider_accounts (lower(name));

-- Keys of connections, encrypted with the key of the installation. The last four characters tell two keys apart.
CREATE TABLE provider_secrets (
  provider_account_id uuid NOT NULL REFERENCES provider_accounts (id) ON DELETE CASCADE,
  name varchar(30) NOT NULL,
  sealed text NOT NULL,
  last_four varchar(4) NOT NULL,
  set_at timestamptz NOT NULL,
  approval_request_id uuid,
  PRIMARY KEY (provider_account_id, name)
);
CREATE INDEX provider_secrets_approval ON provider_secrets (approval_request_id);

CREATE TABLE provider_banks (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  provider_account_id uuid NOT NULL REFERENCES provider_accounts (id) ON DELETE CASCADE,
  -- Stored on every number.
  code varchar(20) NOT NULL UNIQUE CHECK (code ~ '^[a-z][a-z0-9-]{1,19}$' AND code NOT LIKE 'sandbox-%'),
  name varchar(60) NOT NULL,
  -- The gateway's name for the bank.
  channel varchar(30),
  -- First digits of our numbers; NULL if the gateway makes the numbers.
  prefix varchar(12) CHECK (prefix ~ '^\d{1,12}$'),
  customer_digits integer NOT NULL DEFAULT 10 CHECK (customer_digits BETWEEN 4 AND 15),
  first_number bigint NOT NULL DEFAULT 1 CHECK (first_number >= 1),
  last_number bigint,
  amount_type text NOT NULL CHECK (amount_type IN ('closed', 'partial', 'open')),
  active boolean NOT NULL DEFAULT true,
  sort_order integer NOT NULL DEFAULT 0,
  CHECK (last_number >= first_number),
  CHECK (length(prefix) + customer_digits <= 28)
);
CREATE UNIQUE INDEX provider_banks_prefix ON provider_banks (prefix) WHERE prefix IS NOT NULL;
CREATE INDEX provider_banks_account ON provider_banks (provider_account_id, sort_order);

CREATE TABLE virtual_accounts (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  bill_id uuid NOT NULL REFERENCES bills (id),
  installment_id uuid REFERENCES installments (id),
  provider varchar(20) NOT NULL,
  bank varchar(20) NOT NULL,
  -- NULL until the gateway that makes the numbers has answered.
  number varchar(28),
  amount bigint NOT NULL CHECK (amount > 0),
  -- A number is reserved first and sent to the bank afterwards, outside any transaction: `pending` until the bank
  -- answers.
  status text NOT NULL DEFAULT 'active'
    CHECK (status IN ('pending', 'active', 'paid', 'expired', 'replaced', 'cancelled', 'failed')),
  expires_at timestamptz NOT NULL,
  provider_reference varchar(80),
  created_at timestamptz NOT NULL DEFAULT now(),
  closed_at timestamptz,
  amount_type text NOT NULL DEFAULT 'partial' CHECK (amount_type IN ('closed', 'partial', 'open')),
  activated_at timestamptz,
  -- Sum of all payments to the number, whatever became of them; kept by a trigger.
  received bigint NOT NULL DEFAULT 0 CHECK (received >= 0),
  replaces_id uuid REFERENCES virtual_accounts (id),
  closed_reason varchar(300),
  -- Asking the bank for the number: attempts, the process that is asking, and why the last attempt failed.
  attempts integer NOT NULL DEFAULT 0,
  claimed_until timestamptz,
  problem varchar(40),
  problem_detail varchar(300),
  -- What the bank does not know yet, and when it is told next.
  tell text CHECK (tell IN ('expire', 'cancel', 'update')),
  tell_at timestamptz,
  tell_tries integer NOT NULL DEFAULT 0,
  told_at timestamptz,
  -- When the bank is next asked what it received.
  ask_at timestamptz,
  asks integer NOT NULL DEFAULT 0,
  asked_at timestamptz,
  UNIQUE (provider, number),
  CONSTRAINT virtual_accounts_number_known CHECK (number IS NOT NULL OR status NOT IN ('active', 'paid')),
  CONSTRAINT virtual_accounts_tell CHECK ((tell IS NULL) = (tell_at IS NULL))
);
CREATE INDEX virtual_accounts_expiry ON virtual_accounts (expires_at) WHERE status = 'active';
CREATE INDEX virtual_accounts_number_start ON virtual_accounts (number text_pattern_ops);
CREATE INDEX virtual_accounts_number_end ON virtual_accounts (reverse(number) text_pattern_ops);
CREATE INDEX virtual_accounts_bill ON virtual_accounts (bill_id);
CREATE UNIQUE INDEX virtual_accounts_one_open ON virtual_accounts (bill_id, bank) WHERE status IN ('pending', 'active');
CREATE INDEX virtual_accounts_to_tell ON virtual_accounts (tell_at) WHERE tell_at IS NOT NULL;
CREATE INDEX virtual_accounts_to_ask ON virtual_accounts (ask_at) WHERE ask_at IS NOT NULL;
CREATE INDEX virtual_accounts_pending ON virtual_accounts (created_at) WHERE status = 'pending';
-- The list of staff, newest first, whole and by its usual filters. INCLUDE: a search for old numbers by their end walks
-- far along the index without reading the rows.
CREATE INDEX virtual_accounts_by_status ON virtual_accounts (status, created_at DESC, id DESC);
CREATE INDEX virtual_accounts_by_bank ON virtual_accounts (bank, created_at DESC, id DESC);
CREATE INDEX virtual_accounts_newest ON virtual_accounts (created_at DESC, id DESC) INCLUDE (expires_at, status, bank);
CREATE INDEX virtual_accounts_by_expiry ON virtual_accounts (expires_at DESC, id DESC)
  INCLUDE (created_at, status, bank);

-- A number pays into one bill for its whole life.
CREATE TRIGGER virtual_accounts_keep_their_bill BEFORE UPDATE OF bill_id, number ON virtual_accounts FOR EACH ROW
  WHEN (OLD.bill_id <> NEW.bill_id OR (OLD.number IS NOT NULL AND OLD.number IS DISTINCT FROM NEW.number))
  EXECUTE FUNCTION refuse_rewriting();

-- Reports of banks, byte for byte, stored before they are read.
CREATE TABLE bank_reports (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  provider varchar(20) NOT NULL,
  body bytea NOT NULL,
  headers jsonb NOT NULL,
  received_at timestamptz NOT NULL,
  outcome varchar(40),
  answered_at timestamptz,
  -- Read from the body afterwards.
  virtual_account_id uuid REFERENCES virtual_accounts (id),
  reference varchar(80),
  -- Of a report that could not be booked.
  number text,
  amount bigint
);
CREATE INDEX bank_reports_received ON bank_reports (provider, received_at DESC);
CREATE INDEX bank_reports_virtual_account ON bank_reports (virtual_account_id, received_at)
  WHERE virtual_account_id IS NOT NULL;
CREATE INDEX bank_reports_reference ON bank_reports (provider, reference) WHERE reference IS NOT NULL;

CREATE TRIGGER bank_reports_never_deleted BEFORE DELETE OR TRUNCATE ON bank_reports EXECUTE FUNCTION refuse_rewriting();
CREATE TRIGGER bank_reports_keep_what_arrived BEFORE UPDATE OF provider, body, headers, received_at ON bank_reports
  FOR EACH ROW
  WHEN ((OLD.provider, OLD.body, OLD.headers, OLD.received_at) IS DISTINCT FROM (NEW.provider, NEW.body, NEW.headers, NEW.received_at))
  EXECUTE FUNCTION refuse_rewriting();

-- Requests to the address of a connection without its signature. They book nothing, and a job deletes them after 30
-- days; bank_reports are never deleted.
CREATE TABLE unverified_reports (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  provider varchar(20) NOT NULL,
  -- Network of the sender; empty if the server sent it to itself.
  network varchar(60) NOT NULL,
  -- The first bytes; `size` counts all of them.
  body bytea NOT NULL,
  size integer NOT NULL,
  headers jsonb NOT NULL,
  outcome varchar(40) NOT NULL,
  received_at timestamptz NOT NULL
);
CREATE INDEX unverified_reports_provider ON unverified_reports (provider, received_at);
CREATE INDEX unverified_reports_received ON unverified_reports (received_at);

-- Our calls to banks with their answers, without secrets.
CREATE TABLE bank_calls (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  provider varchar(20) NOT NULL,
  virtual_account_id uuid REFERENCES virtual_accounts (id),
  action varchar(20) NOT NULL,
  method varchar(8) NOT NULL,
  url varchar(500) NOT NULL,
  request text,
  status integer,
  answer text,
  error varchar(300),
  called_at timestamptz NOT NULL,
  took_ms integer NOT NULL
);
CREATE INDEX bank_calls_virtual_account ON bank_calls (virtual_account_id, called_at)
  WHERE virtual_account_id IS NOT NULL;
CREATE INDEX bank_calls_called ON bank_calls (called_at);
-- For the health page, which reads the last call to each bank every few seconds.
CREATE INDEX bank_calls_provider ON bank_calls (provider, called_at DESC);

-- Numbers of SNAP requests: a caller uses each once a day, by the calendar of Jakarta.
CREATE TABLE snap_external_ids (
  provider varchar(20) NOT NULL,
  day date NOT NULL,
  external_id varchar(36) NOT NULL,
  service varchar(2) NOT NULL,
  -- Tells a repeated request from another request with the same number.
  request_id varchar(128) NOT NULL,
  received_at timestamptz NOT NULL,
  PRIMARY KEY (provider, day, external_id)
);

-- How references of transfers are compared: letters and digits only, in one spelling, without leading zeros. A
-- reference without letters and digits is compared as typed.
CREATE FUNCTION reference_key(reference text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT nullif(coalesce(
    nullif(ltrim(regexp_replace(lower(normalize(reference, NFKC)), '[^a-z0-9]', '', 'g'), '0'), ''),
    lower(normalize(reference, NFKC))), '')
$$;

CREATE TABLE payments (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  provider varchar(20) NOT NULL,
  -- The bank's transaction id: a repeated report meets the unique key.
  provider_reference varchar(80) NOT NULL,
  virtual_account_id uuid REFERENCES virtual_accounts (id),
  virtual_account_number varchar(28),
  account_id uuid REFERENCES accounts (id),
  amount bigint NOT NULL CHECK (amount > 0),
  status text NOT NULL DEFAULT 'received' CHECK (status IN ('received', 'allocated', 'waiting', 'reversed')),
  waiting_reason text
    CHECK (waiting_reason IN ('unknown_number', 'reversed_by_bank', 'fraud_review', 'bill_settled', 'bill_closed', 'overpaid')),
  waiting_amount bigint NOT NULL DEFAULT 0 CHECK (waiting_amount >= 0),
  receipt_number varchar(40) UNIQUE,
  channel varchar(40),
  paid_at timestamptz NOT NULL,
  received_at timestamptz NOT NULL,
  bank_report_id uuid REFERENCES bank_reports (id),
  -- The bill the payment came for: that of its number, or the one named by staff. NULL while the payer is unknown.
  bill_id uuid REFERENCES bills (id),
  payer_name varchar(120),
  -- The bank's reference of a transfer entered by hand.
  reference varchar(80),
  proof_file_id uuid REFERENCES files (id),
  -- Given back, or approved to be.
  refunded_amount bigint NOT NULL DEFAULT 0 CHECK (refunded_amount >= 0),
  reversed_at timestamptz,
  -- Since when the money waits, and the account that looks after it.
  waiting_since timestamptz,
  waiting_owner uuid REFERENCES accounts (id),
  waiting_note varchar(500),
  -- The approved request behind a payment that no bank reported.
  approval_request_id uuid,
  -- The bank named the payment when we asked, without a report.
  found_by_asking boolean NOT NULL DEFAULT false,
  -- The time that the bank wrote, if it is not plausible; paid_at is the arrival of the report then.
  paid_at_told varchar(60),
  UNIQUE (provider, provider_reference),
  CHECK (waiting_amount + refunded_amount <= amount),
  CHECK (NOT found_by_asking OR bank_report_id IS NULL)
);
CREATE INDEX payments_account ON payments (account_id, received_at DESC);
CREATE INDEX payments_virtual_account ON payments (virtual_account_id);
CREATE INDEX payments_waiting ON payments (received_at) WHERE waiting_amount > 0;
CREATE INDEX payments_newest ON payments (received_at DESC, id DESC);
CREATE INDEX payments_status ON payments (status, received_at DESC, id DESC);
CREATE INDEX payments_receipt ON payments (receipt_number text_pattern_ops);
CREATE INDEX payments_number ON payments (virtual_account_number text_pattern_ops);
CREATE INDEX payments_bill ON payments (bill_id);
CREATE INDEX payments_waiting_since ON payments (waiting_since, id) WHERE waiting_amount > 0;
CREATE INDEX payments_amount ON payments (amount, id);
CREATE INDEX payments_waiting_owner ON payments (waiting_owner, waiting_since, id) WHERE waiting_amount > 0;
CREATE INDEX payments_waiting_reason ON payments (waiting_reason, waiting_since, id) WHERE waiting_amount > 0;
CREATE INDEX payments_waiting_amount ON payments (waiting_amount, id) WHERE waiting_amount > 0;
CREATE INDEX payments_paid ON payments (paid_at);
CREATE INDEX payments_reference_lower ON payments (lower(reference)) WHERE reference IS NOT NULL;
CREATE INDEX payments_provider_reference ON payments (lower(provider_reference));
CREATE UNIQUE INDEX payments_approval ON payments (approval_request_id) WHERE approval_request_id IS NOT NULL;
CREATE INDEX payments_reference_key ON payments (reference_key(reference)) WHERE reference IS NOT NULL;
CREATE INDEX payments_provider_reference_key ON payments (reference_key(provider_reference));
CREATE INDEX payments_proof_file_id ON payments (proof_file_id) WHERE proof_file_id IS NOT NULL;
-- A transfer is entered once, however its reference is spelled, unless the entry was reversed.
CREATE UNIQUE INDEX payments_entered_once_key ON payments (reference_key(reference))
  WHERE provider = 'manual' AND status <> 'reversed';

-- In the database, because payments come from reports, statements and questions to the bank.
CREATE FUNCTION add_to_received() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE virtual_accounts SET received = received + NEW.amount WHERE id = NEW.virtual_account_id;
  RETURN NULL;
END $$;
CREATE TRIGGER payments_received AFTER INSERT ON payments
  FOR EACH ROW WHEN (NEW.virtual_account_id IS NOT NULL) EXECUTE FUNCTION add_to_received();

-- Fills when waiting began, and the bill of the number.
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

CREATE TRIGGER payments_never_deleted BEFORE DELETE OR TRUNCATE ON payments EXECUTE FUNCTION refuse_rewriting();
CREATE TRIGGER payments_keep_what_arrived BEFORE UPDATE OF provider, provider_reference, amount ON payments FOR EACH ROW
  WHEN ((OLD.provider, OLD.provider_reference, OLD.amount) IS DISTINCT FROM (NEW.provider, NEW.provider_reference, NEW.amount))
  EXECUTE FUNCTION refuse_rewriting();
CREATE TRIGGER payments_keep_approval BEFORE UPDATE OF approval_request_id ON payments FOR EACH ROW
  WHEN (OLD.approval_request_id IS DISTINCT FROM NEW.approval_request_id) EXECUTE FUNCTION refuse_rewriting();

-- Payments already announced to their payer: each is announced once, whatever the device.
CREATE TABLE payment_sightings (
  payment_id uuid PRIMARY KEY REFERENCES payments (id) ON DELETE CASCADE,
  seen_at timestamptz NOT NULL
);

-- What banks say that only a person can settle.
CREATE TABLE payment_alerts (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  kind text NOT NULL
    CHECK (kind IN ('reversed_by_bank', 'fraud_review', 'reported_after_reversal', 'contradicts', 'not_reported', 'above_maximum')),
  provider varchar(20) NOT NULL,
  provider_reference varchar(80) NOT NULL,
  virtual_account_id uuid REFERENCES virtual_accounts (id),
  payment_id uuid REFERENCES payments (id),
  bank_report_id uuid REFERENCES bank_reports (id),
  amount bigint,
  raised_at timestamptz NOT NULL,
  settled_at timestamptz,
  settled_by uuid REFERENCES accounts (id),
  note varchar(500),
  -- The payment as read, for an amount above the maximum: such an amount is an alert and no payment, so that no total
  -- counts it.
  told jsonb,
  CHECK ((settled_at IS NULL) = (note IS NULL)),
  CHECK ((kind = 'above_maximum') = (told IS NOT NULL))
);
CREATE UNIQUE INDEX payment_alerts_once ON payment_alerts (kind, provider, provider_reference, coalesce(amount, 0));
CREATE INDEX payment_alerts_open ON payment_alerts (raised_at DESC, id DESC) WHERE settled_at IS NULL;
CREATE INDEX payment_alerts_virtual_account ON payment_alerts (virtual_account_id);
CREATE INDEX payment_alerts_payment ON payment_alerts (payment_id);
-- A payment is held once, whatever amounts a gateway reports.
CREATE UNIQUE INDEX payment_alerts_held_once ON payment_alerts (provider, provider_reference)
  WHERE kind = 'above_maximum';

CREATE TRIGGER payment_alerts_held_never_deleted BEFORE DELETE ON payment_alerts
  FOR EACH ROW WHEN (OLD.kind = 'above_maximum') EXECUTE FUNCTION refuse_rewriting();

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
-- Allocations are only added to, so their order on the disk is their order in time.
CREATE INDEX allocations_created ON allocations USING brin (created_at);

-- The sums below are checked at the commit, because one payment moves four rows and the sums hold only after the last
-- of them. Every transaction that changes a sum also updates the row that states it: the row lock makes two such
-- transactions follow each other, and the later one reads what the earlier one committed. SQLSTATE PMB01: the server
-- answers 409 books_refused.

-- Of a payment: allocated + waiting + given back = amount; 0 if it is reversed.
CREATE FUNCTION require_payment_sum(payment uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE p record;
BEGIN
  SELECT q.status, q.amount, q.waiting_amount, q.refunded_amount,
    (SELECT coalesce(sum(a.amount), 0) FROM allocations a WHERE a.payment_id = q.id) AS allocated
  INTO p FROM payments q WHERE q.id = payment;
  IF FOUND AND (p.allocated < 0 OR p.allocated + p.waiting_amount + p.refunded_amount
      <> CASE p.status WHEN 'reversed' THEN 0 ELSE p.amount END) THEN
    RAISE EXCEPTION 'payment %: allocated % + waiting % + refunded % is not its amount % (%)',
      payment, p.allocated, p.waiting_amount, p.refunded_amount, p.amount, p.status USING ERRCODE = 'PMB01';
  END IF;
END $$;

-- Of a bill: paid = sum of its allocations = sum of its instalments, and each instalment is paid by its own
-- allocations. CHECKs of both tables keep paid within the total.
CREATE FUNCTION require_bill_sum(bill uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE b record;
BEGIN
  SELECT q.paid, (SELECT coalesce(sum(a.amount), 0) FROM allocations a WHERE a.bill_id = q.id) AS allocated,
    (SELECT sum(i.paid) FROM installments i WHERE i.bill_id = q.id) AS in_parts
  INTO b FROM bills q WHERE q.id = bill;
  IF NOT FOUND THEN RETURN; END IF;
  IF b.paid <> b.allocated OR b.paid <> coalesce(b.in_parts, b.paid) THEN
    RAISE EXCEPTION 'bill %: paid % is not its allocations % or instalments %', bill, b.paid, b.allocated, b.in_parts
      USING ERRCODE = 'PMB01';
  END IF;
  IF b.in_parts IS NOT NULL AND EXISTS (SELECT FROM installments i WHERE i.bill_id = bill AND i.paid <>
      (SELECT coalesce(sum(a.amount), 0) FROM allocations a WHERE a.bill_id = bill AND a.installment_id = i.id)) THEN
    RAISE EXCEPTION 'bill %: an instalment is not paid by its allocations', bill USING ERRCODE = 'PMB01';
  END IF;
END $$;

CREATE FUNCTION payments_hold_sum() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM require_payment_sum(NEW.id);
  RETURN NULL;
END $$;
-- The WHEN clauses spare updates that leave the sums alone, such as a receipt number, and new bills without a payment.
CREATE CONSTRAINT TRIGGER payments_sum_new AFTER INSERT ON payments
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION payments_hold_sum();
CREATE CONSTRAINT TRIGGER payments_sum_changed AFTER UPDATE ON payments
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.status, OLD.amount, OLD.waiting_amount, OLD.refunded_amount)
    IS DISTINCT FROM (NEW.status, NEW.amount, NEW.waiting_amount, NEW.refunded_amount))
  EXECUTE FUNCTION payments_hold_sum();

CREATE FUNCTION bills_hold_sum() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM require_bill_sum(NEW.id);
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER bills_sum_new AFTER INSERT ON bills
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.paid <> 0) EXECUTE FUNCTION bills_hold_sum();
CREATE CONSTRAINT TRIGGER bills_sum_changed AFTER UPDATE ON bills
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (OLD.paid <> NEW.paid) EXECUTE FUNCTION bills_hold_sum();

CREATE FUNCTION installments_hold_sum() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN PERFORM require_bill_sum(OLD.bill_id); END IF;
  IF TG_OP = 'INSERT' OR TG_OP = 'UPDATE' AND NEW.bill_id <> OLD.bill_id THEN PERFORM require_bill_sum(NEW.bill_id); END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER installments_sum_new AFTER INSERT ON installments
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION installments_hold_sum();
CREATE CONSTRAINT TRIGGER installments_sum_changed AFTER UPDATE ON installments
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((OLD.bill_id, OLD.paid) IS DISTINCT FROM (NEW.bill_id, NEW.paid))
  EXECUTE FUNCTION installments_hold_sum();
CREATE CONSTRAINT TRIGGER installments_sum_gone AFTER DELETE ON installments
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (OLD.paid <> 0) EXECUTE FUNCTION installments_hold_sum();

CREATE FUNCTION allocations_hold_sum() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM require_payment_sum(NEW.payment_id);
  PERFORM require_bill_sum(NEW.bill_id);
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER allocations_sum AFTER INSERT ON allocations
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION allocations_hold_sum();

CREATE TRIGGER allocations_append_only BEFORE UPDATE OR DELETE ON allocations
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER allocations_never_emptied BEFORE TRUNCATE ON allocations EXECUTE FUNCTION refuse_change();

-- Books of the demo bank: what was paid at its counter, whether or not its report arrived.
CREATE TABLE sandbox_transactions (
  reference varchar(80) PRIMARY KEY,
  virtual_account_number varchar(28) NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  channel varchar(40) NOT NULL,
  paid_at timestamptz NOT NULL,
  reports integer NOT NULL DEFAULT 0,
  -- The amount in the report, if the demo bank reports another one than it received.
  reported_amount bigint CHECK (reported_amount > 0)
);
CREATE INDEX sandbox_transactions_number ON sandbox_transactions (virtual_account_number, paid_at);
