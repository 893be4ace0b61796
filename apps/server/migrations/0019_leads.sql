-- People who agreed to be contacted about studying here, before they have an account.

CREATE TABLE leads (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name varchar(120) NOT NULL CHECK (name = btrim(name) AND name <> '')
    CHECK (name !~ '[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]'),
  -- The name without accents, case and double spaces, by which leads are compared.
  name_key varchar(200) NOT NULL,
  phone varchar(20) CHECK (phone ~ '^\+[1-9][0-9]{7,14}$'),
  email varchar(254) CHECK (email = lower(email)),
  birth_date date,
  school_id uuid REFERENCES schools (id) ON DELETE RESTRICT,
  -- As typed, if the school is not in the list.
  school_name varchar(150),
  major varchar(120),
  programme_id uuid REFERENCES study_programmes (id) ON DELETE RESTRICT,
  wish varchar(1000),
  stage text NOT NULL DEFAULT 'new'
    CHECK (stage IN ('new', 'contacted', 'interested', 'registered', 'not_interested', 'unreachable')),
  owner_id uuid REFERENCES accounts (id) ON DELETE SET NULL,
  next_contact_on date,
  -- The account that signed up through the link of this lead.
  account_id uuid REFERENCES accounts (id) ON DELETE SET NULL,
  -- The link to sign-up holds this number with a signature; a new number ends the old link.
  link_id uuid,
  link_expires_at timestamptz,
  -- Last action of the person or of staff; old leads are deleted.
  touched_at timestamptz NOT NULL,
  -- The lead that this one was merged into; the row stays so that events and surveys still find it.
  merged_into uuid REFERENCES leads (id) ON DELETE CASCADE,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- Wrong digits typed on the page of the link; after a few the link ends.
  link_misses smallint NOT NULL DEFAULT 0,
  -- Finished leads are not called again.
  CHECK (next_contact_on IS NULL OR stage IN ('new', 'contacted', 'interested')),
  CHECK ((link_id IS NULL) = (link_expires_at IS NULL)),
  CHECK (merged_into <> id)
);
CREATE INDEX leads_created ON leads (created_at DESC, id) WHERE merged_into IS NULL;
CREATE INDEX leads_stage ON leads (stage, created_at DESC, id) WHERE merged_into IS NULL;
CREATE INDEX leads_calls ON leads (owner_id, next_contact_on, created_at)
  WHERE merged_into IS NULL AND stage IN ('new', 'contacted', 'interested');
CREATE INDEX leads_owner ON leads (owner_id);
CREATE INDEX leads_touched ON leads (touched_at) WHERE merged_into IS NULL;
CREATE INDEX leads_name ON leads USING gin (name_key gin_trgm_ops);
CREATE INDEX leads_name_key ON leads (name_key);
CREATE INDEX leads_phone ON leads (phone);
CREATE INDEX leads_email ON leads (email);
CREATE INDEX leads_school ON leads (school_id);
CREATE INDEX leads_programme ON leads (programme_id);
CREATE INDEX leads_account ON leads (account_id);
CREATE INDEX leads_merged_into ON leads (merged_into);
CREATE UNIQUE INDEX leads_link ON leads (link_id);
-- For the job that sets the stage once the account has a registration.
CREATE INDEX leads_registering ON leads (account_id) WHERE account_id IS NOT NULL AND stage <> 'registered';

-- Keys that recognise a lead: `phone <number>` and `person <name key> <birth date>`. A key belongs to one lead.
CREATE TABLE lead_keys (
  key text PRIMARY KEY,
  lead_id uuid NOT NULL REFERENCES leads (id) ON DELETE CASCADE
);
CREATE INDEX lead_keys_lead ON lead_keys (lead_id);

-- Every time a person agreed: the data given, where, and the text they agreed to.
CREATE TABLE lead_origins (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  lead_id uuid NOT NULL REFERENCES leads (id) ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('event', 'survey', 'staff', 'file', 'chat')),
  event_id uuid,
  survey_response_id uuid,
  affiliate_id uuid REFERENCES affiliates (id) ON DELETE RESTRICT,
  -- The account that entered the lead, if staff did.
  recorded_by uuid REFERENCES accounts (id) ON DELETE SET NULL,
  -- All data as given this time.
  given jsonb NOT NULL,
  consent_text varchar(2000) NOT NULL CHECK (btrim(consent_text) <> ''),
  consent_language text NOT NULL CHECK (consent_language IN ('id', 'en')),
  consented_at timestamptz NOT NULL,
  recorded_at timestamptz NOT NULL,
  -- The lead that had this origin before it was merged.
  merged_from uuid,
  CHECK (kind <> 'event' OR event_id IS NOT NULL),
  CHECK (kind <> 'survey' OR survey_response_id IS NOT NULL)
);
CREATE INDEX lead_origins_lead ON lead_origins (lead_id, consented_at);
CREATE UNIQUE INDEX lead_origins_visit ON lead_origins (lead_id, event_id) WHERE kind = 'event' AND merged_from IS NULL;
CREATE UNIQUE INDEX lead_origins_response ON lead_origins (survey_response_id);
CREATE INDEX lead_origins_event ON lead_origins (event_id);
CREATE INDEX lead_origins_affiliate ON lead_origins (affiliate_id);
CREATE INDEX lead_origins_recorded_by ON lead_origins (recorded_by);
CREATE INDEX lead_origins_kind ON lead_origins (kind, lead_id);

-- Consent is evidence: an origin may move to another lead and lose a deleted account, and never changes otherwise.
CREATE FUNCTION refuse_lead_origin_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF EXISTS (SELECT FROM leads WHERE id = OLD.lead_id) THEN
      RAISE EXCEPTION 'origins of a lead are only added';
    END IF;
    RETURN OLD;
  END IF;
  IF (NEW.id, NEW.kind, NEW.given, NEW.consent_text, NEW.consent_language, NEW.consented_at, NEW.recorded_at)
    IS DISTINCT FROM (OLD.id, OLD.kind, OLD.given, OLD.consent_text, OLD.consent_language, OLD.consented_at, OLD.recorded_at) THEN
    RAISE EXCEPTION 'origins of a lead are only added';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER lead_origins_stay BEFORE UPDATE OR DELETE ON lead_origins
  FOR EACH ROW EXECUTE FUNCTION refuse_lead_origin_change();

-- What was done with a lead. Rows are only added, and deleted with their lead.
CREATE TABLE lead_notes (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  lead_id uuid NOT NULL REFERENCES leads (id) ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('note', 'call', 'stage', 'owner', 'details', 'merge', 'link', 'account')),
  by_id uuid REFERENCES accounts (id) ON DELETE SET NULL,
  text varchar(2000),
  -- Result of a call.
  result text CHECK (result IN ('reached', 'no_answer', 'call_again', 'wants_link', 'declined')),
  stage text CHECK (stage IN ('new', 'contacted', 'interested', 'registered', 'not_interested', 'unreachable')),
  -- The next contact, or the new owner.
  day date,
  owner_id uuid REFERENCES accounts (id) ON DELETE SET NULL,
  at timestamptz NOT NULL,
  CHECK ((kind = 'call') = (result IS NOT NULL)),
  CHECK (kind <> 'note' OR btrim(text) <> ''),
  CHECK (kind <> 'stage' OR stage IS NOT NULL)
);
CREATE INDEX lead_notes_lead ON lead_notes (lead_id, at);
CREATE INDEX lead_notes_by ON lead_notes (by_id);
CREATE INDEX lead_notes_owner ON lead_notes (owner_id);

-- A note may move with a merge and lose a deleted account, and never changes otherwise.
CREATE FUNCTION refuse_lead_note_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF EXISTS (SELECT FROM leads WHERE id = OLD.lead_id) THEN
      RAISE EXCEPTION 'notes of a lead are only added';
    END IF;
    RETURN OLD;
  END IF;
  IF (NEW.id, NEW.kind, NEW.text, NEW.result, NEW.stage, NEW.day, NEW.at)
    IS DISTINCT FROM (OLD.id, OLD.kind, OLD.text, OLD.result, OLD.stage, OLD.day, OLD.at)
    OR (NEW.by_id IS NOT NULL AND NEW.by_id IS DISTINCT FROM OLD.by_id)
    OR (NEW.owner_id IS NOT NULL AND NEW.owner_id IS DISTINCT FROM OLD.owner_id) THEN
    RAISE EXCEPTION 'notes of a lead are only added';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER lead_notes_stay BEFORE UPDATE OR DELETE ON lead_notes
  FOR EACH ROW EXECUTE FUNCTION refuse_lead_note_change();

-- Two leads that may be one person, because what a person gave fitted both, or that staff found to be two people. The
-- smaller id is first. Constraints have the name that the table had before.
CREATE TABLE lead_pairs (
  lead_id uuid NOT NULL CONSTRAINT lead_strangers_lead_id_fkey REFERENCES leads (id) ON DELETE CASCADE,
  other_id uuid NOT NULL CONSTRAINT lead_strangers_other_id_fkey REFERENCES leads (id) ON DELETE CASCADE,
  by_id uuid CONSTRAINT lead_strangers_by_id_fkey REFERENCES accounts (id) ON DELETE SET NULL,
  at timestamptz NOT NULL,
  state text NOT NULL DEFAULT 'suspected' CHECK (state IN ('suspected', 'different')),
  CONSTRAINT lead_strangers_pkey PRIMARY KEY (lead_id, other_id),
  CONSTRAINT lead_strangers_check CHECK (lead_id < other_id)
);
CREATE INDEX lead_pairs_other ON lead_pairs (other_id);
CREATE INDEX lead_pairs_by ON lead_pairs (by_id);

-- What is left of a deleted lead: enough to count, nothing to recognise a person by.
CREATE TABLE lead_deletions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  at timestamptz NOT NULL,
  cause text NOT NULL CHECK (cause IN ('asked', 'mistake', 'not_needed', 'retention')),
  stage text NOT NULL,
  -- Kind, event and affiliate of the first origin.
  kind text NOT NULL,
  event_id uuid,
  affiliate_id uuid REFERENCES affiliates (id) ON DELETE RESTRICT,
  -- First day of the month in which the lead came.
  came_in date NOT NULL CHECK (extract(day FROM came_in) = 1)
);
CREATE INDEX lead_deletions_at ON lead_deletions (at);
CREATE INDEX lead_deletions_affiliate ON lead_deletions (affiliate_id);
