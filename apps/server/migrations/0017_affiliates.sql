-- Affiliates, the registrations they brought, and their commission.

CREATE TABLE affiliates (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  code varchar(20) NOT NULL,
  name varchar(120) NOT NULL CHECK (name !~ '[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]'),
  kind text NOT NULL DEFAULT 'alumni' CHECK (kind IN ('alumni', 'teacher', 'student', 'partner', 'staff')),
  phone varchar(20) NOT NULL CHECK (phone ~ '^\+[1-9][0-9]{7,14}$'),
  email varchar(254),
  bank_name varchar(60),
  bank_account varchar(30),
  bank_holder varchar(100),
  photo_file_id uuid REFERENCES files (id) ON DELETE RESTRICT,
  biography varchar(2000),
  public boolean NOT NULL DEFAULT false,
  account_id uuid REFERENCES accounts (id) ON DELETE RESTRICT,
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid,
  -- Last part of the address of the public page; without it the page has the code.
  slug varchar(60) CHECK (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  -- When the affiliate agreed that the public page shows how many people they brought.
  counted_since timestamptz
);
CREATE UNIQUE INDEX affiliates_code_key ON affiliates (lower(code) text_pattern_ops);
CREATE INDEX affiliates_photo_file_id ON affiliates (photo_file_id);
CREATE UNIQUE INDEX affiliates_account_id ON affiliates (account_id);
CREATE INDEX affiliates_email ON affiliates (lower(email)) WHERE email IS NOT NULL;
CREATE UNIQUE INDEX affiliates_slug_key ON affiliates (slug);
CREATE INDEX affiliates_shown ON affiliates (lower(name)) WHERE public AND active;
CREATE INDEX affiliates_name_start ON affiliates (search_key(name) text_pattern_ops);
CREATE INDEX affiliates_name_search ON affiliates USING gin (search_key(name) gin_trgm_ops);

-- Columns of tables above that lead to this one.
ALTER TABLE vouchers ADD CONSTRAINT vouchers_affiliate_id_fkey
  FOREIGN KEY (affiliate_id) REFERENCES affiliates (id) ON DELETE RESTRICT;

-- Study programmes that an affiliate can tell people about.
CREATE TABLE affiliate_programmes (
  affiliate_id uuid NOT NULL REFERENCES affiliates (id) ON DELETE CASCADE,
  programme_id uuid NOT NULL REFERENCES study_programmes (id) ON DELETE CASCADE,
  PRIMARY KEY (affiliate_id, programme_id)
);
CREATE INDEX affiliate_programmes_programme ON affiliate_programmes (programme_id);

-- Requests of accounts to become an affiliate; staff decide each once.
CREATE TABLE affiliate_applications (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL REFERENCES accounts (id),
  name varchar(120) NOT NULL,
  kind text NOT NULL CHECK (kind IN ('alumni', 'teacher', 'student', 'partner', 'staff')),
  phone varchar(20) NOT NULL,
  reason varchar(1000) NOT NULL,
  biography varchar(2000),
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'refused')),
  affiliate_id uuid REFERENCES affiliates (id),
  created_at timestamptz NOT NULL,
  decided_at timestamptz,
  decided_by uuid REFERENCES accounts (id),
  note varchar(500),
  CHECK ((status = 'pending') = (decided_at IS NULL)),
  CHECK ((decided_at IS NULL) = (decided_by IS NULL)),
  CHECK ((status = 'approved') = (affiliate_id IS NOT NULL)),
  -- Nobody approves their own request.
  CHECK (decided_by <> account_id)
);
CREATE UNIQUE INDEX affiliate_applications_pending ON affiliate_applications (account_id) WHERE status = 'pending';
CREATE INDEX affiliate_applications_account ON affiliate_applications (account_id);
CREATE INDEX affiliate_applications_status ON affiliate_applications (status, created_at DESC, id);
CREATE INDEX affiliate_applications_affiliate ON affiliate_applications (affiliate_id);

-- Visits by the link or voucher of an affiliate, on a device that has no account yet. The device is a random number
-- that the browser made; networks are stored as a hash that is only good for comparing.
CREATE TABLE affiliate_touches (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  affiliate_id uuid NOT NULL REFERENCES affiliates (id),
  device uuid NOT NULL,
  source text NOT NULL CHECK (source IN ('link', 'voucher')),
  -- Day by UTC: one device counts once a day for an affiliate.
  day date NOT NULL,
  at timestamptz NOT NULL,
  network bytea,
  -- The account opened within 30 days on the device; touches that lost keep it too.
  account_id uuid REFERENCES accounts (id) ON DELETE SET NULL,
  outcome text CHECK (outcome IN ('won', 'lost')),
  UNIQUE (device, affiliate_id, day),
  CHECK (account_id IS NULL OR outcome IS NOT NULL)
);
CREATE INDEX affiliate_touches_affiliate ON affiliate_touches (affiliate_id, at DESC);
CREATE INDEX affiliate_touches_account ON affiliate_touches (account_id);
CREATE INDEX affiliate_touches_network ON affiliate_touches (network, at);
CREATE INDEX affiliate_touches_open ON affiliate_touches (at) WHERE outcome IS NULL;
-- One touch wins an account.
CREATE UNIQUE INDEX affiliate_touches_won ON affiliate_touches (account_id) WHERE outcome = 'won';

-- The affiliate who brought a registration: decided when its first commission is computed, and final from then on.
CREATE TABLE referrals (
  registration_id uuid PRIMARY KEY REFERENCES registrations (id),
  affiliate_id uuid NOT NULL REFERENCES affiliates (id),
  -- A voucher of the affiliate, or the code with which the account was opened.
  source text NOT NULL CHECK (source IN ('voucher', 'code')),
  decided_at timestamptz NOT NULL,
  UNIQUE (registration_id, affiliate_id)
);
CREATE INDEX referrals_affiliate ON referrals (affiliate_id, decided_at DESC);

-- What a step earns. A change is a new version, in force once a second person has approved it; the version in force
-- when the step was taken counts.
CREATE TABLE commission_rules (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- The rule of one affiliate precedes that of the kind.
  affiliate_id uuid REFERENCES affiliates (id),
  kind text CHECK (kind IN ('alumni', 'teacher', 'student', 'partner', 'staff')),
  stage text NOT NULL CHECK (stage IN ('submitted', 'paid', 'enrolled')),
  version integer NOT NULL CHECK (version > 0),
  -- Whole rupiah, or hundredths of a percent of the money paid by then; both NULL: the step earns nothing.
  amount bigint CHECK (amount BETWEEN 1 AND 1000000000),
  share_bps integer CHECK (share_bps BETWEEN 1 AND 10000),
  -- Whether closing the registration takes everything back, or only refunds take back their share.
  on_close text NOT NULL DEFAULT 'refunds' CHECK (on_close IN ('all', 'refunds')),
  reason varchar(500) NOT NULL,
  created_at timestamptz NOT NULL,
  created_by uuid REFERENCES accounts (id),
  approved_at timestamptz CHECK (approved_at >= created_at),
  approved_by uuid REFERENCES accounts (id),
  refused_at timestamptz,
  CHECK ((affiliate_id IS NULL) <> (kind IS NULL)),
  CHECK (amount IS NULL OR share_bps IS NULL),
  -- Nothing has been paid when the form is sent.
  CHECK (stage <> 'submitted' OR share_bps IS NULL),
  CHECK (approved_at IS NULL OR refused_at IS NULL),
  CHECK (approved_by <> created_by)
);
CREATE UNIQUE INDEX commission_rules_affiliate_version ON commission_rules (affiliate_id, stage, version)
  WHERE affiliate_id IS NOT NULL;
CREATE UNIQUE INDEX commission_rules_kind_version ON commission_rules (kind, stage, version) WHERE kind IS NOT NULL;
CREATE UNIQUE INDEX commission_rules_pending_affiliate ON commission_rules (affiliate_id, stage)
  WHERE affiliate_id IS NOT NULL AND approved_at IS NULL AND refused_at IS NULL;
CREATE UNIQUE INDEX commission_rules_pending_kind ON commission_rules (kind, stage)
  WHERE kind IS NOT NULL AND approved_at IS NULL AND refused_at IS NULL;

CREATE FUNCTION commission_rules_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.approved_at IS NULL AND OLD.refused_at IS NULL
    AND (to_jsonb(NEW) - '{approved_at,approved_by,refused_at}'::text[])
      = (to_jsonb(OLD) - '{approved_at,approved_by,refused_at}'::text[]) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'a rule of commission is changed by a new version' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER commission_rules_stay BEFORE UPDATE OR DELETE ON commission_rules
  FOR EACH ROW EXECUTE FUNCTION commission_rules_stay();

CREATE TABLE payout_runs (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  number varchar(40) NOT NULL UNIQUE,
  status text NOT NULL DEFAULT 'frozen' CHECK (status IN ('frozen', 'approved', 'paid', 'cancelled')),
  -- Hundredths of a percent withheld as income tax when the run was made.
  tax_bps integer NOT NULL CHECK (tax_bps BETWEEN 0 AND 5000),
  note varchar(500),
  created_at timestamptz NOT NULL,
  created_by uuid NOT NULL REFERENCES accounts (id),
  approved_at timestamptz,
  approved_by uuid REFERENCES accounts (id),
  paid_at timestamptz,
  paid_by uuid REFERENCES accounts (id),
  paid_reference varchar(80),
  cancelled_at timestamptz,
  cancelled_by uuid REFERENCES accounts (id),
  -- Two accounts: the maker of a run does not approve it.
  CHECK (approved_by <> created_by),
  CHECK ((approved_at IS NULL) = (approved_by IS NULL)),
  CHECK ((paid_at IS NULL) = (paid_by IS NULL)),
  CHECK ((cancelled_at IS NULL) = (cancelled_by IS NULL)),
  CHECK ((status IN ('approved', 'paid')) = (approved_at IS NOT NULL)),
  CHECK ((status = 'paid') = (paid_at IS NOT NULL)),
  CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL))
);
CREATE INDEX payout_runs_newest ON payout_runs (created_at DESC, id DESC);

CREATE TABLE payout_lines (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  run_id uuid NOT NULL REFERENCES payout_runs (id),
  affiliate_id uuid NOT NULL REFERENCES affiliates (id),
  status text NOT NULL DEFAULT 'frozen' CHECK (status IN ('frozen', 'approved', 'cancelled', 'returned')),
  -- Whole rupiah of commission, and the part withheld as tax.
  amount bigint NOT NULL CHECK (amount > 0),
  tax bigint NOT NULL CHECK (tax >= 0 AND tax < amount),
  bank varchar(60) NOT NULL,
  account_number varchar(30) NOT NULL,
  account_holder varchar(100) NOT NULL,
  UNIQUE (run_id, affiliate_id)
);
CREATE INDEX payout_lines_affiliate ON payout_lines (affiliate_id);
-- Money that waits for approval in one run cannot be in another.
CREATE UNIQUE INDEX payout_lines_one_frozen ON payout_lines (affiliate_id) WHERE status = 'frozen';

CREATE FUNCTION payout_lines_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND (to_jsonb(NEW) - 'status') = (to_jsonb(OLD) - 'status')
    AND (OLD.status, NEW.status) IN (('frozen', 'approved'), ('frozen', 'cancelled'), ('approved', 'returned')) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'a line of a payout keeps its amount and its account' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER payout_lines_stay BEFORE UPDATE OR DELETE ON payout_lines
  FOR EACH ROW EXECUTE FUNCTION payout_lines_stay();

-- Ledger of commission, append-only: the balance of an affiliate is the sum of the rows, and a correction is a row.
CREATE TABLE commission_entries (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- Order in which the rows were written; rows of one transaction have the same time.
  seq bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  affiliate_id uuid NOT NULL REFERENCES affiliates (id),
  -- NULL for payouts.
  registration_id uuid,
  stage text NOT NULL CHECK (stage IN ('submitted', 'paid', 'enrolled', 'none')),
  kind text NOT NULL CHECK (kind IN ('earned', 'clawback', 'adjustment', 'paid')),
  -- Whole rupiah; taken back and paid out are negative.
  amount bigint NOT NULL CHECK (amount <> 0),
  rule_id uuid REFERENCES commission_rules (id),
  -- Whole rupiah the referred person had paid for the step when it earned.
  base bigint CHECK (base >= 0),
  -- A step of the registration, a payment, a refund, a hold, a line of a payout, or an earlier entry.
  cause text NOT NULL CHECK (cause IN ('step', 'payment', 'refund', 'hold', 'payout', 'entry')),
  cause_id text NOT NULL,
  created_at timestamptz NOT NULL,
  created_by uuid REFERENCES accounts (id),
  note varchar(500),
  FOREIGN KEY (registration_id, affiliate_id) REFERENCES referrals (registration_id, affiliate_id),
  UNIQUE (cause, cause_id, affiliate_id, stage, kind),
  CHECK (kind <> 'earned' OR (amount > 0 AND rule_id IS NOT NULL AND base IS NOT NULL)),
  CHECK (kind NOT IN ('clawback', 'paid') OR amount < 0),
  CHECK ((stage = 'none') = (registration_id IS NULL)),
  CHECK ((kind IN ('earned', 'clawback')) <= (registration_id IS NOT NULL)),
  CHECK ((kind = 'paid') <= (cause = 'payout'))
);
CREATE INDEX commission_entries_affiliate ON commission_entries (affiliate_id, created_at DESC, id DESC);
CREATE INDEX commission_entries_registration ON commission_entries (registration_id);
CREATE INDEX commission_entries_newest ON commission_entries (created_at DESC, id DESC);
CREATE INDEX commission_entries_rule ON commission_entries (rule_id);

CREATE TRIGGER commission_entries_append_only BEFORE UPDATE OR DELETE ON commission_entries
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER commission_entries_never_emptied BEFORE TRUNCATE ON commission_entries EXECUTE FUNCTION refuse_change();

-- Reasons to check a registration before its commission is paid out. Entries are written all the same; their money
-- waits until staff release the hold or take the commission back.
CREATE TABLE commission_holds (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  affiliate_id uuid NOT NULL,
  registration_id uuid NOT NULL,
  reason text NOT NULL
    CHECK (reason IN ('own_account', 'same_phone', 'same_bank_account', 'same_device', 'same_address', 'burst')),
  created_at timestamptz NOT NULL,
  decision text CHECK (decision IN ('release', 'take_back')),
  decided_at timestamptz,
  decided_by uuid REFERENCES accounts (id),
  note varchar(500),
  FOREIGN KEY (registration_id, affiliate_id) REFERENCES referrals (registration_id, affiliate_id),
  UNIQUE (registration_id, affiliate_id, reason),
  CHECK ((decision IS NULL) = (decided_at IS NULL)),
  CHECK ((decided_at IS NULL) = (decided_by IS NULL))
);
CREATE INDEX commission_holds_open ON commission_holds (created_at DESC, id DESC) WHERE decision IS NULL;
CREATE INDEX commission_holds_affiliate ON commission_holds (affiliate_id);

-- Balance of each affiliate, and the parts of it that cannot be paid out now.
CREATE VIEW commission_balances AS
SELECT f.id AS affiliate_id, e.balance, h.held, l.frozen
FROM affiliates f
CROSS JOIN LATERAL (SELECT coalesce(sum(amount), 0)::bigint AS balance FROM commission_entries WHERE affiliate_id = f.id) e
CROSS JOIN LATERAL (
  SELECT coalesce(sum(greatest(held.amount, 0)), 0)::bigint AS held FROM (
    SELECT sum(c.amount) AS amount FROM commission_entries c
    WHERE c.affiliate_id = f.id AND c.registration_id IN (SELECT o.registration_id FROM commission_holds o
      WHERE o.affiliate_id = f.id AND o.decision IS NULL)
    GROUP BY c.registration_id) held) h
CROSS JOIN LATERAL (
  SELECT coalesce(sum(amount), 0)::bigint AS frozen FROM payout_lines WHERE affiliate_id = f.id AND status = 'frozen') l;

-- Registrations whose commission has to be computed again, written in the transaction that changed them. Without a
-- unique key: two transactions that change the same registration do not wait for each other here.
CREATE TABLE commission_due (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  registration_id uuid NOT NULL REFERENCES registrations (id)
);
CREATE INDEX commission_due_registration ON commission_due (registration_id);

-- Notes a registration that came through an affiliate.
CREATE FUNCTION note_commission(registration uuid) RETURNS void LANGUAGE sql AS $$
  INSERT INTO commission_due (registration_id)
  SELECT r.id FROM registrations r WHERE r.id = registration AND (r.referral_code IS NOT NULL
    OR EXISTS (SELECT FROM referrals f WHERE f.registration_id = r.id)
    OR EXISTS (SELECT FROM discount_uses u JOIN vouchers v ON v.id = u.voucher_id
      WHERE u.registration_id = r.id AND v.affiliate_id IS NOT NULL));
$$;

CREATE FUNCTION note_commission_of_registration() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_commission(NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER registrations_commission AFTER UPDATE OF status ON registrations
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION note_commission_of_registration();

-- Notes the registrations whose bills have, or had, money of the payment.
CREATE FUNCTION note_commission_of_payment() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  payment uuid := CASE WHEN TG_TABLE_NAME = 'payments' THEN NEW.id ELSE (to_jsonb(NEW) ->> 'payment_id')::uuid END;
BEGIN
  PERFORM note_commission(b.registration_id) FROM bills b
    WHERE b.id IN (SELECT a.bill_id FROM allocations a WHERE a.payment_id = payment);
  RETURN NULL;
END $$;
CREATE TRIGGER allocations_commission AFTER INSERT ON allocations
  FOR EACH ROW EXECUTE FUNCTION note_commission_of_payment();
CREATE TRIGGER refunds_commission AFTER INSERT ON refunds
  FOR EACH ROW EXECUTE FUNCTION note_commission_of_payment();
CREATE TRIGGER payments_commission AFTER UPDATE OF status ON payments
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status AND NEW.status = 'reversed') EXECUTE FUNCTION note_commission_of_payment();
