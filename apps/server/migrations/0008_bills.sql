-- Bills: what registrations owe, in whole rupiah.

CREATE TABLE bills (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  number varchar(40) NOT NULL UNIQUE,
  registration_id uuid NOT NULL REFERENCES registrations (id),
  account_id uuid NOT NULL REFERENCES accounts (id),
  kind text NOT NULL CHECK (kind IN ('registration_fee', 're_registration')),
  status text NOT NULL DEFAULT 'open'
    CHECK (status IN ('open', 'partly_paid', 'paid', 'waived', 'guaranteed', 'cancelled')),
  total bigint NOT NULL CHECK (total >= 0),
  -- Sum of allocations; re-derived by the nightly check.
  paid bigint NOT NULL DEFAULT 0 CHECK (paid >= 0 AND paid <= total),
  due_at timestamptz,
  installment_plan_id uuid REFERENCES installment_plans (id),
  issued_at timestamptz NOT NULL,
  paid_at timestamptz,
  version integer NOT NULL DEFAULT 1,
  -- When staff last reminded the applicant.
  reminded_at timestamptz,
  -- The approved promise to pay by a day; earlier promises are in approval_requests only.
  promise_id uuid,
  promised_until timestamptz,
  -- Total when the bill was issued. Lines are written once; lines added later only take off.
  issued_total bigint,
  -- When the bill stopped asking for anything: cancelled or guaranteed. What was owed on a past day follows from
  -- this, from allocations and from lines added later.
  closed_at timestamptz,
  CHECK ((promise_id IS NULL) = (promised_until IS NULL))
);
CREATE UNIQUE INDEX bills_one_of_kind ON bills (registration_id, kind) WHERE status <> 'cancelled';
CREATE INDEX bills_account ON bills (account_id, issued_at DESC);
CREATE INDEX bills_status ON bills (status, due_at);
CREATE INDEX bills_number_start ON bills (lower(number) text_pattern_ops);
CREATE INDEX bills_number_end ON bills (reverse(number) text_pattern_ops);
CREATE INDEX bills_registration ON bills (registration_id);
CREATE INDEX bills_promised ON bills (promised_until, id) WHERE promised_until IS NOT NULL;
-- The orders of the list of bills.
CREATE INDEX bills_newest ON bills (issued_at DESC, id DESC);
CREATE INDEX bills_total ON bills (total, id);
CREATE INDEX bills_due ON bills (due_at, id);
-- By kind and status, newest first: without it, a pair with few rows walks every bill.
CREATE INDEX bills_kind_status ON bills (kind, status, issued_at DESC, id DESC);
-- Bills without a date come last in both orders.
CREATE INDEX bills_due_latest ON bills (due_at DESC NULLS LAST, id DESC);

CREATE FUNCTION bills_keep_issued_total() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.issued_total := CASE TG_OP WHEN 'INSERT' THEN NEW.total ELSE OLD.issued_total END;
  RETURN NEW;
END $$;
CREATE TRIGGER bills_keep_issued_total BEFORE INSERT OR UPDATE OF issued_total ON bills
  FOR EACH ROW EXECUTE FUNCTION bills_keep_issued_total();

CREATE TABLE bill_lines (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  bill_id uuid NOT NULL REFERENCES bills (id) ON DELETE CASCADE,
  fee_component_id uuid REFERENCES fee_components (id),
  description varchar(160) NOT NULL,
  -- Discounts are negative.
  amount bigint NOT NULL,
  sort_order integer NOT NULL DEFAULT 0,
  discount_id uuid REFERENCES discounts (id),
  -- False: paid in full with the first instalment, also on a reissued bill.
  installments_allowed boolean NOT NULL DEFAULT true,
  added_later boolean NOT NULL DEFAULT false,
  -- When the line was added to a bill that was issued without it.
  added_at timestamptz,
  CHECK (NOT added_later OR (amount < 0 AND discount_id IS NULL))
);
CREATE INDEX bill_lines_bill ON bill_lines (bill_id, sort_order);
CREATE INDEX bill_lines_fee_component_id ON bill_lines (fee_component_id);
CREATE INDEX bill_lines_discount ON bill_lines (discount_id);
CREATE INDEX bill_lines_added ON bill_lines (added_at) WHERE added_at IS NOT NULL;

CREATE FUNCTION refuse_taking_lines_out() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- A line is deleted with its bill only.
  IF EXISTS (SELECT FROM bills WHERE id = OLD.bill_id) THEN RAISE EXCEPTION 'bill_lines keeps what was written'; END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER bill_lines_stay BEFORE DELETE ON bill_lines FOR EACH ROW EXECUTE FUNCTION refuse_taking_lines_out();

CREATE TRIGGER bill_lines_keep_what_was_asked BEFORE UPDATE ON bill_lines FOR EACH ROW
  WHEN (OLD IS DISTINCT FROM NEW) EXECUTE FUNCTION refuse_rewriting();

CREATE TABLE installments (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  bill_id uuid NOT NULL REFERENCES bills (id) ON DELETE CASCADE,
  position integer NOT NULL,
  -- A waiver or refund may lower an instalment to 0.
  amount bigint NOT NULL CHECK (amount >= 0),
  paid bigint NOT NULL DEFAULT 0 CHECK (paid >= 0 AND paid <= amount),
  due_at timestamptz NOT NULL,
  paid_at timestamptz,
  UNIQUE (bill_id, position)
);

-- Every discount a registration has or had. A row without a bill is kept for the bill to come.
CREATE TABLE discount_uses (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  discount_id uuid NOT NULL REFERENCES discounts (id),
  voucher_id uuid REFERENCES vouchers (id),
  school_agreement_id uuid REFERENCES school_agreements (id),
  registration_id uuid NOT NULL REFERENCES registrations (id),
  bill_id uuid REFERENCES bills (id),
  -- Whole rupiah taken off the bill.
  amount bigint CHECK (amount > 0),
  taken_at timestamptz NOT NULL,
  taken_by uuid REFERENCES accounts (id),
  released_at timestamptz,
  CHECK ((bill_id IS NULL) = (amount IS NULL))
);
CREATE UNIQUE INDEX discount_uses_once ON discount_uses (discount_id, registration_id) WHERE released_at IS NULL;
CREATE INDEX discount_uses_registration ON discount_uses (registration_id);
CREATE INDEX discount_uses_bill ON discount_uses (bill_id);
CREATE INDEX discount_uses_voucher ON discount_uses (voucher_id);
CREATE INDEX discount_uses_agreement ON discount_uses (school_agreement_id);

-- Every change of study programme, with what it did to the money. Written once.
CREATE TABLE programme_changes (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  registration_id uuid NOT NULL REFERENCES registrations (id) ON DELETE CASCADE,
  from_programme_id uuid NOT NULL REFERENCES study_programmes (id),
  to_programme_id uuid NOT NULL REFERENCES study_programmes (id),
  from_class_programme_id uuid NOT NULL REFERENCES class_programmes (id),
  to_class_programme_id uuid NOT NULL REFERENCES class_programmes (id),
  -- Status of the registration at that time.
  status text NOT NULL,
  -- Re-registration bills before and after, if there was one; the same bill if nothing of it changed.
  from_bill_id uuid REFERENCES bills (id),
  to_bill_id uuid REFERENCES bills (id),
  -- Whole rupiah of those bills, or of what would be asked.
  total_before bigint NOT NULL CHECK (total_before >= 0),
  total_after bigint NOT NULL CHECK (total_after >= 0),
  difference bigint NOT NULL GENERATED ALWAYS AS (total_after - total_before) STORED,
  -- Money already paid: moved to the new bill, or waiting because the new bill asks for less.
  moved bigint NOT NULL DEFAULT 0 CHECK (moved >= 0),
  waiting bigint NOT NULL DEFAULT 0 CHECK (waiting >= 0),
  reason varchar(500) NOT NULL,
  changed_by uuid NOT NULL REFERENCES accounts (id),
  changed_at timestamptz NOT NULL,
  CHECK (from_programme_id <> to_programme_id OR from_class_programme_id <> to_class_programme_id),
  CHECK ((from_bill_id IS NULL) = (to_bill_id IS NULL))
);
CREATE INDEX programme_changes_newest ON programme_changes (changed_at, id);
CREATE INDEX programme_changes_difference ON programme_changes (difference, id);
CREATE INDEX programme_changes_registration ON programme_changes (registration_id, changed_at);
CREATE INDEX programme_changes_from_programme ON programme_changes (from_programme_id, changed_at, id);
CREATE INDEX programme_changes_to_programme ON programme_changes (to_programme_id, changed_at, id);
CREATE INDEX programme_changes_from_bill ON programme_changes (from_bill_id);
CREATE INDEX programme_changes_to_bill ON programme_changes (to_bill_id);
