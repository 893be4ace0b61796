-- Places offered above the capacity, because some who are accepted never confirm.
ALTER TABLE programme_details ADD COLUMN over_offer integer NOT NULL DEFAULT 0 CHECK (over_offer BETWEEN 0 AND 100000);

-- The capacity of a programme divided by track. A programme without rows has one pool for every track; a track without a
-- row has no places in a divided programme. The quota of a track in track_details limits submissions, not places.
CREATE TABLE track_quotas (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  programme_detail_id uuid NOT NULL REFERENCES programme_details (id) ON DELETE CASCADE,
  track_id uuid NOT NULL REFERENCES tracks (id) ON DELETE RESTRICT,
  places integer NOT NULL CHECK (places BETWEEN 0 AND 100000),
  -- Turn at places that other tracks leave empty, smallest first; NULL: the track never exceeds its own places.
  spill_turn integer CHECK (spill_turn BETWEEN 1 AND 100),
  UNIQUE (programme_detail_id, track_id),
  UNIQUE (programme_detail_id, spill_turn) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX track_quotas_track_id ON track_quotas (track_id);

-- Tracks together never have more places than the programme. Checked at the end of the transaction under the lock of the
-- row with the capacity, so that two people who change different tracks cannot both pass.
CREATE FUNCTION refuse_quotas_above_capacity() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  detail uuid;
  whole integer;
BEGIN
  IF TG_TABLE_NAME = 'programme_details' THEN
    detail := NEW.id;
  ELSE
    detail := NEW.programme_detail_id;
  END IF;
  SELECT capacity INTO whole FROM programme_details WHERE id = detail FOR NO KEY UPDATE;
  IF (SELECT sum(places) FROM track_quotas WHERE programme_detail_id = detail) > whole THEN
    RAISE EXCEPTION 'the tracks of a programme have more places than its capacity'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'track_quotas_within_capacity';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER track_quotas_within_capacity AFTER INSERT OR UPDATE ON track_quotas
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse_quotas_above_capacity();
CREATE CONSTRAINT TRIGGER programme_details_hold_quotas AFTER UPDATE OF capacity ON programme_details
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.capacity < OLD.capacity)
  EXECUTE FUNCTION refuse_quotas_above_capacity();

-- Programmes and their tracks, as the board of quotas lists them.
CREATE VIEW quota_board AS
SELECT k.*, w.name || ' ' || w.academic_year AS wave, w.opens_at, p.name AS programme, c.name AS class_programme,
  e.name AS entry_level, t.name AS track,
  -- A programme comes before its tracks.
  lower(concat_ws(' ', p.name, c.name, e.name, w.name, w.academic_year, k.turn, t.name)) AS sort_text
FROM (
  SELECT d.id, d.id AS programme_detail_id, d.wave_id, d.programme_id, d.class_programme_id, d.entry_level_id,
    NULL::uuid AS track_id, d.capacity AS places, d.over_offer, NULL::integer AS spill_turn, 0 AS turn
  FROM programme_details d WHERE d.active
  UNION ALL
  SELECT q.id, d.id, d.wave_id, d.programme_id, d.class_programme_id, d.entry_level_id, q.track_id, q.places, NULL,
    q.spill_turn, 1
  FROM track_quotas q JOIN programme_details d ON d.id = q.programme_detail_id AND d.active
) k
JOIN waves w ON w.id = k.wave_id
JOIN study_programmes p ON p.id = k.programme_id
JOIN class_programmes c ON c.id = k.class_programme_id
JOIN entry_levels e ON e.id = k.entry_level_id
LEFT JOIN tracks t ON t.id = k.track_id;
