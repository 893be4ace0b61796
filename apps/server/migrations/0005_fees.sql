-- Fees, instalments, donations, discounts and refund policies, in whole rupiah. Rules that must hold under parallel
-- writes are triggers.

CREATE TABLE fee_components (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  code varchar(20) NOT NULL,
  name varchar(120) NOT NULL,
  recurrence text NOT NULL DEFAULT 'once' CHECK (recurrence IN ('once', 'per_semester', 'monthly', 'incidental')),
  refundable boolean NOT NULL DEFAULT false,
  allocation_priority integer NOT NULL DEFAULT 100 CHECK (allocation_priority BETWEEN 1 AND 999),
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid
);
CREATE UNIQUE INDEX fee_components_code_key ON fee_components (lower(code) text_pattern_ops);

CREATE TABLE tuition_fees (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  programme_id uuid NOT NULL REFERENCES study_programmes (id) ON DELETE RESTRICT,
  wave_id uuid NOT NULL REFERENCES waves (id) ON DELETE RESTRICT,
  class_programme_id uuid NOT NULL REFERENCES class_programmes (id) ON DELETE RESTRICT,
  track_id uuid REFERENCES tracks (id) ON DELETE RESTRICT,
  fee_component_id uuid NOT NULL REFERENCES fee_components (id) ON DELETE RESTRICT,
  amount bigint NOT NULL CHECK (amount >= 0),
  installments_allowed boolean NOT NULL DEFAULT true,
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid
);
CREATE INDEX tuition_fees_programme_id ON tuition_fees (programme_id);
CREATE INDEX tuition_fees_wave_id ON tuition_fees (wave_id);
CREATE INDEX tuition_fees_class_programme_id ON tuition_fees (class_programme_id);
CREATE INDEX tuition_fees_track_id ON tuition_fees (track_id);
CREATE INDEX tuition_fees_fee_component_id ON tuition_fees (fee_component_id);
CREATE UNIQUE INDEX tuition_fees_one
  ON tuition_fees (programme_id, wave_id, class_programme_id, track_id, fee_component_id) NULLS NOT DISTINCT;

CREATE TABLE registration_fees (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  wave_id uuid NOT NULL REFERENCES waves (id) ON DELETE RESTRICT,
  track_id uuid REFERENCES tracks (id) ON DELETE RESTRICT,
  entry_level_id uuid REFERENCES entry_levels (id) ON DELETE RESTRICT,
  class_programme_id uuid REFERENCES class_programmes (id) ON DELETE RESTRICT,
  amount bigint NOT NULL CHECK (amount >= 0),
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid
);
CREATE INDEX registration_fees_wave_id ON registration_fees (wave_id);
CREATE INDEX registration_fees_track_id ON registration_fees (track_id);
CREATE INDEX registration_fees_entry_level_id ON registration_fees (entry_level_id);
CREATE INDEX registration_fees_class_programme_id ON registration_fees (class_programme_id);
CREATE UNIQUE INDEX registration_fees_one
  ON registration_fees (wave_id, track_id, entry_level_id, class_programme_id) NULLS NOT DISTINCT;

-- Two fees for exactly the same applicants would leave the amount to chance. The index above refuses the second fee;
-- this trigger names the first. The lock on the wave makes the later of two simultaneous writers see the earlier fee.
CREATE FUNCTION registration_fees_refuse_tie() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  other text;
BEGIN
  PERFORM 1 FROM waves WHERE id = NEW.wave_id FOR NO KEY UPDATE;
  SELECT concat_ws(' · ', w.name, t.name, e.name, c.name) || ': Rp ' || translate(to_char(f.amount, 'FM999,999,999,999,999'), ',', '.')
    INTO other
    FROM registration_fees f
    JOIN waves w ON w.id = f.wave_id
    LEFT JOIN tracks t ON t.id = f.track_id
    LEFT JOIN entry_levels e ON e.id = f.entry_level_id
    LEFT JOIN class_programmes c ON c.id = f.class_programme_id
   WHERE f.id <> NEW.id AND f.wave_id = NEW.wave_id
     AND f.track_id IS NOT DISTINCT FROM NEW.track_id
     AND f.entry_level_id IS NOT DISTINCT FROM NEW.entry_level_id
     AND f.class_programme_id IS NOT DISTINCT FROM NEW.class_programme_id;
  IF FOUND THEN
    RAISE EXCEPTION 'Another registration fee speaks of the same applicants'
      USING ERRCODE = 'unique_violation', TABLE = 'registration_fees', CONSTRAINT = 'registration_fees_tie', DETAIL = other;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER registration_fees_tie BEFORE INSERT OR UPDATE OF wave_id, track_id, entry_level_id, class_programme_id
  ON registration_fees FOR EACH ROW EXECUTE FUNCTION registration_fees_refuse_tie();

CREATE TABLE installment_plans (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  code varchar(20) NOT NULL,
  name varchar(120) NOT NULL,
  wave_id uuid REFERENCES waves (id) ON DELETE RESTRICT,
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid
);
CREATE UNIQUE INDEX installment_plans_code_key ON installment_plans (lower(code) text_pattern_ops);
CREATE INDEX installment_plans_wave_id ON installment_plans (wave_id);

CREATE TABLE installment_terms (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  plan_id uuid NOT NULL REFERENCES installment_plans (id) ON DELETE RESTRICT,
  sort_order integer NOT NULL DEFAULT 1 CHECK (sort_order BETWEEN 1 AND 60),
  share_bps integer CHECK (share_bps BETWEEN 1 AND 10000),
  amount bigint CHECK (amount >= 1),
  due_date date,
  due_days integer CHECK (due_days BETWEEN 0 AND 3650),
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid,
  CHECK (num_nonnulls(share_bps, amount) = 1),
  CHECK (num_nonnulls(due_date, due_days) = 1)
);
CREATE INDEX installment_terms_plan_id ON installment_terms (plan_id);
CREATE UNIQUE INDEX installment_terms_one ON installment_terms (plan_id, sort_order);

-- Shares of a plan are entered one after the other, so a sum below the whole is allowed; a sum above it never is.
CREATE FUNCTION installment_terms_check_shares() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- The lock makes two terms entered at the same moment count one after the other.
  PERFORM 1 FROM installment_plans WHERE id = NEW.plan_id FOR NO KEY UPDATE;
  IF (SELECT sum(share_bps) FROM installment_terms WHERE plan_id = NEW.plan_id) > 10000 THEN
    RAISE EXCEPTION 'The shares of a plan add up to more than the whole'
      USING ERRCODE = 'check_violation', TABLE = 'installment_terms', CONSTRAINT = 'installment_terms_shares';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER installment_terms_shares AFTER INSERT OR UPDATE OF share_bps, plan_id ON installment_terms
  FOR EACH ROW EXECUTE FUNCTION installment_terms_check_shares();

CREATE TABLE donations (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  wave_id uuid NOT NULL REFERENCES waves (id) ON DELETE RESTRICT,
  track_id uuid REFERENCES tracks (id) ON DELETE RESTRICT,
  programme_id uuid REFERENCES study_programmes (id) ON DELETE RESTRICT,
  required boolean NOT NULL DEFAULT false,
  minimum_amount bigint NOT NULL CHECK (minimum_amount >= 0),
  suggested_amounts bigint[],
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid,
  CONSTRAINT donations_suggested CHECK (suggested_amounts IS NULL OR minimum_amount <= ALL (suggested_amounts))
);
CREATE INDEX donations_wave_id ON donations (wave_id);
CREATE INDEX donations_track_id ON donations (track_id);
CREATE INDEX donations_programme_id ON donations (programme_id);
CREATE UNIQUE INDEX donations_one ON donations (wave_id, track_id, programme_id) NULLS NOT DISTINCT;

CREATE TABLE discounts (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  code varchar(20) NOT NULL,
  name varchar(120) NOT NULL,
  kind text NOT NULL DEFAULT 'percent' CHECK (kind IN ('percent', 'fixed')),
  value numeric(12, 2) NOT NULL CHECK (value BETWEEN 0 AND 1000000000)
    CONSTRAINT discounts_above_nothing CHECK (value > 0),
  applies_to text NOT NULL DEFAULT 'fee_component' CHECK (applies_to IN ('registration_fee', 'fee_component')),
  fee_component_id uuid REFERENCES fee_components (id) ON DELETE RESTRICT,
  condition text NOT NULL DEFAULT 'manual'
    CHECK (condition IN ('manual', 'early', 'school_agreement', 'sibling', 'voucher')),
  valid_from date,
  valid_to date,
  max_uses integer CHECK (max_uses BETWEEN 1 AND 1000000),
  stackable boolean NOT NULL DEFAULT false,
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid,
  -- How often the discount was given. Raised by guarded updates, so that the last use goes to one applicant only.
  uses integer NOT NULL DEFAULT 0 CHECK (uses >= 0),
  CHECK (valid_from <= valid_to),
  CONSTRAINT discounts_percent CHECK (kind <> 'percent' OR value <= 100),
  CONSTRAINT discounts_whole_rupiah CHECK (kind <> 'fixed' OR value = trunc(value)),
  CONSTRAINT discounts_component CHECK (applies_to = 'fee_component' OR fee_component_id IS NULL)
);
CREATE UNIQUE INDEX discounts_code_key ON discounts (lower(code) text_pattern_ops);
CREATE INDEX discounts_fee_component_id ON discounts (fee_component_id);

CREATE TABLE vouchers (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  discount_id uuid NOT NULL REFERENCES discounts (id) ON DELETE RESTRICT,
  code varchar(20) NOT NULL,
  affiliate_id uuid,
  valid_to date,
  max_uses integer CHECK (max_uses BETWEEN 1 AND 1000000),
  uses integer NOT NULL DEFAULT 0 CHECK (uses >= 0),
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid
);
CREATE UNIQUE INDEX vouchers_code_key ON vouchers (lower(code) text_pattern_ops);
CREATE INDEX vouchers_discount_id ON vouchers (discount_id);
CREATE INDEX vouchers_affiliate_id ON vouchers (affiliate_id);

CREATE TABLE school_agreements (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  school_id uuid NOT NULL REFERENCES schools (id) ON DELETE RESTRICT,
  number varchar(60) NOT NULL,
  title varchar(200) NOT NULL,
  valid_from date,
  valid_to date NOT NULL,
  discount_id uuid REFERENCES discounts (id) ON DELETE RESTRICT,
  quota integer CHECK (quota BETWEEN 1 AND 100000),
  contact varchar(200),
  document_file_id uuid REFERENCES files (id) ON DELETE RESTRICT,
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid,
  uses integer NOT NULL DEFAULT 0 CHECK (uses >= 0),
  -- Where information for the school goes; `contact` is the name of a person.
  contact_phone varchar(20),
  contact_email varchar(254),
  CHECK (valid_from <= valid_to)
);
CREATE INDEX school_agreements_school_id ON school_agreements (school_id);
CREATE UNIQUE INDEX school_agreements_number_key ON school_agreements (lower(number) text_pattern_ops);
CREATE INDEX school_agreements_discount_id ON school_agreements (discount_id);
CREATE INDEX school_agreements_document_file_id ON school_agreements (document_file_id);

-- Share given back to applicants who give up their place: the row with the nearest last day still to come counts.
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

-- Admission years copied from another year, with the rows written, so that a copy can be undone while nothing uses
-- them. The browser chooses the id, so that a request sent twice writes once.
CREATE TABLE admission_year_copies (
  id uuid PRIMARY KEY,
  source_year varchar(9) NOT NULL,
  academic_year varchar(9) NOT NULL,
  counts jsonb NOT NULL,
  -- Ids of the new rows by table, in the order in which they were written.
  rows jsonb NOT NULL,
  created_by uuid NOT NULL REFERENCES accounts (id) ON DELETE RESTRICT,
  created_at timestamptz NOT NULL,
  undone_by uuid REFERENCES accounts (id) ON DELETE RESTRICT,
  undone_at timestamptz
);
CREATE INDEX admission_year_copies_created_at ON admission_year_copies (created_at DESC);
CREATE INDEX admission_year_copies_created_by ON admission_year_copies (created_by);
CREATE INDEX admission_year_copies_undone_by ON admission_year_copies (undone_by);
