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
  -- Whether identity numbers and the mother's name are answered.
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

CREATE TABLE campus_token_programmes (
  token_id uuid NOT NULL REFERENCES campus_tokens (id) ON DELETE CASCADE,
  programme_id uuid NOT NULL REFERENCES study_programmes (id) ON DELETE RESTRICT,
  PRIMARY KEY (token_id, programme_id)
);
CREATE INDEX campus_token_programmes_programme_id ON campus_token_programmes (programme_id);

-- A token reads what it was made for, and a revoked one stays revoked.
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

-- Every call with a token that exists; also with a revoked one, which is refused.
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

-- When the data of a student changed last. The time is taken at the commit, one commit after the other, and grows from one
-- to the next: whoever has read up to a time misses no transaction that was still open then.
CREATE TABLE student_changes (
  registration_id uuid PRIMARY KEY REFERENCES registrations (id) ON DELETE CASCADE,
  changed_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX student_changes_changed_at ON student_changes (changed_at);

INSERT INTO student_changes (registration_id, changed_at)
  SELECT registration_id, max(issued_at) + row_number() OVER (ORDER BY registration_id) * interval '1 microsecond'
  FROM every_student_number GROUP BY registration_id;

-- The lock is held until the end of the transaction; deferred triggers take it after every row lock, so it cannot deadlock.
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
  -- Before looking for the row: a number issued meanwhile has been committed by then.
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
