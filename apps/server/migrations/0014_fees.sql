-- Rules of money that only the database can keep under parallel writes, and the years made from other years.

-- NOT VALID: rows saved before these rules existed stay as they are until somebody edits them.
ALTER TABLE discounts ADD CONSTRAINT discounts_percent CHECK (kind <> 'percent' OR value <= 100) NOT VALID;
ALTER TABLE discounts ADD CONSTRAINT discounts_whole_rupiah CHECK (kind <> 'fixed' OR value = trunc(value)) NOT VALID;
ALTER TABLE discounts ADD CONSTRAINT discounts_above_nothing CHECK (value > 0) NOT VALID;
ALTER TABLE discounts ADD CONSTRAINT discounts_component
  CHECK (applies_to = 'fee_component' OR fee_component_id IS NULL) NOT VALID;
ALTER TABLE donations ADD CONSTRAINT donations_suggested
  CHECK (suggested_amounts IS NULL OR minimum_amount <= ALL (suggested_amounts)) NOT VALID;

-- Two fees that speak of exactly the same applicants would leave the amount to chance. The index refuses the second; this
-- names the first. The wave's row is locked so that of two entered at the same moment the later sees the earlier.
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

-- A year made from another: what was written, so that it can be taken back while nothing uses it. The id is chosen by
-- whoever asks, so that asking twice writes once.
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
