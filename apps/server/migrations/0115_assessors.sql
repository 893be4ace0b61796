-- Accounts by the mark of an assessed score that each gave, as `{"assessor1": id}`; a mark of a file is of nobody.
ALTER TABLE test_scores
  ADD COLUMN marked_by jsonb NOT NULL DEFAULT '{}',
  -- A missing mark makes its comparison NULL, which a check lets pass.
  ADD CONSTRAINT test_scores_assessors_differ CHECK (marked_by ->> 'assessor1' <> marked_by ->> 'assessor2'
    AND marked_by ->> 'assessor1' <> marked_by ->> 'assessor3' AND marked_by ->> 'assessor2' <> marked_by ->> 'assessor3');
ALTER TABLE test_score_versions ADD COLUMN marked_by jsonb NOT NULL DEFAULT '{}';

CREATE OR REPLACE FUNCTION keep_test_score_versions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO test_score_versions
        (registration_id, test_id, version, score, package, parts, marked_by, import_id, recorded_by, recorded_at)
      SELECT registration_id, test_id, version, score, package, parts, marked_by, import_id, recorded_by, recorded_at
      FROM new_rows;
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO test_score_versions
        (registration_id, test_id, version, score, package, parts, marked_by, import_id, recorded_by, recorded_at)
      SELECT n.registration_id, n.test_id, n.version, n.score, n.package, n.parts, n.marked_by, n.import_id, n.recorded_by,
        n.recorded_at
      FROM new_rows n JOIN old_rows o USING (registration_id, test_id) WHERE n.version > o.version;
  ELSE
    -- Nothing is kept of a registration that is deleted.
    INSERT INTO test_score_versions (registration_id, test_id, version, recorded_at)
      SELECT o.registration_id, o.test_id, o.version + 1, now()
      FROM old_rows o JOIN registrations r ON r.id = o.registration_id;
  END IF;
  RETURN NULL;
END $$;
