ALTER TABLE selection_runs
  DROP CONSTRAINT selection_runs_status_check,
  ADD CONSTRAINT selection_runs_status_check
    CHECK (status IN ('computing', 'computed', 'adopting', 'adopted', 'failed')),
  -- The run that this one was copied from, to try something else.
  ADD COLUMN based_on_id uuid REFERENCES selection_runs (id) ON DELETE SET NULL,
  -- Hash of the output in which the verifier found no fault.
  ADD COLUMN verified_hash text,
  -- Error code of the last computation or adoption.
  ADD COLUMN failure text,
  ADD COLUMN counts jsonb,
  -- What the verifier found, rule by rule.
  ADD COLUMN checks jsonb,
  ADD CONSTRAINT selection_runs_verified_together CHECK ((verified_at IS NULL) = (verified_hash IS NULL)),
  ADD CONSTRAINT selection_runs_verified_output CHECK (verified_hash IS NULL OR verified_hash = output_hash),
  ADD CONSTRAINT selection_runs_adopt_verified
    CHECK (status NOT IN ('adopting', 'adopted') OR (verified_hash IS NOT NULL AND input_hash IS NOT NULL));
CREATE INDEX selection_runs_based_on_id ON selection_runs (based_on_id);

-- Quotas as a run found them: programmes without a track, and their parts.
CREATE TABLE selection_quotas (
  selection_run_id uuid NOT NULL REFERENCES selection_runs (id) ON DELETE CASCADE,
  number integer NOT NULL,
  parent_number integer,
  programme_detail_id uuid NOT NULL REFERENCES programme_details (id) ON DELETE RESTRICT,
  programme_id uuid NOT NULL REFERENCES study_programmes (id) ON DELETE RESTRICT,
  class_programme_id uuid NOT NULL REFERENCES class_programmes (id) ON DELETE RESTRICT,
  entry_level_id uuid NOT NULL REFERENCES entry_levels (id) ON DELETE RESTRICT,
  track_id uuid REFERENCES tracks (id) ON DELETE RESTRICT,
  -- With the over-offer, for a programme.
  places integer NOT NULL CHECK (places >= 0),
  spill_turn integer,
  ties text NOT NULL CHECK (ties IN ('all', 'none', 'next', 'lot')),
  passing_grade numeric(12, 2),
  -- How many got a place, how many more would have taken one, and the total and rank of the last admitted.
  placed integer NOT NULL DEFAULT 0,
  waiting integer NOT NULL DEFAULT 0,
  last_total numeric(12, 2),
  last_rank integer,
  PRIMARY KEY (selection_run_id, number),
  UNIQUE NULLS NOT DISTINCT (selection_run_id, programme_detail_id, track_id),
  CHECK ((track_id IS NULL) = (parent_number IS NULL))
);
CREATE INDEX selection_quotas_programme_detail_id ON selection_quotas (programme_detail_id);
CREATE INDEX selection_quotas_programme_id ON selection_quotas (programme_id);
CREATE INDEX selection_quotas_class_programme_id ON selection_quotas (class_programme_id);
CREATE INDEX selection_quotas_entry_level_id ON selection_quotas (entry_level_id);
CREATE INDEX selection_quotas_track_id ON selection_quotas (track_id);

-- Each choice of each applicant of a run: what the run knew of it, and what became of it.
CREATE TABLE selection_entries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  selection_run_id uuid NOT NULL REFERENCES selection_runs (id) ON DELETE CASCADE,
  registration_id uuid NOT NULL REFERENCES registrations (id) ON DELETE CASCADE,
  -- Number of the choice; 6 for a place outside of the choices that was given before.
  position integer NOT NULL CHECK (position BETWEEN 1 AND 6),
  programme_id uuid NOT NULL REFERENCES study_programmes (id) ON DELETE RESTRICT,
  quota_number integer NOT NULL,
  -- Scores of the criteria, in their order.
  scores numeric(12, 4)[] NOT NULL,
  total numeric(12, 2),
  lot bigint NOT NULL,
  -- One more than the number of eligible applicants with a better place in the order of the quota.
  rank integer CHECK (rank > 0),
  outcome text NOT NULL CHECK (outcome IN ('placed', 'held', 'kept', 'reserve', 'full', 'earlier_choice', 'below_minimum',
    'no_score', 'blocked', 'excluded')),
  reserve_rank integer CHECK (reserve_rank > 0),
  UNIQUE (selection_run_id, registration_id, position),
  FOREIGN KEY (selection_run_id, quota_number) REFERENCES selection_quotas (selection_run_id, number) ON DELETE CASCADE,
  CHECK ((outcome = 'reserve') = (reserve_rank IS NOT NULL))
);
CREATE UNIQUE INDEX selection_entries_one_place ON selection_entries (selection_run_id, registration_id)
  WHERE outcome IN ('placed', 'held', 'kept');
CREATE INDEX selection_entries_quota ON selection_entries (selection_run_id, quota_number, rank);
CREATE INDEX selection_entries_registration_id ON selection_entries (registration_id);
CREATE INDEX selection_entries_programme_id ON selection_entries (programme_id);

-- Hash of what a run decided.
CREATE FUNCTION selection_output_hash(run uuid) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT encode(sha256(convert_to(concat(
    (SELECT string_agg(concat_ws('|', q.number, q.programme_detail_id, coalesce(q.track_id::text, '-'), q.places,
        coalesce(q.spill_turn, 0), q.ties, coalesce(q.passing_grade, -1)), E'\n' ORDER BY q.number)
      FROM selection_quotas q WHERE q.selection_run_id = run), E'\n',
    (SELECT string_agg(concat_ws('|', e.registration_id, e.position, e.programme_id, e.quota_number, e.scores::text,
        coalesce(e.total, -1), e.lot, coalesce(e.rank, 0), e.outcome, coalesce(e.reserve_rank, 0)),
        E'\n' ORDER BY e.registration_id, e.position)
      FROM selection_entries e WHERE e.selection_run_id = run)), 'UTF8')), 'hex')
$$;

-- A changed row takes the verification away; rows of an adopted run cannot change.
CREATE FUNCTION selection_rows_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM selection_runs WHERE status IN ('adopting', 'adopted')
      AND id IN (SELECT selection_run_id FROM changed_rows)) THEN
    RAISE EXCEPTION 'the rows of an adopted selection cannot change' USING ERRCODE = 'check_violation';
  END IF;
  UPDATE selection_runs SET verified_at = NULL, verified_hash = NULL
    WHERE verified_hash IS NOT NULL AND id IN (SELECT selection_run_id FROM changed_rows);
  RETURN NULL;
END $$;
CREATE TRIGGER selection_entries_inserted AFTER INSERT ON selection_entries REFERENCING NEW TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION selection_rows_changed();
CREATE TRIGGER selection_entries_updated AFTER UPDATE ON selection_entries REFERENCING OLD TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION selection_rows_changed();
CREATE TRIGGER selection_entries_deleted AFTER DELETE ON selection_entries REFERENCING OLD TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION selection_rows_changed();
CREATE TRIGGER selection_quotas_inserted AFTER INSERT ON selection_quotas REFERENCING NEW TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION selection_rows_changed();
CREATE TRIGGER selection_quotas_updated AFTER UPDATE ON selection_quotas REFERENCING OLD TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION selection_rows_changed();
CREATE TRIGGER selection_quotas_deleted AFTER DELETE ON selection_quotas REFERENCING OLD TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION selection_rows_changed();

-- A run is adopted only with the output that was verified, and never changes afterwards.
CREATE FUNCTION selection_runs_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.status = 'adopted' THEN
    RAISE EXCEPTION 'an adopted selection cannot change' USING ERRCODE = 'check_violation';
  END IF;
  IF TG_OP = 'DELETE' THEN
    RETURN OLD;
  END IF;
  IF NEW.status = 'adopted' AND NEW.verified_hash IS DISTINCT FROM selection_output_hash(NEW.id) THEN
    RAISE EXCEPTION 'the output of the selection is not the one that was verified' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER selection_runs_keep BEFORE UPDATE OR DELETE ON selection_runs
  FOR EACH ROW EXECUTE FUNCTION selection_runs_keep();
