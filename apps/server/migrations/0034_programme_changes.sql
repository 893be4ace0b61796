-- Every change of study programme, with what it did to the money. Written once.
CREATE TABLE programme_changes (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  registration_id uuid NOT NULL REFERENCES registrations (id) ON DELETE CASCADE,
  from_programme_id uuid NOT NULL REFERENCES study_programmes (id),
  to_programme_id uuid NOT NULL REFERENCES study_programmes (id),
  from_class_programme_id uuid NOT NULL REFERENCES class_programmes (id),
  to_class_programme_id uuid NOT NULL REFERENCES class_programmes (id),
  -- Where the registration stood.
  status text NOT NULL,
  -- The re-registration bills, where there was one; the same where nothing of it changed.
  from_bill_id uuid REFERENCES bills (id),
  to_bill_id uuid REFERENCES bills (id),
  -- Whole rupiah of those bills, or of what would be asked.
  total_before bigint NOT NULL CHECK (total_before >= 0),
  total_after bigint NOT NULL CHECK (total_after >= 0),
  difference bigint NOT NULL GENERATED ALWAYS AS (total_after - total_before) STORED,
  -- What had been paid: moved to the new bill, or too much for it and waiting.
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
