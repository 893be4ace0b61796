-- A wave and track are published again for the decisions made since: each publication has a number, without gaps.
ALTER TABLE result_publications
  ADD COLUMN number smallint NOT NULL DEFAULT 1 CHECK (number > 0),
  ADD COLUMN previous smallint GENERATED ALWAYS AS (nullif(number - 1, 0)::smallint) STORED,
  DROP CONSTRAINT result_publications_pkey,
  ADD PRIMARY KEY (wave_id, track_id, number),
  ADD CONSTRAINT result_publications_in_turn FOREIGN KEY (wave_id, track_id, previous)
    REFERENCES result_publications (wave_id, track_id, number);

ALTER TABLE registrations
  -- The decision becomes public with the publication after this one; null: with the first.
  ADD COLUMN published_after smallint,
  -- Decisions in the audit log are hidden from this time on until that publication; null: all of them are.
  ADD COLUMN hidden_since timestamptz,
  ADD CONSTRAINT registrations_published_after FOREIGN KEY (wave_id, track_id, published_after)
    REFERENCES result_publications (wave_id, track_id, number),
  ADD CONSTRAINT registrations_hidden_since CHECK ((published_after IS NULL) = (hidden_since IS NULL));
CREATE INDEX registrations_published_after ON registrations (wave_id, track_id, published_after)
  WHERE published_after IS NOT NULL;

-- The public refusal of a registration whose decision was replaced since: the applicant sees it until the new decision is
-- public.
CREATE TABLE shown_refusals (
  registration_id uuid PRIMARY KEY REFERENCES registrations (id) ON DELETE CASCADE,
  reason varchar(500),
  decided_by uuid REFERENCES accounts (id),
  decided_at timestamptz NOT NULL,
  publish_at timestamptz NOT NULL
);
CREATE INDEX shown_refusals_decided_by ON shown_refusals (decided_by);

-- Publications follow each other in time, and a publication that decisions or another publication come after does not move.
CREATE FUNCTION result_publications_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM result_publications p WHERE p.wave_id = NEW.wave_id AND p.track_id = NEW.track_id
      AND p.number = NEW.number - 1 AND p.publish_at > NEW.publish_at) THEN
    RAISE EXCEPTION 'a publication comes before the one it follows' USING ERRCODE = 'check_violation';
  END IF;
  IF TG_OP = 'UPDATE' AND NEW.publish_at <> OLD.publish_at AND (
      EXISTS (SELECT FROM result_publications p WHERE p.wave_id = NEW.wave_id AND p.track_id = NEW.track_id
        AND p.previous = NEW.number)
      OR EXISTS (SELECT FROM registrations r WHERE r.wave_id = NEW.wave_id AND r.track_id = NEW.track_id
        AND r.published_after = NEW.number)) THEN
    RAISE EXCEPTION 'decisions were made after this publication' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER result_publications_keep BEFORE INSERT OR UPDATE ON result_publications
  FOR EACH ROW EXECUTE FUNCTION result_publications_keep();
