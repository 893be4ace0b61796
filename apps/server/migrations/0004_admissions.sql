CREATE TABLE registrations (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  code varchar(30) NOT NULL UNIQUE,
  applicant_id uuid NOT NULL REFERENCES applicants (id),
  account_id uuid NOT NULL REFERENCES accounts (id),
  wave_id uuid NOT NULL REFERENCES waves (id),
  track_id uuid NOT NULL REFERENCES tracks (id),
  entry_level_id uuid NOT NULL REFERENCES entry_levels (id),
  class_programme_id uuid NOT NULL REFERENCES class_programmes (id),
  -- First choice until decided, then the programme the applicant was accepted for; lists and row scope read it.
  programme_id uuid REFERENCES study_programmes (id),
  donation_amount bigint CHECK (donation_amount >= 0),
  referral_code varchar(30),
  status text NOT NULL DEFAULT 'draft' CHECK (status IN
    ('draft', 'submitted', 'paid', 'verified', 'decided', 'confirmed', 'enrolled', 'withdrawn', 'cancelled', 'expired')),
  -- Where a withdrawal or cancellation came from, so that it can be reverted.
  closed_from text,
  documents_state text NOT NULL DEFAULT 'missing' CHECK (documents_state IN ('missing', 'to_review', 'rejected', 'complete')),
  decision text CHECK (decision IN ('accepted', 'not_accepted')),
  accepted_programme_id uuid REFERENCES study_programmes (id),
  decision_reason varchar(500),
  decided_by uuid REFERENCES accounts (id),
  installment_plan_id uuid REFERENCES installment_plans (id),
  -- Lower-case name, code and phone, kept by triggers; searched with trigrams.
  search_text text NOT NULL DEFAULT '',
  submitted_at timestamptz,
  paid_at timestamptz,
  verified_at timestamptz,
  decided_at timestamptz,
  confirmed_at timestamptz,
  enrolled_at timestamptz,
  closed_at timestamptz,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((decision = 'accepted') = (accepted_programme_id IS NOT NULL) OR decision IS NULL)
);
CREATE UNIQUE INDEX registrations_one_open ON registrations (applicant_id, wave_id, track_id)
  WHERE status NOT IN ('withdrawn', 'cancelled', 'expired');
CREATE INDEX registrations_newest ON registrations (created_at DESC, id DESC);
CREATE INDEX registrations_account ON registrations (account_id, created_at DESC);
CREATE INDEX registrations_wave_track ON registrations (wave_id, track_id, status, created_at DESC, id DESC);
CREATE INDEX registrations_status ON registrations (status, created_at DESC, id DESC);
CREATE INDEX registrations_programme ON registrations (programme_id, status, created_at DESC, id DESC);
CREATE INDEX registrations_wave_programme ON registrations (wave_id, programme_id, status, created_at DESC, id DESC);
CREATE INDEX registrations_documents ON registrations (documents_state, created_at DESC, id DESC);
CREATE INDEX registrations_decision ON registrations (decision, created_at DESC, id DESC);
CREATE INDEX registrations_track ON registrations (track_id, created_at DESC, id DESC);
CREATE INDEX registrations_search ON registrations USING gin (search_text gin_trgm_ops);
-- The search text begins with the name: lists are sorted by it.
CREATE INDEX registrations_name ON registrations (search_text, id);

CREATE FUNCTION registrations_fill_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT lower(concat_ws(' ', a.full_name, NEW.code, a.phone)) INTO NEW.search_text
  FROM applicants a WHERE a.id = NEW.applicant_id;
  RETURN NEW;
END $$;
CREATE TRIGGER registrations_fill_search BEFORE INSERT OR UPDATE OF code, applicant_id ON registrations
  FOR EACH ROW EXECUTE FUNCTION registrations_fill_search();

CREATE FUNCTION applicants_refresh_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE registrations r SET search_text = lower(concat_ws(' ', NEW.full_name, r.code, NEW.phone))
  WHERE r.applicant_id = NEW.id;
  RETURN NEW;
END $$;
CREATE TRIGGER applicants_refresh_search AFTER UPDATE OF full_name, phone ON applicants
  FOR EACH ROW WHEN (OLD.full_name IS DISTINCT FROM NEW.full_name OR OLD.phone IS DISTINCT FROM NEW.phone)
  EXECUTE FUNCTION applicants_refresh_search();

CREATE TABLE registration_choices (
  registration_id uuid NOT NULL REFERENCES registrations (id) ON DELETE CASCADE,
  position integer NOT NULL CHECK (position BETWEEN 1 AND 5),
  programme_id uuid NOT NULL REFERENCES study_programmes (id),
  PRIMARY KEY (registration_id, position),
  UNIQUE (registration_id, programme_id)
);
CREATE INDEX registration_choices_programme ON registration_choices (programme_id);

CREATE TABLE registration_notes (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  registration_id uuid NOT NULL REFERENCES registrations (id) ON DELETE CASCADE,
  author_id uuid NOT NULL REFERENCES accounts (id),
  body varchar(2000) NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX registration_notes_registration ON registration_notes (registration_id, created_at);

-- A decision is shown to applicants from publish_at on.
CREATE TABLE result_publications (
  wave_id uuid NOT NULL REFERENCES waves (id),
  track_id uuid NOT NULL REFERENCES tracks (id),
  publish_at timestamptz NOT NULL,
  announced_at timestamptz,
  published_by uuid REFERENCES accounts (id),
  version integer NOT NULL DEFAULT 1,
  PRIMARY KEY (wave_id, track_id)
);

CREATE TABLE documents (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  registration_id uuid NOT NULL REFERENCES registrations (id) ON DELETE CASCADE,
  track_file_id uuid REFERENCES track_files (id),
  name varchar(120) NOT NULL,
  required boolean NOT NULL DEFAULT true,
  accepted_types text[] NOT NULL,
  max_mb integer NOT NULL,
  may_defer boolean NOT NULL DEFAULT false,
  status text NOT NULL DEFAULT 'empty' CHECK (status IN ('empty', 'uploaded', 'approved', 'rejected', 'waived', 'deferred')),
  file_id uuid REFERENCES files (id),
  reject_reason varchar(300),
  deferred_until date,
  due_on date,
  -- Set when staff asked for it later, beyond the track's own list.
  requested_by uuid REFERENCES accounts (id),
  uploaded_at timestamptz,
  reviewed_by uuid REFERENCES accounts (id),
  reviewed_at timestamptz,
  sort_order integer NOT NULL DEFAULT 0,
  version integer NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX documents_slot ON documents (registration_id, track_file_id);
CREATE INDEX documents_to_review ON documents (uploaded_at) WHERE status = 'uploaded';
CREATE INDEX documents_file ON documents (file_id);

-- Seats: the counter is what two applicants race for; one statement takes it.
CREATE TABLE test_session_seats (
  test_session_id uuid PRIMARY KEY REFERENCES test_sessions (id) ON DELETE CASCADE,
  taken integer NOT NULL DEFAULT 0 CHECK (taken >= 0)
);
CREATE TABLE test_seats (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  test_session_id uuid NOT NULL REFERENCES test_sessions (id),
  registration_id uuid NOT NULL REFERENCES registrations (id) ON DELETE CASCADE,
  status text NOT NULL CHECK (status IN ('held', 'booked', 'attended', 'absent', 'released')),
  held_until timestamptz,
  booked_at timestamptz,
  released_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX test_seats_one ON test_seats (registration_id) WHERE status <> 'released';
CREATE INDEX test_seats_session ON test_seats (test_session_id, status);
CREATE INDEX test_seats_held ON test_seats (held_until) WHERE status = 'held';
CREATE TABLE test_scores (
  registration_id uuid NOT NULL REFERENCES registrations (id) ON DELETE CASCADE,
  test_id uuid NOT NULL REFERENCES tests (id),
  score numeric(6, 2) NOT NULL CHECK (score >= 0),
  recorded_by uuid REFERENCES accounts (id),
  recorded_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (registration_id, test_id)
);

CREATE TABLE students (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  registration_id uuid NOT NULL UNIQUE REFERENCES registrations (id),
  account_id uuid NOT NULL REFERENCES accounts (id),
  programme_id uuid NOT NULL REFERENCES study_programmes (id),
  npm varchar(30) NOT NULL UNIQUE,
  issued_at timestamptz NOT NULL,
  issued_by uuid REFERENCES accounts (id)
);
CREATE INDEX students_programme ON students (programme_id, npm);
