-- How often a discount was given, kept by guarded updates so that the last one goes to one applicant only.
ALTER TABLE discounts ADD COLUMN uses integer NOT NULL DEFAULT 0 CHECK (uses >= 0);
ALTER TABLE school_agreements ADD COLUMN uses integer NOT NULL DEFAULT 0 CHECK (uses >= 0);

CREATE TABLE vouchers (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  discount_id uuid NOT NULL REFERENCES discounts (id) ON DELETE RESTRICT,
  code varchar(20) NOT NULL,
  affiliate_id uuid REFERENCES affiliates (id) ON DELETE RESTRICT,
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

-- One row for each time a registration has, or had, a discount. Without a bill it is kept for the bill to come.
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

ALTER TABLE bill_lines ADD COLUMN discount_id uuid REFERENCES discounts (id);
CREATE INDEX bill_lines_discount ON bill_lines (discount_id);
