-- Banks and gateways the university has a contract with, and what the dealings with them need.
CREATE TABLE provider_accounts (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- Stored on every number, report and payment, and part of the address the bank calls: never changes.
  code varchar(20) NOT NULL UNIQUE CHECK (code ~ '^[a-z][a-z0-9-]{1,19}$' AND code <> 'sandbox'),
  kind text NOT NULL CHECK (kind IN ('snap', 'midtrans', 'xendit')),
  name varchar(100) NOT NULL,
  active boolean NOT NULL DEFAULT false,
  base_url varchar(200) NOT NULL,
  -- What the kind needs besides, checked by domain/payments/provider-kinds.ts.
  settings jsonb NOT NULL DEFAULT '{}',
  checked_at timestamptz,
  problem varchar(40),
  problem_detail varchar(300),
  problem_at timestamptz,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid
);
CREATE UNIQUE INDEX provider_accounts_name ON provider_accounts (lower(name));

-- Boxes that this installation's key opens; of the content only the end is kept in the clear, to tell two apart.
CREATE TABLE provider_secrets (
  provider_account_id uuid NOT NULL REFERENCES provider_accounts (id) ON DELETE CASCADE,
  name varchar(30) NOT NULL,
  sealed text NOT NULL,
  last_four varchar(4) NOT NULL,
  set_at timestamptz NOT NULL,
  PRIMARY KEY (provider_account_id, name)
);

CREATE TABLE provider_banks (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  provider_account_id uuid NOT NULL REFERENCES provider_accounts (id) ON DELETE CASCADE,
  -- Stored on every number.
  code varchar(20) NOT NULL UNIQUE CHECK (code ~ '^[a-z][a-z0-9-]{1,19}$' AND code NOT LIKE 'sandbox-%'),
  name varchar(60) NOT NULL,
  -- The gateway's own word for the bank.
  channel varchar(30),
  -- With what our numbers begin; none where the gateway makes the numbers.
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

-- A number is reserved first and made known to the bank afterwards, outside any transaction. Until the bank has answered
-- it is pending, and where the gateway makes the numbers it has none.
ALTER TABLE virtual_accounts
  ALTER COLUMN number DROP NOT NULL,
  ALTER COLUMN provider_reference TYPE varchar(80),
  DROP CONSTRAINT virtual_accounts_status_check,
  ADD CONSTRAINT virtual_accounts_status_check
    CHECK (status IN ('pending', 'active', 'paid', 'expired', 'replaced', 'cancelled', 'failed')),
  ADD CONSTRAINT virtual_accounts_number_known CHECK (number IS NOT NULL OR status NOT IN ('active', 'paid')),
  ADD COLUMN amount_type text NOT NULL DEFAULT 'partial' CHECK (amount_type IN ('closed', 'partial', 'open')),
  ADD COLUMN activated_at timestamptz,
  -- Everything that arrived on it, whatever became of it; kept by a trigger.
  ADD COLUMN received bigint NOT NULL DEFAULT 0 CHECK (received >= 0),
  ADD COLUMN replaces_id uuid REFERENCES virtual_accounts (id),
  ADD COLUMN closed_reason varchar(300),
  -- Asking the bank for the number: who is at it, how often it failed and why.
  ADD COLUMN attempts integer NOT NULL DEFAULT 0,
  ADD COLUMN claimed_until timestamptz,
  ADD COLUMN problem varchar(40),
  ADD COLUMN problem_detail varchar(300),
  -- What the bank has yet to be told, and when it is tried next.
  ADD COLUMN tell text CHECK (tell IN ('expire', 'cancel', 'update')),
  ADD COLUMN tell_at timestamptz,
  ADD COLUMN tell_tries integer NOT NULL DEFAULT 0,
  ADD COLUMN told_at timestamptz,
  -- When the bank is next asked what it received.
  ADD COLUMN ask_at timestamptz,
  ADD COLUMN asks integer NOT NULL DEFAULT 0,
  ADD COLUMN asked_at timestamptz,
  ADD CONSTRAINT virtual_accounts_tell CHECK ((tell IS NULL) = (tell_at IS NULL));
DROP INDEX virtual_accounts_one_active;
CREATE UNIQUE INDEX virtual_accounts_one_open ON virtual_accounts (bill_id, bank) WHERE status IN ('pending', 'active');
CREATE INDEX virtual_accounts_to_tell ON virtual_accounts (tell_at) WHERE tell_at IS NOT NULL;
CREATE INDEX virtual_accounts_to_ask ON virtual_accounts (ask_at) WHERE ask_at IS NOT NULL;
CREATE INDEX virtual_accounts_pending ON virtual_accounts (created_at) WHERE status = 'pending';
-- The list of staff: newest first, alone or within what is most often asked for.
CREATE INDEX virtual_accounts_newest ON virtual_accounts (created_at DESC, id DESC);
CREATE INDEX virtual_accounts_by_status ON virtual_accounts (status, created_at DESC, id DESC);
CREATE INDEX virtual_accounts_by_bank ON virtual_accounts (bank, status, created_at DESC, id DESC);
CREATE INDEX virtual_accounts_by_expiry ON virtual_accounts (expires_at DESC, id DESC);

UPDATE virtual_accounts v SET activated_at = v.created_at;
UPDATE virtual_accounts v SET received = p.sum
  FROM (SELECT virtual_account_id, sum(amount)::bigint AS sum FROM payments
         WHERE virtual_account_id IS NOT NULL GROUP BY 1) p
 WHERE p.virtual_account_id = v.id;
-- Payments come from reports, statements and questions to the bank: the sum is kept in one place.
CREATE FUNCTION add_to_received() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE virtual_accounts SET received = received + NEW.amount WHERE id = NEW.virtual_account_id;
  RETURN NULL;
END $$;
CREATE TRIGGER payments_received AFTER INSERT ON payments
  FOR EACH ROW WHEN (NEW.virtual_account_id IS NOT NULL) EXECUTE FUNCTION add_to_received();

-- What a report was about, found out after its bytes were stored.
ALTER TABLE bank_reports
  ADD COLUMN virtual_account_id uuid REFERENCES virtual_accounts (id),
  ADD COLUMN reference varchar(80);
CREATE INDEX bank_reports_virtual_account ON bank_reports (virtual_account_id, received_at)
  WHERE virtual_account_id IS NOT NULL;
CREATE INDEX bank_reports_reference ON bank_reports (provider, reference) WHERE reference IS NOT NULL;

-- What we asked a bank and what it answered, without secrets.
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

-- What a bank says and only a person can settle.
CREATE TABLE payment_alerts (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  kind text NOT NULL CHECK (kind IN ('reversed_by_bank', 'contradicts', 'not_reported')),
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
  CHECK ((settled_at IS NULL) = (note IS NULL))
);
CREATE UNIQUE INDEX payment_alerts_once ON payment_alerts (kind, provider, provider_reference, coalesce(amount, 0));
CREATE INDEX payment_alerts_open ON payment_alerts (raised_at DESC, id DESC) WHERE settled_at IS NULL;
CREATE INDEX payment_alerts_virtual_account ON payment_alerts (virtual_account_id);
CREATE INDEX payment_alerts_payment ON payment_alerts (payment_id);

-- Numbers of requests by SNAP: each once a day in Jakarta for a caller.
CREATE TABLE snap_external_ids (
  provider varchar(20) NOT NULL,
  day date NOT NULL,
  external_id varchar(36) NOT NULL,
  service varchar(2) NOT NULL,
  -- What the request was about; the same again is the same request repeated.
  request_id varchar(128) NOT NULL,
  received_at timestamptz NOT NULL,
  PRIMARY KEY (provider, day, external_id)
);

-- A payment the bank had taken back before it told of it waits for a person. The reasons known so far stay.
DO $$
DECLARE
  old record;
BEGIN
  SELECT conname, pg_get_constraintdef(oid) AS definition INTO old FROM pg_constraint
   WHERE conrelid = 'payments'::regclass AND contype = 'c' AND pg_get_constraintdef(oid) LIKE '%''unknown_number''%';
  EXECUTE format('ALTER TABLE payments DROP CONSTRAINT %I', old.conname);
  EXECUTE format('ALTER TABLE payments ADD CONSTRAINT %I %s', old.conname,
    replace(old.definition, '''unknown_number''::text', '''unknown_number''::text, ''reversed_by_bank''::text'));
END $$;

-- The demo bank may report another amount than it received, or later than it should.
ALTER TABLE sandbox_transactions ADD COLUMN reported_amount bigint CHECK (reported_amount > 0);
