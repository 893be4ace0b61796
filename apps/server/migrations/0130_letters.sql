-- Kinds of letters. What is printed stands in the templates: each change of it makes a new version, and a letter keeps its own.
CREATE TABLE letter_kinds (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  code varchar(20) NOT NULL CHECK (code ~ '^[a-z0-9][a-z0-9-]*$'),
  name_en varchar(120) NOT NULL,
  name_id varchar(120) NOT NULL,
  -- `registered`: a submitted registration that stands; `accepted`: a published acceptance that stands.
  audience text NOT NULL CHECK (audience IN ('registered', 'accepted')),
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  template_version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX letter_kinds_code ON letter_kinds (code);

CREATE TABLE letter_templates (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  letter_kind_id uuid NOT NULL REFERENCES letter_kinds (id) ON DELETE RESTRICT,
  version integer NOT NULL,
  title_en varchar(120) NOT NULL,
  title_id varchar(120) NOT NULL,
  body_en varchar(8000) NOT NULL,
  body_id varchar(8000) NOT NULL,
  number_template varchar(60) NOT NULL,
  -- Empty: the signatory of the general settings.
  signatory_name varchar(100) NOT NULL DEFAULT '',
  signatory_title varchar(100) NOT NULL DEFAULT '',
  signatory_file_id uuid REFERENCES files (id) ON DELETE RESTRICT,
  -- Days a letter is valid; NULL: without end.
  valid_days integer CHECK (valid_days BETWEEN 1 AND 3650),
  created_at timestamptz NOT NULL,
  created_by uuid REFERENCES accounts (id),
  UNIQUE (letter_kind_id, version)
);
CREATE INDEX letter_templates_signatory_file_id ON letter_templates (signatory_file_id);
CREATE INDEX letter_templates_created_by ON letter_templates (created_by);

-- The register: one row per number ever given. The file is made at its first printing and kept.
CREATE TABLE letters (
  id uuid PRIMARY KEY,
  letter_kind_id uuid NOT NULL REFERENCES letter_kinds (id) ON DELETE RESTRICT,
  letter_template_id uuid NOT NULL REFERENCES letter_templates (id) ON DELETE RESTRICT,
  registration_id uuid NOT NULL REFERENCES registrations (id) ON DELETE RESTRICT,
  language text NOT NULL CHECK (language IN ('en', 'id')),
  number varchar(60) NOT NULL,
  -- Counter of the running number: the template with everything but the running number filled in.
  number_scope varchar(80) NOT NULL,
  sequence bigint NOT NULL CHECK (sequence > 0),
  -- Values of the placeholders as they were when the letter was given.
  facts jsonb NOT NULL,
  issued_at timestamptz NOT NULL,
  issued_by uuid REFERENCES accounts (id),
  valid_until date,
  state text NOT NULL DEFAULT 'valid' CHECK (state IN ('valid', 'replaced', 'withdrawn')),
  replaces_id uuid REFERENCES letters (id) ON DELETE RESTRICT,
  withdrawn_at timestamptz,
  withdrawn_by uuid REFERENCES accounts (id),
  withdrawn_reason varchar(500),
  file_id uuid REFERENCES files (id) ON DELETE RESTRICT,
  -- SHA-256 of what the letter says; see `letter_hash`.
  hash text NOT NULL DEFAULT '',
  CHECK ((state = 'withdrawn') = (withdrawn_at IS NOT NULL)),
  CHECK ((withdrawn_at IS NULL) = (withdrawn_reason IS NULL))
);
CREATE UNIQUE INDEX letters_number ON letters (number);
CREATE UNIQUE INDEX letters_sequence ON letters (number_scope, sequence);
CREATE UNIQUE INDEX letters_one_valid ON letters (registration_id, letter_kind_id, language) WHERE state = 'valid';
CREATE UNIQUE INDEX letters_replaces_id ON letters (replaces_id);
CREATE INDEX letters_newest ON letters (issued_at DESC, id DESC);
CREATE INDEX letters_letter_kind_id ON letters (letter_kind_id, issued_at DESC);
CREATE INDEX letters_letter_template_id ON letters (letter_template_id);
CREATE INDEX letters_registration_id ON letters (registration_id, issued_at DESC);
CREATE INDEX letters_issued_by ON letters (issued_by);
CREATE INDEX letters_withdrawn_by ON letters (withdrawn_by);
CREATE INDEX letters_file_id ON letters (file_id);

-- SHA-256, in hexadecimal, of everything a letter prints: its own values and those of its template, both as rows in JSON.
CREATE FUNCTION letter_hash(l jsonb, t jsonb, issued_at timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT encode(sha256(convert_to(jsonb_build_array(l->'id', l->'registration_id', l->'language', l->'number', l->'facts',
    extract(epoch FROM issued_at), l->'valid_until', t->'id', t->'version', t->'title_en', t->'title_id', t->'body_en',
    t->'body_id', t->'signatory_name', t->'signatory_title', t->'signatory_file_id')::text, 'UTF8')), 'hex')
$$;

CREATE FUNCTION letters_hash_at_insert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT letter_hash(to_jsonb(NEW), to_jsonb(t), NEW.issued_at) INTO STRICT NEW.hash
    FROM letter_templates t WHERE t.id = NEW.letter_template_id;
  RETURN NEW;
END $$;
CREATE TRIGGER letters_hash BEFORE INSERT ON letters FOR EACH ROW EXECUTE FUNCTION letters_hash_at_insert();

-- What was given out never changes: only the state goes forward, and the file is made once.
CREATE FUNCTION letters_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (to_jsonb(NEW) - ARRAY['state', 'withdrawn_at', 'withdrawn_by', 'withdrawn_reason', 'file_id'])
      IS DISTINCT FROM (to_jsonb(OLD) - ARRAY['state', 'withdrawn_at', 'withdrawn_by', 'withdrawn_reason', 'file_id'])
    OR (OLD.file_id IS NOT NULL AND NEW.file_id IS DISTINCT FROM OLD.file_id)
    OR (OLD.state <> 'valid' AND NEW.state <> OLD.state) THEN
    RAISE EXCEPTION 'a letter that was given out does not change' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER letters_stay BEFORE UPDATE ON letters FOR EACH ROW EXECUTE FUNCTION letters_stay();

CREATE FUNCTION letter_templates_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a version of a letter does not change' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER letter_templates_stay BEFORE UPDATE ON letter_templates FOR EACH ROW EXECUTE FUNCTION letter_templates_stay();

-- A trial reads the kinds and their texts in place.
DO $$ BEGIN
  EXECUTE format('CREATE OR REPLACE FUNCTION trial_settings() RETURNS text[] IMMUTABLE LANGUAGE sql AS %L',
    format('SELECT %L::text[]', trial_settings() || ARRAY['letter_kinds', 'letter_templates']));
END $$;
