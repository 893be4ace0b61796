-- Registrations from the first draft to the decision, their history, and their documents.

-- Decisions of a wave and track are public from `publish_at` on. Decisions made since need another publication:
-- `number` counts the publications of a wave and track without gaps.
CREATE TABLE result_publications (
  wave_id uuid NOT NULL REFERENCES waves (id),
  track_id uuid NOT NULL REFERENCES tracks (id),
  publish_at timestamptz NOT NULL,
  announced_at timestamptz,
  published_by uuid REFERENCES accounts (id),
  version integer NOT NULL DEFAULT 1,
  number smallint NOT NULL DEFAULT 1 CHECK (number > 0),
  previous smallint GENERATED ALWAYS AS (nullif(number - 1, 0)::smallint) STORED,
  PRIMARY KEY (wave_id, track_id, number),
  CONSTRAINT result_publications_in_turn FOREIGN KEY (wave_id, track_id, previous)
    REFERENCES result_publications (wave_id, track_id, number)
);

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
  -- Status before a withdrawal or cancellation, so that it can be reverted.
  closed_from text,
  documents_state text NOT NULL DEFAULT 'missing'
    CHECK (documents_state IN ('missing', 'to_review', 'rejected', 'complete')),
  decision text CHECK (decision IN ('accepted', 'not_accepted')),
  accepted_programme_id uuid REFERENCES study_programmes (id),
  decision_reason varchar(500),
  decided_by uuid REFERENCES accounts (id),
  installment_plan_id uuid REFERENCES installment_plans (id),
  -- search_key of name and code, kept by triggers; searched with trigrams.
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
  -- When the applicant was notified of the present decision. Messages show it too, but a nightly job deletes old ones.
  result_told_at timestamptz,
  tested_at timestamptz,
  -- Apart from search_text: searched only for readers who see phones in full.
  search_phone text NOT NULL DEFAULT '',
  -- The selection whose adoption decided; NULL if a person decided.
  selection_run_id uuid,
  -- Deadline of this offer; NULL: that of the track or the wave.
  offer_due_at timestamptz,
  -- When the applicant first saw the present result, and was last reminded to answer.
  result_seen_at timestamptz,
  offer_reminded_at timestamptz,
  -- The decision becomes public with the publication after this one; NULL: with the first.
  published_after smallint,
  -- Decisions in the audit log are hidden from this time on until that publication; NULL: all of them are.
  hidden_since timestamptz,
  CHECK ((decision = 'accepted') = (accepted_programme_id IS NOT NULL) OR decision IS NULL),
  CONSTRAINT registrations_verified
    CHECK ((status <> 'verified' AND closed_from IS DISTINCT FROM 'verified') OR verified_at IS NOT NULL),
  CONSTRAINT registrations_published_after FOREIGN KEY (wave_id, track_id, published_after)
    REFERENCES result_publications (wave_id, track_id, number),
  CONSTRAINT registrations_hidden_since CHECK ((published_after IS NULL) = (hidden_since IS NULL))
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
CREATE INDEX registrations_accepted_programme_id ON registrations (accepted_programme_id);
-- For the search over everything: beginnings in the order of an index, so that it reads the first five rows and no
-- more. Other tables have the same, and the ends of numbers, which people remember.
CREATE INDEX registrations_search_start ON registrations (search_text text_pattern_ops);
CREATE INDEX registrations_code_start ON registrations (lower(code) text_pattern_ops);
CREATE INDEX registrations_search_phone ON registrations USING gin (search_phone gin_trgm_ops);
CREATE INDEX registrations_search_phone_start ON registrations (search_phone text_pattern_ops);
-- Intake pages count the places taken of every programme; this index alone answers.
CREATE INDEX registrations_places ON registrations (wave_id, programme_id, class_programme_id, entry_level_id)
  WHERE decision = 'accepted' AND status IN ('decided', 'confirmed', 'enrolled');
-- Students and confirmed applicants of a wave, newest first.
CREATE INDEX registrations_wave_students ON registrations (wave_id, created_at DESC, id DESC)
  WHERE status IN ('confirmed', 'enrolled');
CREATE INDEX registrations_selection_run_id ON registrations (selection_run_id) WHERE selection_run_id IS NOT NULL;
-- Offers that wait for an answer: few, while refused registrations stay `decided` for ever.
CREATE INDEX registrations_offers ON registrations (wave_id, track_id)
  WHERE status = 'decided' AND decision = 'accepted';
-- Confirmed registrations, newest first: at the height of admission they lie behind all newer registrations.
CREATE INDEX registrations_confirmed ON registrations (created_at DESC, id DESC)
  WHERE status IN ('confirmed', 'enrolled');
-- An affiliate's registrations carry the affiliate's code as typed.
CREATE INDEX registrations_referral_code ON registrations (lower(referral_code)) WHERE referral_code IS NOT NULL;
CREATE INDEX registrations_published_after ON registrations (wave_id, track_id, published_after)
  WHERE published_after IS NOT NULL;

CREATE FUNCTION registrations_fill_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT search_key(concat_ws(' ', a.full_name, NEW.code)), coalesce(a.phone, '') INTO NEW.search_text, NEW.search_phone
  FROM applicants a WHERE a.id = NEW.applicant_id;
  RETURN NEW;
END $$;
CREATE TRIGGER registrations_fill_search BEFORE INSERT OR UPDATE OF code, applicant_id ON registrations
  FOR EACH ROW EXECUTE FUNCTION registrations_fill_search();

CREATE FUNCTION applicants_refresh_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE registrations r
  SET search_text = search_key(concat_ws(' ', NEW.full_name, r.code)), search_phone = coalesce(NEW.phone, '')
  WHERE r.applicant_id = NEW.id;
  RETURN NEW;
END $$;
CREATE TRIGGER applicants_refresh_search AFTER UPDATE OF full_name, phone ON applicants
  FOR EACH ROW WHEN (OLD.full_name IS DISTINCT FROM NEW.full_name OR OLD.phone IS DISTINCT FROM NEW.phone)
  EXECUTE FUNCTION applicants_refresh_search();

-- Publications follow each other in time. A publication stays where it is once decisions or another publication come
-- after it.
CREATE FUNCTION result_publications_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM result_publications p WHERE p.wave_id = NEW.wave_id AND p.track_id = NEW.track_id
      AND p.number = NEW.number - 1 AND p.publish_at > NEW.publish_at) THEN
    RAISE EXCEPTION 'a publication comes before the one it follows' USING ERRCODE = 'check_violation';
  END IF;
  IF TG_OP = 'UPDATE' AND NEW.publish_at <> OLD.publish_at AND (
      EXISTS (SELECT FROM result_publications p WHERE p.wave_id = NEW.wave_id AND p.track_id = NEW.track_id
        AND p.previous = NEW.number)
      OR EXISTS (SELECT FROM registrations r WHERE r.wave_id = NEW.wave_id AND r.track_id = NEW.track_id
        AND r.published_after = NEW.number)) THEN
    RAISE EXCEPTION 'decisions were made after this publication' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER result_publications_keep BEFORE INSERT OR UPDATE ON result_publications
  FOR EACH ROW EXECUTE FUNCTION result_publications_keep();

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

-- Public refusals whose decision was replaced since. The applicant sees the refusal until the new decision is public.
CREATE TABLE shown_refusals (
  registration_id uuid PRIMARY KEY REFERENCES registrations (id) ON DELETE CASCADE,
  reason varchar(500),
  decided_by uuid REFERENCES accounts (id),
  decided_at timestamptz NOT NULL,
  publish_at timestamptz NOT NULL
);
CREATE INDEX shown_refusals_decided_by ON shown_refusals (decided_by);

-- When a registration took each step, and when a step was undone. The columns of registrations hold the present state;
-- these rows hold the state on every earlier day, so that a figure of last week stays what it was.
CREATE TABLE registration_steps (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  registration_id uuid NOT NULL REFERENCES registrations (id),
  step text NOT NULL CHECK (step IN ('started', 'submitted', 'paid', 'verified', 'tested', 'accepted', 'not_accepted',
    'confirmed', 'enrolled', 'withdrawn', 'cancelled', 'expired', 'moved')),
  at timestamptz NOT NULL,
  undone_at timestamptz CHECK (undone_at >= at),
  -- NULL if the system took the step, or the account is unknown.
  taken_by uuid REFERENCES accounts (id),
  -- For `moved`: the programme before.
  from_programme_id uuid REFERENCES study_programmes (id),
  from_class_programme_id uuid REFERENCES class_programmes (id),
  -- For decisions, so that figures of a past day count the decisions that were public then, even if others replaced
  -- them: public from the publication after this one on; NULL: from the first.
  published_after smallint,
  -- The selection that decided, or on whose reserve list the place was offered; NULL: a person decided.
  selection_run_id uuid,
  -- A public refusal that stays visible after it was undone, until the next decision is public.
  stays_shown boolean NOT NULL DEFAULT false,
  CHECK ((step = 'moved') = (from_class_programme_id IS NOT NULL)),
  CHECK (step = 'moved' OR from_programme_id IS NULL),
  CONSTRAINT registration_steps_of_decision CHECK (step IN ('accepted', 'not_accepted')
    OR (published_after IS NULL AND selection_run_id IS NULL)),
  CONSTRAINT registration_steps_stays_shown CHECK (NOT stays_shown OR (step = 'not_accepted' AND undone_at IS NOT NULL))
);
CREATE UNIQUE INDEX registration_steps_standing ON registration_steps (registration_id, step)
  WHERE undone_at IS NULL AND step <> 'moved';
CREATE INDEX registration_steps_registration ON registration_steps (registration_id, at);
-- Figures of a past day add the steps undone since, and put registrations moved since back: both are few.
CREATE INDEX registration_steps_undone ON registration_steps (undone_at, at) WHERE undone_at IS NOT NULL;
CREATE INDEX registration_steps_moved ON registration_steps (at) WHERE step = 'moved';
-- For the days since the last kept day of a season, see 0024_reports.sql.
CREATE INDEX registration_steps_at ON registration_steps (at);
CREATE INDEX registration_steps_selection_run_id ON registration_steps (selection_run_id)
  WHERE selection_run_id IS NOT NULL;
CREATE INDEX registration_steps_shown ON registration_steps (undone_at) WHERE stays_shown;

-- Steps that the columns of registrations show.
CREATE VIEW standing_registration_steps AS
SELECT r.id AS registration_id, s.step, s.at, s.published_after, s.selection_run_id
FROM registrations r CROSS JOIN LATERAL (VALUES
  ('started', r.created_at, NULL::smallint, NULL::uuid), ('submitted', r.submitted_at, NULL, NULL),
  ('paid', r.paid_at, NULL, NULL), ('verified', r.verified_at, NULL, NULL), ('tested', r.tested_at, NULL, NULL),
  (r.decision, CASE WHEN r.decision IS NOT NULL THEN r.decided_at END, r.published_after, r.selection_run_id),
  ('confirmed', r.confirmed_at, NULL, NULL), ('enrolled', r.enrolled_at, NULL, NULL),
  (r.status, CASE WHEN r.status IN ('withdrawn', 'cancelled', 'expired') THEN r.closed_at END, NULL, NULL)
) s (step, at, published_after, selection_run_id)
WHERE s.at IS NOT NULL;

-- Writes steps that columns show and no row holds, for registrations that the server did not write, as in tests.
CREATE FUNCTION fill_registration_steps() RETURNS void LANGUAGE sql AS $$
  INSERT INTO registration_steps (registration_id, step, at, taken_by, published_after, selection_run_id)
  SELECT k.registration_id, k.step, k.at, a.id, k.published_after, k.selection_run_id
  FROM standing_registration_steps k
  LEFT JOIN (
    SELECT DISTINCT ON (subject_id, action) subject_id, actor_id, action FROM audit_log
    WHERE subject_type = 'registration' ORDER BY subject_id, action, id DESC
  ) l ON l.subject_id = k.registration_id::text AND l.action = CASE k.step
    WHEN 'started' THEN 'registration.create' WHEN 'submitted' THEN 'registration.submit'
    WHEN 'verified' THEN 'registration.verify' WHEN 'tested' THEN 'test-seat.attendance'
    WHEN 'accepted' THEN 'registration.accept' WHEN 'not_accepted' THEN 'registration.reject'
    WHEN 'confirmed' THEN 'registration.confirm' WHEN 'enrolled' THEN 'registration.enrol'
    WHEN 'withdrawn' THEN 'registration.withdraw' WHEN 'cancelled' THEN 'registration.cancel' END
  LEFT JOIN accounts a ON a.id = l.actor_id
  WHERE NOT EXISTS (SELECT FROM registration_steps s
    WHERE s.registration_id = k.registration_id AND s.step = k.step AND s.undone_at IS NULL)
  ON CONFLICT (registration_id, step) WHERE undone_at IS NULL AND step <> 'moved' DO NOTHING;
$$;

CREATE FUNCTION registration_steps_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.undone_at IS NULL AND NEW.undone_at IS NOT NULL AND OLD.step <> 'moved'
    AND (to_jsonb(NEW) - 'undone_at' - 'stays_shown') = (to_jsonb(OLD) - 'undone_at' - 'stays_shown') THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'a step of a registration can only be taken back, once' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER registration_steps_keep BEFORE UPDATE OR DELETE ON registration_steps
  FOR EACH ROW EXECUTE FUNCTION registration_steps_keep();

CREATE TRIGGER registration_steps_never_emptied BEFORE TRUNCATE ON registration_steps EXECUTE FUNCTION refuse_change();

-- Requests of applicants to move to another study programme or class; staff decide them by changing the programme.
CREATE TABLE programme_requests (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  registration_id uuid NOT NULL REFERENCES registrations (id) ON DELETE CASCADE,
  programme_id uuid NOT NULL REFERENCES study_programmes (id) ON DELETE RESTRICT,
  class_programme_id uuid NOT NULL REFERENCES class_programmes (id) ON DELETE RESTRICT,
  reason varchar(500) NOT NULL,
  -- Whole rupiah by which the bill would rise, as shown to the applicant.
  difference bigint NOT NULL,
  -- `closed`: the registration ended.
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'granted', 'refused', 'withdrawn', 'closed')),
  asked_at timestamptz NOT NULL,
  decided_at timestamptz,
  decided_by uuid REFERENCES accounts (id),
  answer varchar(500),
  CHECK ((status = 'pending') = (decided_at IS NULL))
);
CREATE UNIQUE INDEX programme_requests_one_pending ON programme_requests (registration_id) WHERE status = 'pending';
CREATE INDEX programme_requests_registration_id ON programme_requests (registration_id, asked_at DESC);
CREATE INDEX programme_requests_newest ON programme_requests (asked_at DESC, id DESC);
CREATE INDEX programme_requests_programme_id ON programme_requests (programme_id);
CREATE INDEX programme_requests_class_programme_id ON programme_requests (class_programme_id);
CREATE INDEX programme_requests_decided_by ON programme_requests (decided_by);

-- A registration that has ended has no open request. Checked at the end of the transaction; the lock makes a request
-- and an end at the same moment wait for each other.
CREATE FUNCTION refuse_request_of_ended() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  registration uuid;
  is_ended boolean;
BEGIN
  IF TG_TABLE_NAME = 'registrations' THEN
    registration := NEW.id;
  ELSE
    registration := NEW.registration_id;
  END IF;
  SELECT status IN ('withdrawn', 'cancelled', 'expired') INTO is_ended FROM registrations WHERE id = registration FOR SHARE;
  IF is_ended AND EXISTS (SELECT FROM programme_requests WHERE registration_id = registration AND status = 'pending') THEN
    RAISE EXCEPTION 'a registration that has ended has no request' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER registrations_close_requests AFTER UPDATE OF status ON registrations
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.status IN ('withdrawn', 'cancelled', 'expired'))
  EXECUTE FUNCTION refuse_request_of_ended();
CREATE CONSTRAINT TRIGGER programme_requests_of_open AFTER INSERT OR UPDATE ON programme_requests
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.status = 'pending')
  EXECUTE FUNCTION refuse_request_of_ended();

CREATE TABLE documents (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  registration_id uuid NOT NULL REFERENCES registrations (id) ON DELETE CASCADE,
  track_file_id uuid REFERENCES track_files (id),
  name varchar(120) NOT NULL,
  required boolean NOT NULL DEFAULT true,
  accepted_types text[] NOT NULL,
  max_mb integer NOT NULL,
  may_defer boolean NOT NULL DEFAULT false,
  status text NOT NULL DEFAULT 'empty'
    CHECK (status IN ('empty', 'uploaded', 'approved', 'rejected', 'waived', 'deferred')),
  file_id uuid REFERENCES files (id),
  reject_reason varchar(300),
  deferred_until date,
  due_on date,
  -- Set if staff asked for the document beyond the list of the track.
  requested_by uuid REFERENCES accounts (id),
  uploaded_at timestamptz,
  reviewed_by uuid REFERENCES accounts (id),
  reviewed_at timestamptz,
  sort_order integer NOT NULL DEFAULT 0,
  version integer NOT NULL DEFAULT 1,
  stage text NOT NULL DEFAULT 'registration' CHECK (stage IN ('registration', 'enrolment')),
  -- For paper_receipt_lines: the documents on a receipt are of its registration.
  CONSTRAINT documents_of_registration UNIQUE (id, registration_id)
);
CREATE UNIQUE INDEX documents_slot ON documents (registration_id, track_file_id);
CREATE INDEX documents_to_review ON documents (uploaded_at) WHERE status = 'uploaded';
CREATE INDEX documents_file ON documents (file_id);
CREATE INDEX documents_track_file_id ON documents (track_file_id);
-- For the card that counts the reviews of today.
CREATE INDEX documents_reviewed_at ON documents (reviewed_at) WHERE reviewed_at IS NOT NULL;

-- A file that a track begins to ask for at enrolment is asked of confirmed applicants without a student number too.
CREATE FUNCTION ask_confirmed_for_file() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO documents (registration_id, track_file_id, name, stage, required, accepted_types, max_mb, may_defer, sort_order)
  SELECT r.id, NEW.id, NEW.name, NEW.stage, NEW.required, NEW.accepted_types, NEW.max_mb, NEW.may_defer, NEW.sort_order
  FROM registrations r WHERE r.track_id = NEW.track_id AND r.status = 'confirmed'
  ON CONFLICT (registration_id, track_file_id) DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER ask_confirmed_for_file AFTER INSERT OR UPDATE OF stage, active ON track_files
  FOR EACH ROW WHEN (NEW.stage = 'enrolment' AND NEW.active) EXECUTE FUNCTION ask_confirmed_for_file();

-- Every step of staff on a document, with what it replaced. The reviewer can undo it for a minute.
CREATE TABLE document_reviews (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  document_id uuid NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  action text NOT NULL CHECK (action IN ('approve', 'reject', 'waive', 'defer', 'reopen')),
  reviewer_id uuid NOT NULL REFERENCES accounts (id),
  reviewed_at timestamptz NOT NULL,
  -- Version of the document after the review: while the document still has it, nothing came after the review.
  version integer NOT NULL,
  before jsonb NOT NULL,
  -- Step the registration took because of the review.
  moved text CHECK (moved IN ('verify', 'unverify')),
  -- Copy of the registration's verified_at after the step: another time there means another verification.
  verified_at timestamptz,
  undone_at timestamptz,
  -- When the applicant was notified. From then on the review can only be reopened.
  told_at timestamptz
);
CREATE UNIQUE INDEX document_reviews_version ON document_reviews (document_id, version);

-- Receipts for legalised paper copies that a student handed in.
CREATE TABLE paper_receipts (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  registration_id uuid NOT NULL REFERENCES registrations (id) ON DELETE CASCADE,
  number varchar(40) NOT NULL UNIQUE,
  brought_by varchar(100) NOT NULL,
  note varchar(300),
  received_at timestamptz NOT NULL,
  received_by uuid NOT NULL REFERENCES accounts (id),
  voided_at timestamptz,
  voided_by uuid REFERENCES accounts (id),
  void_reason varchar(300),
  CHECK ((voided_at IS NULL) = (void_reason IS NULL) AND (voided_at IS NULL) = (voided_by IS NULL)),
  UNIQUE (id, registration_id)
);
CREATE INDEX paper_receipts_registration_id ON paper_receipts (registration_id, received_at DESC);

CREATE TABLE paper_receipt_lines (
  receipt_id uuid NOT NULL,
  document_id uuid NOT NULL,
  registration_id uuid NOT NULL,
  copies integer NOT NULL CHECK (copies BETWEEN 1 AND 20),
  legalised boolean NOT NULL,
  -- A paper is on one receipt that counts; lines of a voided receipt do not.
  counts boolean NOT NULL DEFAULT true,
  PRIMARY KEY (receipt_id, document_id),
  FOREIGN KEY (receipt_id, registration_id) REFERENCES paper_receipts (id, registration_id) ON DELETE CASCADE,
  FOREIGN KEY (document_id, registration_id) REFERENCES documents (id, registration_id) ON DELETE CASCADE
);
CREATE INDEX paper_receipt_lines_document_id ON paper_receipt_lines (document_id);
CREATE UNIQUE INDEX paper_receipt_lines_once ON paper_receipt_lines (document_id) WHERE counts;

CREATE FUNCTION paper_receipts_free_papers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE paper_receipt_lines SET counts = false WHERE receipt_id = NEW.id AND counts;
  RETURN NULL;
END $$;
CREATE TRIGGER paper_receipts_free_papers AFTER UPDATE OF voided_at ON paper_receipts
  FOR EACH ROW WHEN (OLD.voided_at IS NULL AND NEW.voided_at IS NOT NULL) EXECUTE FUNCTION paper_receipts_free_papers();
