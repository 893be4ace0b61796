-- Where students are sent to. Without the row: the sandbox, without an address.
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

-- What only the ministry asks for, and what staff have checked.
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

-- How far a student got in one register: sandbox and live never share an id.
CREATE TABLE feeder_sendings (
  registration_id uuid NOT NULL REFERENCES registrations (id) ON DELETE CASCADE,
  target text NOT NULL CHECK (target IN ('demo', 'sandbox', 'live')),
  state text NOT NULL CHECK (state IN ('waiting', 'sending', 'sent', 'refused')),
  requested_at timestamptz NOT NULL,
  requested_by uuid REFERENCES accounts (id) ON DELETE SET NULL,
  -- The worker that is sending the student now; another may take over after `claimed_until`.
  claim uuid,
  claimed_until timestamptz,
  -- id_mahasiswa and id_registrasi_mahasiswa. The first without the second is half a pair, which the next attempt completes.
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

-- What a register has, a later attempt does not take back.
CREATE FUNCTION keep_feeder_sending() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.state = 'sent' AND NEW.state <> 'sent' THEN
    RAISE EXCEPTION 'student % was sent already', OLD.registration_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER feeder_sendings_keep BEFORE UPDATE ON feeder_sendings FOR EACH ROW EXECUTE FUNCTION keep_feeder_sending();

-- One row per attempt of a student.
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
CREATE UNIQUE INDEX feeder_results_arrived ON feeder_results (registration_id, target) WHERE outcome IN ('sent', 'found');

-- Answers of the register. They hold data of students and are deleted after a year; GetToken is kept without its answer.
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
