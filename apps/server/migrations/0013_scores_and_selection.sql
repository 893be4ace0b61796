-- Raw scores and where they came from, final scores, simulated selections, and reserve lists.

-- Column mappings for files of other systems, by the name of the system.
CREATE TABLE score_profiles (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name varchar(80) NOT NULL,
  mapping jsonb NOT NULL,
  version integer NOT NULL DEFAULT 1,
  updated_at timestamptz NOT NULL,
  updated_by uuid REFERENCES accounts (id)
);
CREATE UNIQUE INDEX score_profiles_name ON score_profiles (lower(name));
CREATE INDEX score_profiles_updated_by ON score_profiles (updated_by);

-- Numbers of people in another system, learned from its files. Numbers may recur in the next wave.
CREATE TABLE score_numbers (
  profile_id uuid NOT NULL REFERENCES score_profiles (id) ON DELETE CASCADE,
  wave_id uuid NOT NULL REFERENCES waves (id) ON DELETE CASCADE,
  number varchar(60) NOT NULL,
  registration_id uuid NOT NULL REFERENCES registrations (id) ON DELETE CASCADE,
  PRIMARY KEY (profile_id, wave_id, number)
);
CREATE INDEX score_numbers_wave_id ON score_numbers (wave_id);
CREATE INDEX score_numbers_registration_id ON score_numbers (registration_id);

CREATE TABLE score_imports (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL,
  account_name text NOT NULL,
  wave_id uuid NOT NULL REFERENCES waves (id) ON DELETE RESTRICT,
  -- NULL: all sessions of the wave.
  test_session_id uuid REFERENCES test_sessions (id) ON DELETE RESTRICT,
  profile_id uuid REFERENCES score_profiles (id) ON DELETE SET NULL,
  file_id uuid REFERENCES files (id) ON DELETE SET NULL,
  file_name text NOT NULL,
  format text NOT NULL CHECK (format IN ('xlsx', 'csv')),
  bytes bigint NOT NULL,
  -- Column headings of the file, and its first rows.
  headers jsonb NOT NULL,
  samples jsonb NOT NULL,
  mapping jsonb,
  status text NOT NULL DEFAULT 'uploaded' CHECK (status IN ('uploaded', 'checked', 'done', 'undone')),
  -- Counts of rows by problem, and of scores by what writing would do.
  rows_total integer NOT NULL DEFAULT 0,
  rows_wrong integer NOT NULL DEFAULT 0,
  rows_unconfirmed integer NOT NULL DEFAULT 0,
  rows_ignored integer NOT NULL DEFAULT 0,
  scores_new integer NOT NULL DEFAULT 0,
  scores_changed integer NOT NULL DEFAULT 0,
  scores_unchanged integer NOT NULL DEFAULT 0,
  -- Scores of decided registrations.
  scores_decided integer NOT NULL DEFAULT 0,
  problems integer NOT NULL DEFAULT 0,
  -- Raised by every check, so that only the result last shown can be written.
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  written_at timestamptz,
  undone_at timestamptz,
  undone_by text,
  -- Row of the headings if there are rows above it, and rows hidden in the spreadsheet.
  findings jsonb NOT NULL DEFAULT '{"headingsRow":null,"hiddenRows":0,"hiddenFirst":[]}'
);
CREATE INDEX score_imports_created ON score_imports (created_at DESC, id);
CREATE INDEX score_imports_wave_id ON score_imports (wave_id);
CREATE INDEX score_imports_test_session_id ON score_imports (test_session_id);
CREATE INDEX score_imports_profile_id ON score_imports (profile_id);
CREATE INDEX score_imports_file_id ON score_imports (file_id);

CREATE TABLE score_import_problems (
  import_id uuid NOT NULL REFERENCES score_imports (id) ON DELETE CASCADE,
  number integer NOT NULL,
  row integer NOT NULL,
  letter text,
  header text,
  value text,
  reason_en text NOT NULL,
  reason_id text NOT NULL,
  PRIMARY KEY (import_id, number)
);

-- Rows of a file whose person is proposed by name and birth date; `registration_id` is the proposal that staff
-- confirmed.
CREATE TABLE score_import_people (
  import_id uuid NOT NULL REFERENCES score_imports (id) ON DELETE CASCADE,
  row integer NOT NULL,
  name text NOT NULL,
  birth_date date,
  candidates uuid[] NOT NULL,
  registration_id uuid REFERENCES registrations (id) ON DELETE CASCADE,
  confirmed_at timestamptz,
  confirmed_by uuid REFERENCES accounts (id),
  PRIMARY KEY (import_id, row)
);
CREATE INDEX score_import_people_registration_id ON score_import_people (registration_id);
CREATE INDEX score_import_people_confirmed_by ON score_import_people (confirmed_by);

-- Scores that a checked import writes, with the values they replace, for undoing it.
CREATE TABLE score_import_lines (
  import_id uuid NOT NULL REFERENCES score_imports (id) ON DELETE CASCADE,
  number integer NOT NULL,
  row integer NOT NULL,
  registration_id uuid NOT NULL REFERENCES registrations (id) ON DELETE CASCADE,
  test_id uuid NOT NULL REFERENCES tests (id) ON DELETE RESTRICT,
  score numeric(6, 2) NOT NULL CHECK (score >= 0),
  package varchar(40),
  parts jsonb NOT NULL,
  action text NOT NULL CHECK (action IN ('new', 'changed', 'unchanged')),
  -- Number of the person in the other system.
  person_number varchar(60),
  decided boolean NOT NULL,
  -- 0: there was no score.
  version_before integer NOT NULL,
  score_before numeric(6, 2),
  package_before varchar(40),
  parts_before jsonb,
  import_id_before uuid,
  PRIMARY KEY (import_id, number)
);
CREATE UNIQUE INDEX score_import_lines_one ON score_import_lines (import_id, registration_id, test_id);
CREATE INDEX score_import_lines_registration_id ON score_import_lines (registration_id);
CREATE INDEX score_import_lines_test_id ON score_import_lines (test_id);

-- The present raw score of a registration in a test; test_score_versions keeps every earlier one.
CREATE TABLE test_scores (
  registration_id uuid NOT NULL REFERENCES registrations (id) ON DELETE CASCADE,
  test_id uuid NOT NULL REFERENCES tests (id),
  -- NULL: waits for the second or third assessor.
  score numeric(6, 2) CHECK (score >= 0),
  recorded_by uuid REFERENCES accounts (id),
  recorded_at timestamptz NOT NULL DEFAULT now(),
  version integer NOT NULL DEFAULT 1,
  -- Test package (paket soal).
  package varchar(40),
  -- Numbers the score was made from, by name: right and wrong answers, common items, marks of assessors.
  parts jsonb NOT NULL DEFAULT '{}',
  import_id uuid REFERENCES score_imports (id) ON DELETE RESTRICT,
  -- Accounts that gave the marks, as `{"assessor1": id}`; marks from a file name none. A missing mark makes its
  -- comparison NULL, which the CHECK lets pass.
  marked_by jsonb NOT NULL DEFAULT '{}'
    CONSTRAINT test_scores_assessors_differ CHECK (marked_by ->> 'assessor1' <> marked_by ->> 'assessor2'
    AND marked_by ->> 'assessor1' <> marked_by ->> 'assessor3' AND marked_by ->> 'assessor2' <> marked_by ->> 'assessor3'),
  PRIMARY KEY (registration_id, test_id)
);
CREATE INDEX test_scores_import_id ON test_scores (import_id);
CREATE INDEX test_scores_test_id ON test_scores (test_id);

-- Numbers the versions of a score, also on from a removed one.
CREATE FUNCTION number_test_score() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT coalesce(max(version), 0) + 1 INTO NEW.version FROM test_score_versions
      WHERE registration_id = NEW.registration_id AND test_id = NEW.test_id;
  ELSIF (NEW.registration_id, NEW.test_id) <> (OLD.registration_id, OLD.test_id) THEN
    RAISE EXCEPTION 'a score stays with its registration and test' USING ERRCODE = 'check_violation';
  ELSE
    NEW.version := OLD.version
      + ((NEW.score, NEW.package, NEW.parts) IS DISTINCT FROM (OLD.score, OLD.package, OLD.parts))::int;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER test_scores_number BEFORE INSERT OR UPDATE ON test_scores
  FOR EACH ROW EXECUTE FUNCTION number_test_score();

-- Every state of every raw score; a version without score and parts is a removed score.
CREATE TABLE test_score_versions (
  registration_id uuid NOT NULL REFERENCES registrations (id) ON DELETE CASCADE,
  test_id uuid NOT NULL REFERENCES tests (id) ON DELETE RESTRICT,
  version integer NOT NULL,
  score numeric(6, 2),
  package varchar(40),
  parts jsonb NOT NULL DEFAULT '{}',
  import_id uuid,
  recorded_by uuid,
  recorded_at timestamptz NOT NULL,
  marked_by jsonb NOT NULL DEFAULT '{}',
  PRIMARY KEY (registration_id, test_id, version)
);
CREATE INDEX test_score_versions_test_id ON test_score_versions (test_id);
-- For selections: scores recorded after their score run.
CREATE INDEX test_score_versions_recorded_at ON test_score_versions (recorded_at);

-- Writes the versions. For a removed score, settings of the transaction name account and time, because the row is gone.
CREATE FUNCTION keep_test_score_versions() RETURNS trigger LANGUAGE plpgsql AS $$
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
    INSERT INTO test_score_versions (registration_id, test_id, version, recorded_by, recorded_at)
      SELECT o.registration_id, o.test_id, o.version + 1, nullif(current_setting('pmb.removed_by', true), '')::uuid,
        coalesce(nullif(current_setting('pmb.removed_at', true), '')::timestamptz, now())
      FROM old_rows o JOIN registrations r ON r.id = o.registration_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER test_scores_keep_inserted AFTER INSERT ON test_scores REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_test_score_versions();
CREATE TRIGGER test_scores_keep_updated AFTER UPDATE ON test_scores REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_test_score_versions();
CREATE TRIGGER test_scores_keep_deleted AFTER DELETE ON test_scores REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_test_score_versions();

-- Runs that compute final scores from raw ones. Publishing results pins the run behind them.
CREATE TABLE score_runs (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  wave_id uuid NOT NULL REFERENCES waves (id) ON DELETE RESTRICT,
  -- NULL: every track of the wave.
  track_id uuid REFERENCES tracks (id) ON DELETE RESTRICT,
  name varchar(120) NOT NULL,
  -- By test: the method with its numbers.
  methods jsonb NOT NULL,
  input_hash text NOT NULL,
  created_at timestamptz NOT NULL,
  created_by uuid REFERENCES accounts (id),
  pinned_at timestamptz
);
CREATE INDEX score_runs_wave_id ON score_runs (wave_id, created_at DESC);
CREATE INDEX score_runs_track_id ON score_runs (track_id);
CREATE INDEX score_runs_created_by ON score_runs (created_by);

-- A run behind published results never changes.
CREATE FUNCTION keep_pinned_score_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.pinned_at IS NOT NULL THEN
    RAISE EXCEPTION 'a pinned score run cannot change' USING ERRCODE = 'check_violation';
  END IF;
  RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;
CREATE TRIGGER score_runs_keep_pinned BEFORE UPDATE OR DELETE ON score_runs
  FOR EACH ROW EXECUTE FUNCTION keep_pinned_score_run();

CREATE TABLE final_scores (
  score_run_id uuid NOT NULL REFERENCES score_runs (id) ON DELETE CASCADE,
  registration_id uuid NOT NULL REFERENCES registrations (id) ON DELETE CASCADE,
  test_id uuid NOT NULL REFERENCES tests (id) ON DELETE RESTRICT,
  score numeric(12, 4) NOT NULL,
  PRIMARY KEY (score_run_id, registration_id, test_id)
);
CREATE INDEX final_scores_registration_id ON final_scores (registration_id);
CREATE INDEX final_scores_test_id ON final_scores (test_id);

-- The lock waits for a publication that pins the run at the same moment. Scores are deleted with their registration.
CREATE FUNCTION keep_pinned_final_scores() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  run record;
BEGIN
  FOR run IN
    SELECT pinned_at FROM score_runs WHERE id IN
      (SELECT c.score_run_id FROM touched_rows c JOIN registrations r ON r.id = c.registration_id)
    ORDER BY id FOR SHARE
  LOOP
    IF run.pinned_at IS NOT NULL THEN
      RAISE EXCEPTION 'the scores of a pinned score run cannot change' USING ERRCODE = 'check_violation';
    END IF;
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER final_scores_keep_inserted AFTER INSERT ON final_scores REFERENCING NEW TABLE AS touched_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_pinned_final_scores();
CREATE TRIGGER final_scores_keep_updated AFTER UPDATE ON final_scores REFERENCING OLD TABLE AS touched_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_pinned_final_scores();
CREATE TRIGGER final_scores_keep_deleted AFTER DELETE ON final_scores REFERENCING OLD TABLE AS touched_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_pinned_final_scores();

-- A simulated selection of a wave; adopting one writes its decisions.
CREATE TABLE selection_runs (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  wave_id uuid NOT NULL REFERENCES waves (id) ON DELETE RESTRICT,
  score_run_id uuid REFERENCES score_runs (id) ON DELETE RESTRICT,
  name varchar(120) NOT NULL,
  status text NOT NULL DEFAULT 'computing' CHECK (status IN ('computing', 'computed', 'adopting', 'adopted', 'failed')),
  rules jsonb NOT NULL,
  input_hash text,
  output_hash text,
  -- When the verifier found no fault in the output of this hash.
  verified_at timestamptz,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  created_by uuid REFERENCES accounts (id),
  adopted_at timestamptz,
  adopted_by uuid REFERENCES accounts (id),
  -- The run that this one was copied from, to try something else.
  based_on_id uuid REFERENCES selection_runs (id) ON DELETE SET NULL,
  -- Hash of the output in which the verifier found no fault.
  verified_hash text,
  -- Error code of the last computation or adoption.
  failure text,
  counts jsonb,
  -- What the verifier found, rule by rule.
  checks jsonb,
  -- When the input was read.
  computed_at timestamptz,
  CHECK (status <> 'adopted' OR (adopted_at IS NOT NULL AND verified_at IS NOT NULL)),
  CONSTRAINT selection_runs_verified_together CHECK ((verified_at IS NULL) = (verified_hash IS NULL)),
  CONSTRAINT selection_runs_verified_output CHECK (verified_hash IS NULL OR verified_hash = output_hash),
  CONSTRAINT selection_runs_adopt_verified
    CHECK (status NOT IN ('adopting', 'adopted') OR (verified_hash IS NOT NULL AND input_hash IS NOT NULL))
);
CREATE INDEX selection_runs_wave_id ON selection_runs (wave_id, created_at DESC);
CREATE INDEX selection_runs_score_run_id ON selection_runs (score_run_id);
CREATE INDEX selection_runs_created_by ON selection_runs (created_by);
CREATE INDEX selection_runs_adopted_by ON selection_runs (adopted_by);
CREATE INDEX selection_runs_based_on_id ON selection_runs (based_on_id);
-- One selection of a wave is adopted at a time.
CREATE UNIQUE INDEX selection_runs_one_adopting ON selection_runs (wave_id) WHERE status = 'adopting';

-- Columns of tables above that lead to this one.
ALTER TABLE registrations ADD CONSTRAINT registrations_selection_run_id_fkey
  FOREIGN KEY (selection_run_id) REFERENCES selection_runs (id) ON DELETE RESTRICT;
ALTER TABLE registration_steps ADD CONSTRAINT registration_steps_selection_run_id_fkey
  FOREIGN KEY (selection_run_id) REFERENCES selection_runs (id) ON DELETE RESTRICT;

-- Quotas as a run found them: programmes (without a track) and their parts by track.
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

-- Each choice of each applicant in a run: what the run knew, and the outcome.
CREATE TABLE selection_entries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  selection_run_id uuid NOT NULL REFERENCES selection_runs (id) ON DELETE CASCADE,
  registration_id uuid NOT NULL REFERENCES registrations (id) ON DELETE CASCADE,
  -- Number of the choice; 6 for a place given earlier outside the choices.
  position integer NOT NULL CHECK (position BETWEEN 1 AND 6),
  programme_id uuid NOT NULL REFERENCES study_programmes (id) ON DELETE RESTRICT,
  quota_number integer NOT NULL,
  -- Scores of the criteria, in their order.
  scores numeric(12, 4)[] NOT NULL,
  total numeric(12, 2),
  lot bigint NOT NULL,
  -- One more than the number of eligible applicants with a better place in the order of the quota.
  rank integer CHECK (rank > 0),
  outcome text NOT NULL
    CHECK (outcome IN ('placed', 'held', 'kept', 'reserve', 'full', 'earlier_choice', 'below_minimum',
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

-- Hash of the quotas and entries of a run.
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

-- A changed row ends the verification; rows of an adopted run cannot change.
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

-- A run is adopted only with the output that was verified, and never changes afterwards. Places held by hand and places
-- of earlier acceptances together fit into their programme.
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
  IF NEW.status = 'adopted' AND EXISTS (SELECT FROM selection_quotas w
      JOIN selection_quotas q ON q.selection_run_id = w.selection_run_id AND w.number = coalesce(q.parent_number, q.number)
      JOIN selection_entries e ON e.selection_run_id = q.selection_run_id AND e.quota_number = q.number
      WHERE w.selection_run_id = NEW.id AND e.outcome IN ('held', 'kept')
      GROUP BY w.number, w.places HAVING bool_or(e.outcome = 'held') AND count(*) > w.places) THEN
    RAISE EXCEPTION 'the selection holds more places by hand than a programme has' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER selection_runs_keep BEFORE UPDATE OR DELETE ON selection_runs
  FOR EACH ROW EXECUTE FUNCTION selection_runs_keep();

-- Candidates of an adopted selection who wait for a place, in the order of `rank`.
CREATE TABLE reserve_places (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  selection_run_id uuid NOT NULL REFERENCES selection_runs (id) ON DELETE RESTRICT,
  registration_id uuid NOT NULL REFERENCES registrations (id) ON DELETE CASCADE,
  programme_id uuid NOT NULL REFERENCES study_programmes (id) ON DELETE RESTRICT,
  class_programme_id uuid NOT NULL REFERENCES class_programmes (id) ON DELETE RESTRICT,
  -- NULL: the list is for all tracks, because the places of the programme are not divided.
  track_id uuid REFERENCES tracks (id) ON DELETE RESTRICT,
  rank integer NOT NULL CHECK (rank > 0),
  status text NOT NULL DEFAULT 'waiting'
    CHECK (status IN ('waiting', 'offered', 'taken', 'declined', 'expired', 'closed')),
  offered_at timestamptz,
  -- Until when the offered place waits for an answer.
  due_at timestamptz,
  ended_at timestamptz,
  version integer NOT NULL DEFAULT 1,
  -- Why staff skipped a candidate or closed the list.
  ended_reason varchar(500),
  CHECK ((status IN ('waiting', 'closed')) OR offered_at IS NOT NULL),
  CHECK (status <> 'offered' OR due_at IS NOT NULL)
);
CREATE UNIQUE INDEX reserve_places_registration
  ON reserve_places (registration_id, selection_run_id, programme_id, class_programme_id);
CREATE INDEX reserve_places_next ON reserve_places (programme_id, class_programme_id, track_id, rank)
  WHERE status = 'waiting';
CREATE INDEX reserve_places_due ON reserve_places (due_at) WHERE status = 'offered';
CREATE INDEX reserve_places_class_programme_id ON reserve_places (class_programme_id);
CREATE INDEX reserve_places_track_id ON reserve_places (track_id);
CREATE UNIQUE INDEX reserve_places_one_offer ON reserve_places (registration_id) WHERE status = 'offered';
CREATE UNIQUE INDEX reserve_places_rank
  ON reserve_places (selection_run_id, programme_id, class_programme_id, track_id, rank) NULLS NOT DISTINCT;

-- A place goes to the first candidate by rank who can take it. Capacities are per entry level, so a candidate of a full
-- entry level keeps waiting while the next one of another level gets an offer. The same holds for tracks if the places
-- were divided after the list was made.
CREATE FUNCTION reserve_places_in_order() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER reserve_places_in_order BEFORE UPDATE OF status ON reserve_places
  FOR EACH ROW WHEN (OLD.status = 'waiting' AND NEW.status = 'offered') EXECUTE FUNCTION reserve_places_in_order();

-- Places given up while a reserve list was open. Each is offered to one candidate of the list.
CREATE TABLE vacated_places (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  registration_id uuid NOT NULL REFERENCES registrations (id) ON DELETE CASCADE,
  wave_id uuid NOT NULL REFERENCES waves (id) ON DELETE RESTRICT,
  programme_id uuid NOT NULL REFERENCES study_programmes (id) ON DELETE RESTRICT,
  class_programme_id uuid NOT NULL REFERENCES class_programmes (id) ON DELETE RESTRICT,
  track_id uuid REFERENCES tracks (id) ON DELETE RESTRICT,
  vacated_at timestamptz NOT NULL,
  -- The candidate who got the offer.
  reserve_place_id uuid UNIQUE REFERENCES reserve_places (id) ON DELETE RESTRICT
);
CREATE INDEX vacated_places_open ON vacated_places (wave_id, programme_id, class_programme_id, track_id, vacated_at)
  WHERE reserve_place_id IS NULL;
CREATE INDEX vacated_places_registration_id ON vacated_places (registration_id);
CREATE INDEX vacated_places_programme_id ON vacated_places (programme_id);
CREATE INDEX vacated_places_class_programme_id ON vacated_places (class_programme_id);
CREATE INDEX vacated_places_track_id ON vacated_places (track_id);
