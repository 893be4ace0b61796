-- Mappings of the columns of other systems' files, by the name of the system.
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

-- Numbers under which another system knows a person, learned from its files; they may recur in the next wave.
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
  -- NULL: people of every session of the wave.
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
  -- Rows of the file with a problem, and scores by what would happen to them.
  rows_total integer NOT NULL DEFAULT 0,
  rows_wrong integer NOT NULL DEFAULT 0,
  rows_unconfirmed integer NOT NULL DEFAULT 0,
  rows_ignored integer NOT NULL DEFAULT 0,
  scores_new integer NOT NULL DEFAULT 0,
  scores_changed integer NOT NULL DEFAULT 0,
  scores_unchanged integer NOT NULL DEFAULT 0,
  -- Scores of people whose result is decided.
  scores_decided integer NOT NULL DEFAULT 0,
  problems integer NOT NULL DEFAULT 0,
  -- Raised by every check, so that only what was last shown is written.
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  written_at timestamptz,
  undone_at timestamptz,
  undone_by text
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

-- Rows of a file whose person is proposed by name and birth date; `registration_id` is the one a person confirmed.
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

-- A score without a value waits for the second assessor, or for the third.
ALTER TABLE test_scores
  ALTER COLUMN score DROP NOT NULL,
  ADD COLUMN version integer NOT NULL DEFAULT 1,
  -- Test package (paket soal).
  ADD COLUMN package varchar(40),
  -- Numbers by name that the score came from: right and wrong answers, common items, marks of assessors.
  ADD COLUMN parts jsonb NOT NULL DEFAULT '{}',
  ADD COLUMN import_id uuid REFERENCES score_imports (id) ON DELETE RESTRICT;
CREATE INDEX test_scores_import_id ON test_scores (import_id);
CREATE INDEX test_scores_test_id ON test_scores (test_id);

-- Scores that a checked import would write, with the values they replace, to take them back.
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

-- Every state a raw score has had; a version without a score and parts is a score taken away.
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
  PRIMARY KEY (registration_id, test_id, version)
);
CREATE INDEX test_score_versions_test_id ON test_score_versions (test_id);
INSERT INTO test_score_versions (registration_id, test_id, version, score, recorded_by, recorded_at)
  SELECT registration_id, test_id, version, score, recorded_by, recorded_at FROM test_scores;

-- Numbers the versions of a score: on from the last one, also after it was taken away.
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

-- Keeps every version of a score, whoever writes it.
CREATE FUNCTION keep_test_score_versions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO test_score_versions (registration_id, test_id, version, score, package, parts, import_id, recorded_by, recorded_at)
      SELECT registration_id, test_id, version, score, package, parts, import_id, recorded_by, recorded_at FROM new_rows;
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO test_score_versions (registration_id, test_id, version, score, package, parts, import_id, recorded_by, recorded_at)
      SELECT n.registration_id, n.test_id, n.version, n.score, n.package, n.parts, n.import_id, n.recorded_by, n.recorded_at
      FROM new_rows n JOIN old_rows o USING (registration_id, test_id) WHERE n.version > o.version;
  ELSE
    -- Nothing is kept of a registration that is deleted.
    INSERT INTO test_score_versions (registration_id, test_id, version, recorded_at)
      SELECT o.registration_id, o.test_id, o.version + 1, now()
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
