-- Places that an accepted applicant left while a reserve list was open: each is offered to one candidate of the list.
CREATE TABLE vacated_places (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  registration_id uuid NOT NULL REFERENCES registrations (id) ON DELETE CASCADE,
  wave_id uuid NOT NULL REFERENCES waves (id) ON DELETE RESTRICT,
  programme_id uuid NOT NULL REFERENCES study_programmes (id) ON DELETE RESTRICT,
  class_programme_id uuid NOT NULL REFERENCES class_programmes (id) ON DELETE RESTRICT,
  track_id uuid NOT NULL REFERENCES tracks (id) ON DELETE RESTRICT,
  vacated_at timestamptz NOT NULL,
  -- Whom the place was offered to.
  reserve_place_id uuid UNIQUE REFERENCES reserve_places (id) ON DELETE RESTRICT
);
CREATE INDEX vacated_places_open ON vacated_places (wave_id, programme_id, class_programme_id, track_id, vacated_at)
  WHERE reserve_place_id IS NULL;
CREATE INDEX vacated_places_registration_id ON vacated_places (registration_id);
CREATE INDEX vacated_places_programme_id ON vacated_places (programme_id);
CREATE INDEX vacated_places_class_programme_id ON vacated_places (class_programme_id);
CREATE INDEX vacated_places_track_id ON vacated_places (track_id);

-- Why staff skipped a candidate or closed the list.
ALTER TABLE reserve_places ADD COLUMN ended_reason varchar(500);
CREATE UNIQUE INDEX reserve_places_one_offer ON reserve_places (registration_id) WHERE status = 'offered';

-- A place goes to the first by rank who can take it. Capacities are kept by entry level, so that a candidate of a full
-- entry level keeps waiting while the next of another one is offered a place.
CREATE FUNCTION reserve_places_in_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM reserve_places p
      JOIN registrations r ON r.id = p.registration_id
      JOIN registrations n ON n.id = NEW.registration_id
      WHERE p.selection_run_id = NEW.selection_run_id AND p.programme_id = NEW.programme_id
        AND p.class_programme_id = NEW.class_programme_id AND p.track_id = NEW.track_id
        AND p.status = 'waiting' AND p.rank < NEW.rank AND r.status = 'verified'
        AND r.class_programme_id = p.class_programme_id AND r.entry_level_id = n.entry_level_id) THEN
    RAISE EXCEPTION 'a reserve place is offered in the order of the ranks' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER reserve_places_in_order BEFORE UPDATE OF status ON reserve_places
  FOR EACH ROW WHEN (OLD.status = 'waiting' AND NEW.status = 'offered') EXECUTE FUNCTION reserve_places_in_order();
