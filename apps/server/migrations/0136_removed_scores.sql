-- A selection asks which scores were recorded after its score run.
CREATE INDEX test_score_versions_recorded_at ON test_score_versions (recorded_at);

-- Who takes scores away names the account and the time in settings of the transaction, since the row is gone.
CREATE OR REPLACE FUNCTION keep_test_score_versions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO test_score_versions (registration_id, test_id, version, score, package, parts, marked_by, import_id, recorded_by, recorded_at)
      SELECT registration_id, test_id, version, score, package, parts, marked_by, import_id, recorded_by, recorded_at FROM new_rows;
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO test_score_versions (registration_id, test_id, version, score, package, parts, marked_by, import_id, recorded_by, recorded_at)
      SELECT n.registration_id, n.test_id, n.version, n.score, n.package, n.parts, n.marked_by, n.import_id, n.recorded_by, n.recorded_at
      FROM new_rows n JOIN old_rows o USING (registration_id, test_id) WHERE n.version > o.version;
  ELSE
    -- Nothing is kept of a registration that is deleted.
    INSERT INTO test_score_versions (registration_id, test_id, version, recorded_by, recorded_at)
      SELECT o.registration_id, o.test_id, o.version + 1, nullif(current_setting('pmb.removed_by', true), '')::uuid,
        coalesce(nullif(current_setting('pmb.removed_at', true), '')::timestamptz, now())
      FROM old_rows o JOIN registrations r ON r.id = o.registration_id;
  END IF;
  RETURN NULL;
END $$;
