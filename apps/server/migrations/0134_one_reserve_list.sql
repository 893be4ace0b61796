-- A programme whose places are not divided by track has one reserve list: NULL stands for every track.
ALTER TABLE reserve_places ALTER COLUMN track_id DROP NOT NULL;
ALTER TABLE vacated_places ALTER COLUMN track_id DROP NOT NULL;
DROP INDEX reserve_places_rank;
CREATE UNIQUE INDEX reserve_places_rank
  ON reserve_places (selection_run_id, programme_id, class_programme_id, track_id, rank) NULLS NOT DISTINCT;

UPDATE reserve_places p SET track_id = NULL
  FROM selection_entries e
  JOIN selection_quotas q ON q.selection_run_id = e.selection_run_id AND q.number = e.quota_number
  WHERE e.selection_run_id = p.selection_run_id AND e.registration_id = p.registration_id
    AND e.programme_id = p.programme_id AND e.outcome = 'reserve' AND q.track_id IS NULL;
UPDATE vacated_places v SET track_id = NULL
  WHERE v.reserve_place_id IS NULL AND EXISTS (SELECT FROM reserve_places p
    JOIN selection_runs s ON s.id = p.selection_run_id AND s.wave_id = v.wave_id
    WHERE p.programme_id = v.programme_id AND p.class_programme_id = v.class_programme_id AND p.track_id IS NULL)
  AND NOT EXISTS (SELECT FROM reserve_places p
    JOIN selection_runs s ON s.id = p.selection_run_id AND s.wave_id = v.wave_id
    WHERE p.programme_id = v.programme_id AND p.class_programme_id = v.class_programme_id AND p.track_id = v.track_id
      AND p.status = 'waiting');

-- A place goes to the first by rank who can take it. Capacities are kept by entry level, so that a candidate of a full
-- entry level keeps waiting while the next of another one is offered a place; so are those of tracks, if the places were
-- divided after the list was made.
CREATE OR REPLACE FUNCTION reserve_places_in_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM reserve_places p
      JOIN registrations r ON r.id = p.registration_id
      JOIN registrations n ON n.id = NEW.registration_id
      WHERE p.selection_run_id = NEW.selection_run_id AND p.programme_id = NEW.programme_id
        AND p.class_programme_id = NEW.class_programme_id AND p.track_id IS NOT DISTINCT FROM NEW.track_id
        AND p.status = 'waiting' AND p.rank < NEW.rank AND r.status = 'verified'
        AND r.class_programme_id = p.class_programme_id AND r.entry_level_id = n.entry_level_id
        AND (r.track_id = n.track_id OR NOT EXISTS (SELECT FROM track_quotas k
          JOIN programme_details d ON d.id = k.programme_detail_id
          WHERE d.wave_id = r.wave_id AND d.programme_id = p.programme_id
            AND d.class_programme_id = p.class_programme_id AND d.entry_level_id = r.entry_level_id))) THEN
    RAISE EXCEPTION 'a reserve place is offered in the order of the ranks' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
