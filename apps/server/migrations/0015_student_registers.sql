-- Students as other systems get them: the campus system reads them, the ministry's register (PDDikti, by its Feeder) is
-- sent them.

-- Columns of the CSV for the campus system: `[{"field": "npm", "heading": "NIM"}, …]`, in the order of the file.
CREATE TABLE campus_mapping (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  columns jsonb NOT NULL CHECK (jsonb_typeof(columns) = 'array' AND jsonb_array_length(columns) > 0),
  version integer NOT NULL DEFAULT 1,
  updated_at timestamptz NOT NULL,
  updated_by uuid NOT NULL REFERENCES accounts (id)
);
CREATE INDEX campus_mapping_updated_by ON campus_mapping (updated_by);

-- Tokens with which the campus system reads students. Only the SHA-256 of a token is stored.
CREATE TABLE campus_tokens (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name varchar(80) NOT NULL,
  token_hash bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
  -- Whether answers hold identity numbers and the mother's name.
  with_identity boolean NOT NULL,
  -- False: only students of the programmes in campus_token_programmes.
  every_programme boolean NOT NULL,
  created_at timestamptz NOT NULL,
  created_by uuid NOT NULL REFERENCES accounts (id),
  last_used_at timestamptz,
  revoked_at timestamptz,
  revoked_by uuid REFERENCES accounts (id),
  revoked_reason varchar(500) CHECK (length(revoked_reason) >= 3),
  CHECK ((revoked_at IS NULL) = (revoked_by IS NULL) AND (revoked_at IS NULL) = (revoked_reason IS NULL))
);
-- Tokens in use have different names.
CREATE UNIQUE INDEX campus_tokens_name ON campus_tokens (lower(name)) WHERE revoked_at IS NULL;
CREATE INDEX campus_tokens_created_by ON campus_tokens (created_by);
CREATE INDEX campus_tokens_revoked_by ON campus_tokens (revoked_by);

-- What a token may read never changes, and a revoked token stays revoked.
CREATE FUNCTION campus_tokens_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (to_jsonb(NEW) - ARRAY['last_used_at', 'revoked_at', 'revoked_by', 'revoked_reason'])
      IS DISTINCT FROM (to_jsonb(OLD) - ARRAY['last_used_at', 'revoked_at', 'revoked_by', 'revoked_reason'])
    OR (OLD.revoked_at IS NOT NULL AND (NEW.revoked_at, NEW.revoked_by, NEW.revoked_reason)
      IS DISTINCT FROM (OLD.revoked_at, OLD.revoked_by, OLD.revoked_reason)) THEN
    RAISE EXCEPTION 'a token of the campus system does not change' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER campus_tokens_stay BEFORE UPDATE ON campus_tokens FOR EACH ROW EXECUTE FUNCTION campus_tokens_stay();

CREATE TABLE campus_token_programmes (
  token_id uuid NOT NULL REFERENCES campus_tokens (id) ON DELETE CASCADE,
  programme_id uuid NOT NULL REFERENCES study_programmes (id) ON DELETE RESTRICT,
  PRIMARY KEY (token_id, programme_id)
);
CREATE INDEX campus_token_programmes_programme_id ON campus_token_programmes (programme_id);

-- Every call with a known token, including refused calls with a revoked one.
CREATE TABLE campus_calls (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  token_id uuid NOT NULL REFERENCES campus_tokens (id) ON DELETE CASCADE,
  at timestamptz NOT NULL,
  ip text NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('answered', 'revoked')),
  changed_since timestamptz,
  students integer NOT NULL CHECK (students >= 0)
);
CREATE INDEX campus_calls_token_id ON campus_calls (token_id, id DESC);
CREATE INDEX campus_calls_at ON campus_calls (at);

-- Time of the last change of a student's data. It is taken at the commit, one commit after the other, and grows from
-- commit to commit: a reader that has read up to a time misses no transaction that was open then.
CREATE TABLE student_changes (
  registration_id uuid PRIMARY KEY REFERENCES registrations (id) ON DELETE CASCADE,
  changed_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX student_changes_changed_at ON student_changes (changed_at);

-- The lock is held until the end of the transaction; deferred triggers take it after every row lock, so it cannot
-- deadlock.
CREATE FUNCTION next_student_change() RETURNS timestamptz LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('student changes'));
  RETURN greatest(clock_timestamp(), (SELECT max(changed_at) FROM student_changes) + interval '1 microsecond');
END $$;

CREATE FUNCTION note_student_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  person uuid;
  moment timestamptz;
  noted uuid;
BEGIN
  IF TG_TABLE_NAME = 'students' THEN
    moment := next_student_change();
    INSERT INTO student_changes (registration_id, changed_at)
      VALUES (coalesce(NEW.registration_id, OLD.registration_id), moment)
      ON CONFLICT (registration_id) DO UPDATE SET changed_at = excluded.changed_at;
    RETURN NULL;
  END IF;
  IF TG_TABLE_NAME = 'accounts' THEN
    person := NEW.id;
  ELSE
    person := NEW.account_id;
  END IF;
  IF NOT EXISTS (SELECT FROM registrations WHERE account_id = person AND (confirmed_at IS NOT NULL OR enrolled_at IS NOT NULL)) THEN
    RETURN NULL;
  END IF;
  -- Takes the lock before looking for the row: a number issued meanwhile has been committed by then.
  moment := next_student_change();
  FOR noted IN
    SELECT c.registration_id FROM registrations r JOIN student_changes c ON c.registration_id = r.id
    WHERE r.account_id = person
  LOOP
    UPDATE student_changes SET changed_at = next_student_change() WHERE registration_id = noted;
  END LOOP;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER students_note_change AFTER INSERT OR UPDATE OR DELETE ON students
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_student_change();
CREATE CONSTRAINT TRIGGER registrations_note_change AFTER UPDATE ON registrations
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.status, OLD.accepted_programme_id, OLD.class_programme_id, OLD.wave_id, OLD.track_id)
    IS DISTINCT FROM (NEW.status, NEW.accepted_programme_id, NEW.class_programme_id, NEW.wave_id, NEW.track_id)
    AND (OLD.enrolled_at IS NOT NULL OR NEW.enrolled_at IS NOT NULL))
  EXECUTE FUNCTION note_student_change();
CREATE CONSTRAINT TRIGGER applicants_note_change AFTER UPDATE ON applicants
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.full_name, OLD.birth_place, OLD.birth_date, OLD.gender, OLD.nik, OLD.nisn, OLD.citizenship, OLD.religion_id,
      OLD.phone, OLD.mother_name, OLD.address, OLD.postal_code)
    IS DISTINCT FROM (NEW.full_name, NEW.birth_place, NEW.birth_date, NEW.gender, NEW.nik, NEW.nisn, NEW.citizenship,
      NEW.religion_id, NEW.phone, NEW.mother_name, NEW.address, NEW.postal_code))
  EXECUTE FUNCTION note_student_change();
CREATE CONSTRAINT TRIGGER accounts_note_change AFTER UPDATE ON accounts
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((OLD.email, OLD.phone) IS DISTINCT FROM (NEW.email, NEW.phone))
  EXECUTE FUNCTION note_student_change();

-- Data that the ministry's register wants beyond the profile, one row per confirmed place. Codes are those of the
-- register; names of parents and guardian are in the profile.
CREATE TABLE enrolment_data (
  registration_id uuid PRIMARY KEY REFERENCES registrations (id) ON DELETE CASCADE,
  home_phone varchar(20),
  hamlet varchar(60),
  tax_number varchar(16) CHECK (tax_number ~ '^[0-9]{15,16}$'),
  residence text CHECK (residence IN ('1', '2', '3', '4', '5', '99')),
  transport text CHECK (transport IN ('1', '2', '3', '4', '5', '6', '7', '8', '11', '12', '13', '14', '99')),
  kps_recipient boolean NOT NULL,
  kps_number varchar(80),
  financing text CHECK (financing IN ('1', '2', '3')),
  father_nik varchar(16) CHECK (father_nik ~ '^[0-9]{16}$'),
  father_birth_date date,
  father_education text,
  father_occupation text,
  father_income text,
  mother_nik varchar(16) CHECK (mother_nik ~ '^[0-9]{16}$'),
  mother_birth_date date,
  mother_education text,
  mother_occupation text,
  mother_income text,
  guardian_birth_date date,
  guardian_education text,
  guardian_occupation text,
  guardian_income text,
  previous_university varchar(150),
  previous_programme varchar(150),
  recognised_credits integer CHECK (recognised_credits BETWEEN 0 AND 999),
  version integer NOT NULL DEFAULT 1,
  updated_at timestamptz NOT NULL,
  -- A card number without a card, or a card without its number, cannot be reported.
  CHECK (kps_recipient = (kps_number IS NOT NULL)),
  CHECK (father_education ~ '^[0-9]{1,2}$' AND mother_education ~ '^[0-9]{1,2}$' AND guardian_education ~ '^[0-9]{1,2}$'),
  CHECK (father_occupation ~ '^[0-9]{1,2}$' AND mother_occupation ~ '^[0-9]{1,2}$' AND guardian_occupation ~ '^[0-9]{1,2}$'),
  CHECK (father_income ~ '^1[1-6]$' AND mother_income ~ '^1[1-6]$' AND guardian_income ~ '^1[1-6]$')
);

-- Regions of the ministry's register, whose codes differ from the official ones.
CREATE TABLE feeder_regions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  code varchar(8) NOT NULL,
  name varchar(100) NOT NULL,
  region_code varchar(8),
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid
);
CREATE UNIQUE INDEX feeder_regions_code_key ON feeder_regions (lower(code) text_pattern_ops);
CREATE UNIQUE INDEX feeder_regions_region_code_key ON feeder_regions (lower(region_code));

-- The register that students are sent to. Without the row: the sandbox, without an address.
CREATE TABLE feeder_connection (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  target text NOT NULL CHECK (target IN ('demo', 'sandbox', 'live')),
  -- Encrypted, as the keys of banks are.
  address_sealed text,
  username varchar(100),
  password_sealed text,
  password_set_at timestamptz,
  checked_at timestamptz,
  university varchar(200),
  -- `sign_in` stops sending until the settings are saved or a test of the connection succeeds.
  problem text CHECK (problem IN ('unavailable', 'refused', 'sign_in')),
  problem_detail varchar(300),
  problem_at timestamptz,
  version integer NOT NULL DEFAULT 1,
  updated_at timestamptz NOT NULL,
  updated_by uuid REFERENCES accounts (id) ON DELETE SET NULL,
  CHECK ((problem IS NULL) = (problem_at IS NULL)),
  CHECK ((password_sealed IS NULL) = (password_set_at IS NULL))
);

-- Data that only the ministry asks for, and data that staff have checked.
CREATE TABLE feeder_corrections (
  registration_id uuid PRIMARY KEY REFERENCES registrations (id) ON DELETE CASCADE,
  previous_university_id uuid,
  previous_programme_id uuid,
  special_needs_code integer CHECK (special_needs_code BETWEEN 0 AND 99999999),
  -- The NIK that staff found on the identity card although it contradicts birth date or gender.
  checked_nik varchar(16) CHECK (checked_nik ~ '^[0-9]{16}$'),
  version integer NOT NULL DEFAULT 1,
  updated_at timestamptz NOT NULL
);

-- Progress of a student in one register; sandbox and live never share an id.
CREATE TABLE feeder_sendings (
  registration_id uuid NOT NULL REFERENCES registrations (id) ON DELETE CASCADE,
  target text NOT NULL CHECK (target IN ('demo', 'sandbox', 'live')),
  state text NOT NULL CHECK (state IN ('waiting', 'sending', 'sent', 'refused')),
  requested_at timestamptz NOT NULL,
  requested_by uuid REFERENCES accounts (id) ON DELETE SET NULL,
  -- The worker that is sending the student; another takes over after `claimed_until`.
  claim uuid,
  claimed_until timestamptz,
  -- id_mahasiswa and id_registrasi_mahasiswa. The first without the second is half a pair, which the next attempt
  -- completes.
  feeder_student_id uuid,
  feeder_registration_id uuid,
  sent_npm varchar(30),
  sent_at timestamptz,
  refused_at timestamptz,
  reason text,
  detail varchar(500),
  PRIMARY KEY (registration_id, target),
  UNIQUE (target, feeder_registration_id),
  CHECK ((state = 'sending') = (claim IS NOT NULL)),
  CHECK ((claim IS NULL) = (claimed_until IS NULL)),
  CHECK ((state = 'sent') = (sent_at IS NOT NULL)),
  CHECK (state <> 'sent' OR (feeder_student_id IS NOT NULL AND feeder_registration_id IS NOT NULL AND sent_npm IS NOT NULL)),
  CHECK ((state = 'refused') = (refused_at IS NOT NULL)),
  CHECK ((state = 'refused') = (reason IS NOT NULL))
);
CREATE INDEX feeder_sendings_open ON feeder_sendings (target, requested_at) WHERE state IN ('waiting', 'sending');

-- A sent student stays sent, whatever a later attempt does.
CREATE FUNCTION keep_feeder_sending() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.state = 'sent' AND NEW.state <> 'sent' THEN
    RAISE EXCEPTION 'student % was sent already', OLD.registration_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER feeder_sendings_keep BEFORE UPDATE ON feeder_sendings FOR EACH ROW EXECUTE FUNCTION keep_feeder_sending();

-- One row per attempt.
CREATE TABLE feeder_results (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  registration_id uuid NOT NULL REFERENCES registrations (id) ON DELETE CASCADE,
  target text NOT NULL CHECK (target IN ('demo', 'sandbox', 'live')),
  npm varchar(30),
  outcome text NOT NULL CHECK (outcome IN ('sent', 'found', 'refused', 'contradicts', 'incomplete', 'unavailable')),
  act varchar(60),
  error_code integer,
  detail varchar(500),
  at timestamptz NOT NULL,
  requested_by uuid REFERENCES accounts (id) ON DELETE SET NULL
);
CREATE INDEX feeder_results_at ON feeder_results (at DESC, id DESC);
CREATE INDEX feeder_results_registration_id ON feeder_results (registration_id, at DESC);
-- A student arrives in a register once.
CREATE UNIQUE INDEX feeder_results_arrived ON feeder_results (registration_id, target)
  WHERE outcome IN ('sent', 'found');

-- Answers of the register. They hold data of students and are deleted after a year; GetToken is kept without its
-- answer.
CREATE TABLE feeder_answers (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  registration_id uuid REFERENCES registrations (id) ON DELETE CASCADE,
  target text NOT NULL,
  act varchar(60) NOT NULL,
  error_code integer,
  answer text,
  error varchar(300),
  at timestamptz NOT NULL,
  took_ms integer NOT NULL
);
CREATE INDEX feeder_answers_registration_id ON feeder_answers (registration_id, id DESC);
CREATE INDEX feeder_answers_at ON feeder_answers (at);

-- Books of the built-in register of a demo installation.
CREATE TABLE feeder_demo_students (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  record jsonb NOT NULL
);

CREATE TABLE feeder_demo_registrations (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  student_id uuid NOT NULL REFERENCES feeder_demo_students (id) ON DELETE CASCADE,
  npm varchar(24) NOT NULL UNIQUE,
  record jsonb NOT NULL
);
CREATE INDEX feeder_demo_registrations_student_id ON feeder_demo_registrations (student_id);
