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
  -- Last sign of life of the job.
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
  -- Stays NULL where everybody was refused.
  file_id uuid REFERENCES files (id) ON DELETE RESTRICT,
  printed_at timestamptz,
  PRIMARY KEY (batch_id, number),
  CHECK (printed_at IS NULL OR registered_at IS NOT NULL),
  CHECK (file_id IS NULL OR printed_at IS NOT NULL)
);
CREATE INDEX letter_batch_chunks_file_id ON letter_batch_chunks (file_id);

-- The people of a batch, each once, with the letter or the code of the refusal.
CREATE TABLE letter_batch_members (
  batch_id uuid NOT NULL,
  registration_id uuid NOT NULL REFERENCES registrations (id) ON DELETE RESTRICT,
  position integer NOT NULL CHECK (position > 0),
  chunk integer NOT NULL,
  letter_id uuid REFERENCES letters (id) ON DELETE RESTRICT,
  refusal varchar(60),
  -- Values of the sentence of the refusal.
  refusal_details jsonb,
  PRIMARY KEY (batch_id, registration_id),
  FOREIGN KEY (batch_id, chunk) REFERENCES letter_batch_chunks (batch_id, number) ON DELETE RESTRICT,
  CHECK (letter_id IS NULL OR refusal IS NULL)
);
CREATE UNIQUE INDEX letter_batch_members_position ON letter_batch_members (batch_id, position);
CREATE INDEX letter_batch_members_chunk ON letter_batch_members (batch_id, chunk);
CREATE INDEX letter_batch_members_registration_id ON letter_batch_members (registration_id);
CREATE INDEX letter_batch_members_letter_id ON letter_batch_members (letter_id);

-- The outcome of a person is written once, whatever runs twice.
CREATE FUNCTION letter_batch_members_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.letter_id IS NOT NULL OR OLD.refusal IS NOT NULL THEN
    RAISE EXCEPTION 'a person of a batch gets one letter' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER letter_batch_members_stay BEFORE UPDATE ON letter_batch_members
  FOR EACH ROW EXECUTE FUNCTION letter_batch_members_stay();
