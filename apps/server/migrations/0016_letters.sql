-- Letters of the university: kinds, texts, the register of numbers, batches and the certificate that signs.

-- Kinds of letters. The printed text is in letter_templates: each change makes a new version, and a letter keeps its
-- own.
CREATE TABLE letter_kinds (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  code varchar(20) NOT NULL CHECK (code ~ '^[a-z0-9][a-z0-9-]*$'),
  name_en varchar(120) NOT NULL,
  name_id varchar(120) NOT NULL,
  -- `registered`: a submitted registration that has not ended; `accepted`: a published acceptance that is in force.
  audience text NOT NULL CHECK (audience IN ('registered', 'accepted')),
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  template_version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- Applicants take these letters themselves, without the office.
  self_service boolean NOT NULL DEFAULT false,
  CONSTRAINT letter_kinds_acceptance CHECK (code <> 'acceptance' OR audience = 'accepted')
);
CREATE UNIQUE INDEX letter_kinds_code ON letter_kinds (code);

-- Another audience would make letters valid or invalid that were given out already.
CREATE FUNCTION refuse_other_audience() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audience of letter kind % is fixed', OLD.code USING ERRCODE = 'check_violation', TABLE = 'letter_kinds';
END $$;
CREATE TRIGGER letter_kinds_audience BEFORE UPDATE OF audience ON letter_kinds
  FOR EACH ROW WHEN (NEW.audience <> OLD.audience) EXECUTE FUNCTION refuse_other_audience();

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

CREATE FUNCTION letter_templates_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a version of a letter does not change' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER letter_templates_stay BEFORE UPDATE ON letter_templates
  FOR EACH ROW EXECUTE FUNCTION letter_templates_stay();

-- Certificates (PKCS#12) with which the university signs letters. File and passphrase are sealed with the key of the
-- installation and forgotten when the certificate is removed.
CREATE TABLE letter_certificates (
  id uuid PRIMARY KEY,
  sealed_file text,
  sealed_passphrase text,
  holder varchar(300) NOT NULL,
  issuer varchar(300) NOT NULL,
  serial_number varchar(100) NOT NULL,
  -- SHA-256 of the certificate, in hexadecimal.
  fingerprint text NOT NULL CHECK (fingerprint ~ '^[0-9a-f]{64}$'),
  valid_from timestamptz NOT NULL,
  valid_until timestamptz NOT NULL CHECK (valid_until > valid_from),
  added_at timestamptz NOT NULL,
  added_by uuid REFERENCES accounts (id),
  removed_at timestamptz,
  CHECK ((removed_at IS NULL) = (sealed_file IS NOT NULL)),
  CHECK ((removed_at IS NULL) = (sealed_passphrase IS NOT NULL))
);
CREATE UNIQUE INDEX letter_certificates_one ON letter_certificates ((true)) WHERE removed_at IS NULL;
CREATE INDEX letter_certificates_added_by ON letter_certificates (added_by);

-- The register: one row per number ever given. The file is made at the first printing and kept.
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
  -- The certificate that signed the file; NULL: the file is not signed.
  letter_certificate_id uuid REFERENCES letter_certificates (id) ON DELETE RESTRICT,
  CHECK ((state = 'withdrawn') = (withdrawn_at IS NOT NULL)),
  CHECK ((withdrawn_at IS NULL) = (withdrawn_reason IS NULL)),
  CONSTRAINT letters_signed_file CHECK (letter_certificate_id IS NULL OR file_id IS NOT NULL)
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
CREATE INDEX letters_letter_certificate_id ON letters (letter_certificate_id);

-- SHA-256, in hexadecimal, of everything a letter prints: its own values and those of its template, both as rows in
-- JSON.
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

-- A letter that was given out never changes: only its state goes forward, and file and signature are made once.
CREATE FUNCTION letters_stay() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changing constant text[] := ARRAY['state', 'withdrawn_at', 'withdrawn_by', 'withdrawn_reason', 'file_id',
    'letter_certificate_id'];
BEGIN
  IF (to_jsonb(NEW) - changing) IS DISTINCT FROM (to_jsonb(OLD) - changing)
    OR (OLD.file_id IS NOT NULL
      AND (NEW.file_id, NEW.letter_certificate_id) IS DISTINCT FROM (OLD.file_id, OLD.letter_certificate_id))
    OR (OLD.state <> 'valid' AND NEW.state <> OLD.state) THEN
    RAISE EXCEPTION 'a letter that was given out does not change' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER letters_stay BEFORE UPDATE ON letters FOR EACH ROW EXECUTE FUNCTION letters_stay();

-- Letters of one kind for many people. The text and the people are fixed when the batch starts.
CREATE TABLE letter_batches (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  letter_kind_id uuid NOT NULL REFERENCES letter_kinds (id) ON DELETE RESTRICT,
  letter_template_id uuid NOT NULL REFERENCES letter_templates (id) ON DELETE RESTRICT,
  -- `applicant`: the language of each account.
  language text NOT NULL CHECK (language IN ('id', 'en', 'applicant')),
  -- Filter of the people; NULL: all.
  wave_id uuid REFERENCES waves (id) ON DELETE RESTRICT,
  programme_id uuid REFERENCES study_programmes (id) ON DELETE RESTRICT,
  track_id uuid REFERENCES tracks (id) ON DELETE RESTRICT,
  stage text CHECK (stage IN ('submitted', 'paid', 'verified', 'decided', 'confirmed', 'enrolled')),
  total integer NOT NULL CHECK (total > 0),
  status text NOT NULL DEFAULT 'running' CHECK (status IN ('running', 'done', 'cancelled')),
  started_at timestamptz NOT NULL,
  started_by uuid REFERENCES accounts (id),
  -- Last progress of the job.
  worked_at timestamptz NOT NULL,
  finished_at timestamptz,
  CHECK ((status = 'running') = (finished_at IS NULL))
);
-- Two clerks cannot give the same letters at the same time.
CREATE UNIQUE INDEX letter_batches_one_running ON letter_batches (letter_kind_id) WHERE status = 'running';
CREATE INDEX letter_batches_newest ON letter_batches (started_at DESC, id DESC);
CREATE INDEX letter_batches_letter_kind_id ON letter_batches (letter_kind_id);
CREATE INDEX letter_batches_letter_template_id ON letter_batches (letter_template_id);
CREATE INDEX letter_batches_wave_id ON letter_batches (wave_id);
CREATE INDEX letter_batches_programme_id ON letter_batches (programme_id);
CREATE INDEX letter_batches_track_id ON letter_batches (track_id);
CREATE INDEX letter_batches_started_by ON letter_batches (started_by);

-- Parts of a batch: registered in one transaction, then printed into one file.
CREATE TABLE letter_batch_chunks (
  batch_id uuid NOT NULL REFERENCES letter_batches (id) ON DELETE RESTRICT,
  number integer NOT NULL CHECK (number > 0),
  people integer NOT NULL CHECK (people > 0),
  registered_at timestamptz,
  -- Stays NULL if all people were refused.
  file_id uuid REFERENCES files (id) ON DELETE RESTRICT,
  printed_at timestamptz,
  PRIMARY KEY (batch_id, number),
  CHECK (printed_at IS NULL OR registered_at IS NOT NULL),
  CHECK (file_id IS NULL OR printed_at IS NOT NULL)
);
CREATE INDEX letter_batch_chunks_file_id ON letter_batch_chunks (file_id);

-- The people of a batch, each with the letter or the error code of the refusal.
CREATE TABLE letter_batch_members (
  batch_id uuid NOT NULL,
  registration_id uuid NOT NULL REFERENCES registrations (id) ON DELETE RESTRICT,
  position integer NOT NULL CHECK (position > 0),
  chunk integer NOT NULL,
  letter_id uuid REFERENCES letters (id) ON DELETE RESTRICT,
  refusal varchar(60),
  -- Values for the sentence of the refusal.
  refusal_details jsonb,
  PRIMARY KEY (batch_id, registration_id),
  FOREIGN KEY (batch_id, chunk) REFERENCES letter_batch_chunks (batch_id, number) ON DELETE RESTRICT,
  CHECK (letter_id IS NULL OR refusal IS NULL)
);
CREATE UNIQUE INDEX letter_batch_members_position ON letter_batch_members (batch_id, position);
CREATE INDEX letter_batch_members_chunk ON letter_batch_members (batch_id, chunk);
CREATE INDEX letter_batch_members_registration_id ON letter_batch_members (registration_id);
CREATE INDEX letter_batch_members_letter_id ON letter_batch_members (letter_id);

-- The outcome of a person is written once, even if the job runs twice.
CREATE FUNCTION letter_batch_members_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.letter_id IS NOT NULL OR OLD.refusal IS NOT NULL THEN
    RAISE EXCEPTION 'a person of a batch gets one letter' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER letter_batch_members_stay BEFORE UPDATE ON letter_batch_members
  FOR EACH ROW EXECUTE FUNCTION letter_batch_members_stay();
