-- Whether applicants may sign up and apply. Without a row the university has never opened.
CREATE TABLE registration_opening (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  opened_at timestamptz NOT NULL,
  -- Empty where the university was open before this table existed, and in a demo.
  opened_by uuid REFERENCES accounts (id) ON DELETE RESTRICT,
  closed_at timestamptz,
  closed_by uuid REFERENCES accounts (id) ON DELETE RESTRICT,
  closed_reason varchar(500),
  CHECK (num_nulls(closed_at, closed_by, closed_reason) IN (0, 3))
);
CREATE INDEX registration_opening_opened_by ON registration_opening (opened_by);
CREATE INDEX registration_opening_closed_by ON registration_opening (closed_by);

-- A university that has applicants has been open until now.
INSERT INTO registration_opening (opened_at)
  SELECT now() WHERE EXISTS (SELECT FROM applicants) OR EXISTS (SELECT FROM registrations);

-- Advisable lines of the checklist that the university does without.
CREATE TABLE opening_waivers (
  line varchar(40) PRIMARY KEY,
  reason varchar(500) NOT NULL,
  waived_at timestamptz NOT NULL,
  waived_by uuid NOT NULL REFERENCES accounts (id) ON DELETE RESTRICT
);
CREATE INDEX opening_waivers_waived_by ON opening_waivers (waived_by);
