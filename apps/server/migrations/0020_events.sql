-- School visits, open days and try-outs.

CREATE TABLE events (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  kind text NOT NULL CHECK (kind IN ('school_visit', 'open_day', 'try_out', 'other')),
  name_id varchar(150) NOT NULL CHECK (btrim(name_id) <> ''),
  name_en varchar(150) NOT NULL CHECK (btrim(name_en) <> ''),
  description_id varchar(4000) NOT NULL DEFAULT '',
  description_en varchar(4000) NOT NULL DEFAULT '',
  -- Last part of the address of the public page.
  slug varchar(80) NOT NULL CHECK (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  school_id uuid REFERENCES schools (id),
  place varchar(300),
  link varchar(500) CHECK (link ~ '^https://'),
  registration_opens timestamptz NOT NULL,
  registration_closes timestamptz NOT NULL,
  -- Shown in the list of coming events; other events open by their link only.
  public boolean NOT NULL DEFAULT true,
  -- Number of people invited, as staff noted it.
  invited integer CHECK (invited BETWEEN 0 AND 1000000),
  owner_id uuid REFERENCES accounts (id),
  status text NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'published', 'closed', 'cancelled')),
  published_at timestamptz,
  cancel_reason varchar(500),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  created_by uuid REFERENCES accounts (id),
  updated_at timestamptz NOT NULL,
  updated_by uuid REFERENCES accounts (id),
  CHECK (registration_closes > registration_opens),
  CHECK ((place IS NULL) <> (link IS NULL)),
  CHECK ((status = 'cancelled') = (cancel_reason IS NOT NULL)),
  CHECK (status = 'draft' OR published_at IS NOT NULL OR status = 'cancelled')
);
CREATE UNIQUE INDEX events_slug ON events (slug);
CREATE INDEX events_school ON events (school_id);
CREATE INDEX events_owner ON events (owner_id);
CREATE INDEX events_created_by ON events (created_by);
CREATE INDEX events_updated_by ON events (updated_by);
CREATE INDEX events_created ON events (created_at DESC, id);

CREATE TABLE event_sessions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  event_id uuid NOT NULL REFERENCES events (id) ON DELETE CASCADE,
  name varchar(80) NOT NULL DEFAULT '',
  starts_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  room varchar(200) NOT NULL DEFAULT '',
  capacity integer NOT NULL CHECK (capacity BETWEEN 1 AND 100000),
  -- Registered visitors who count against the capacity; only a guarded statement raises it.
  taken integer NOT NULL DEFAULT 0,
  CHECK (ends_at > starts_at),
  CONSTRAINT event_sessions_capacity CHECK (taken BETWEEN 0 AND capacity),
  UNIQUE (event_id, id)
);
CREATE INDEX event_sessions_start ON event_sessions (starts_at);

-- Affiliates who bring people to an event.
CREATE TABLE event_affiliates (
  event_id uuid NOT NULL REFERENCES events (id) ON DELETE CASCADE,
  affiliate_id uuid NOT NULL REFERENCES affiliates (id),
  PRIMARY KEY (event_id, affiliate_id)
);
CREATE INDEX event_affiliates_affiliate ON event_affiliates (affiliate_id);

CREATE TABLE event_costs (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  event_id uuid NOT NULL REFERENCES events (id) ON DELETE CASCADE,
  position integer NOT NULL,
  label varchar(120) NOT NULL CHECK (btrim(label) <> ''),
  -- Whole rupiah.
  planned bigint NOT NULL DEFAULT 0 CHECK (planned BETWEEN 0 AND 100000000000),
  actual bigint CHECK (actual BETWEEN 0 AND 100000000000),
  UNIQUE (event_id, position)
);

CREATE TABLE event_materials (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  event_id uuid NOT NULL REFERENCES events (id) ON DELETE CASCADE,
  file_id uuid NOT NULL REFERENCES files (id),
  title varchar(150) NOT NULL CHECK (btrim(title) <> ''),
  audience text NOT NULL CHECK (audience IN ('staff', 'visitors')),
  -- Visitors open a material from this moment on.
  published_at timestamptz CHECK (published_at IS NULL OR audience = 'visitors'),
  created_at timestamptz NOT NULL,
  created_by uuid REFERENCES accounts (id)
);
CREATE INDEX event_materials_event ON event_materials (event_id);
CREATE UNIQUE INDEX event_materials_file ON event_materials (file_id);
CREATE INDEX event_materials_created_by ON event_materials (created_by);

CREATE TABLE event_visitors (
  -- Chosen by the device of the visitor or of the door: a registration sent twice is one row.
  id uuid PRIMARY KEY,
  event_id uuid NOT NULL REFERENCES events (id),
  session_id uuid NOT NULL,
  -- Random part of the ticket's address; knowing it opens the ticket.
  code varchar(12) NOT NULL CHECK (code ~ '^[0-9A-HJKMNP-TV-Z]{10}$'),
  name varchar(120) NOT NULL CHECK (name !~ '[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]'),
  -- Name without case and double spaces: a phone shared by a family registers each person once.
  name_key varchar(200) NOT NULL,
  phone varchar(20) CHECK (phone ~ '^\+[1-9][0-9]{7,14}$'),
  email varchar(254) CHECK (email = lower(email)),
  school_id uuid REFERENCES schools (id),
  school_name varchar(150),
  grade text CHECK (grade IN ('X', 'XI', 'XII', 'graduate', 'other')),
  wish varchar(500),
  language text NOT NULL CHECK (language IN ('id', 'en')),
  consent_text varchar(2000),
  consented_at timestamptz,
  state text NOT NULL CHECK (state IN ('registered', 'waiting', 'cancelled')),
  -- Let in beyond the capacity; the counter does not count it.
  extra boolean NOT NULL DEFAULT false,
  -- Registered at the door.
  walk_in boolean NOT NULL DEFAULT false,
  affiliate_id uuid REFERENCES affiliates (id),
  lead_id uuid REFERENCES leads (id) ON DELETE SET NULL,
  created_at timestamptz NOT NULL,
  cancelled_at timestamptz,
  reminded_at timestamptz,
  -- When the ticket was sent again; limits how often a stranger can cause messages.
  sent_again_at timestamptz,
  -- When the personal data was erased with the lead.
  erased_at timestamptz,
  FOREIGN KEY (event_id, session_id) REFERENCES event_sessions (event_id, id),
  CHECK ((state = 'cancelled') = (cancelled_at IS NOT NULL)),
  CHECK ((consent_text IS NULL) = (consented_at IS NULL)),
  -- No contact data without consent.
  CHECK (consented_at IS NOT NULL OR (phone IS NULL AND email IS NULL)),
  CHECK (erased_at IS NULL OR (phone IS NULL AND email IS NULL AND name = '-'))
);
CREATE UNIQUE INDEX event_visitors_code ON event_visitors (code);
CREATE UNIQUE INDEX event_visitors_person ON event_visitors (event_id, phone, name_key)
  WHERE phone IS NOT NULL AND state <> 'cancelled';
CREATE INDEX event_visitors_session ON event_visitors (session_id, state, created_at, id);
CREATE INDEX event_visitors_event ON event_visitors (event_id, created_at DESC, id);
CREATE INDEX event_visitors_affiliate ON event_visitors (affiliate_id);
CREATE INDEX event_visitors_lead ON event_visitors (lead_id);
CREATE INDEX event_visitors_school ON event_visitors (school_id);
CREATE INDEX event_visitors_unreminded ON event_visitors (session_id)
  WHERE reminded_at IS NULL AND state = 'registered';

-- Scans and marks at the door as devices sent them; check-ins are derived from them.
CREATE TABLE event_scans (
  -- Chosen by the device: a scan sent twice is one row.
  id uuid PRIMARY KEY,
  event_id uuid NOT NULL REFERENCES events (id),
  session_id uuid NOT NULL,
  visitor_id uuid REFERENCES event_visitors (id),
  kind text NOT NULL CHECK (kind IN ('arrive', 'cancel')),
  outcome text NOT NULL CHECK (outcome IN ('recorded', 'repeated', 'other_session', 'cancelled', 'unknown_ticket')),
  -- Let in although registered for another session.
  forced boolean NOT NULL DEFAULT false,
  -- The text that was scanned or typed.
  raw varchar(300),
  -- Time of the device, corrected by the difference between its clock and the server's.
  at timestamptz NOT NULL CHECK (at <= received_at),
  device_at timestamptz NOT NULL,
  -- Milliseconds by which the server's clock was ahead of the device's.
  clock_offset_ms bigint NOT NULL,
  device_id uuid NOT NULL,
  device_name varchar(80) NOT NULL,
  received_at timestamptz NOT NULL,
  scanned_by uuid REFERENCES accounts (id),
  FOREIGN KEY (event_id, session_id) REFERENCES event_sessions (event_id, id),
  CHECK ((visitor_id IS NULL) = (outcome = 'unknown_ticket'))
);
CREATE INDEX event_scans_session ON event_scans (session_id, visitor_id);
CREATE INDEX event_scans_visitor ON event_scans (visitor_id);
CREATE INDEX event_scans_event ON event_scans (event_id);
CREATE INDEX event_scans_scanned_by ON event_scans (scanned_by);

CREATE TRIGGER event_scans_append_only BEFORE UPDATE OR DELETE ON event_scans
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TABLE event_check_ins (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  session_id uuid NOT NULL REFERENCES event_sessions (id),
  visitor_id uuid NOT NULL REFERENCES event_visitors (id),
  at timestamptz NOT NULL,
  device_id uuid NOT NULL,
  device_name varchar(80) NOT NULL,
  undone_at timestamptz
);
CREATE UNIQUE INDEX event_check_ins_once ON event_check_ins (session_id, visitor_id) WHERE undone_at IS NULL;
CREATE INDEX event_check_ins_visitor ON event_check_ins (visitor_id);

-- Deleting a lead erases the person from events, messages and answers kept for repeated writes; counts stay.
CREATE FUNCTION erase_visits_of_lead() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE messages m SET to_address = NULL, subject = '-', body = '-', link = NULL, provider_template = NULL,
      status = CASE WHEN m.status = 'queued' THEN 'failed' ELSE m.status END,
      error = CASE WHEN m.status = 'queued' THEN 'erased' ELSE m.error END
    FROM event_visitors v
    WHERE v.lead_id = OLD.id AND m.account_id IS NULL AND m.event LIKE 'event-%'
      AND (lower(m.to_address) = v.email OR m.to_address = v.phone);
  -- Without its body and with status 0 an answer counts as lost: the write is not carried out again.
  UPDATE idempotency_keys k SET body = NULL, status = 0
    FROM event_visitors v
    WHERE v.lead_id = OLD.id AND k.body IS NOT NULL
      AND (k.path LIKE '%/event-afiliator/:id/scans' AND position(v.id::text IN k.body) > 0
        OR k.path LIKE '%/tiket/:code%' AND position(v.code IN k.body) > 0);
  UPDATE event_visitors SET name = '-', name_key = '-', phone = NULL, email = NULL, school_name = NULL, wish = NULL,
      grade = NULL, erased_at = now()
    WHERE lead_id = OLD.id;
  RETURN OLD;
END $$;
CREATE TRIGGER erase_visits_of_lead BEFORE DELETE ON leads FOR EACH ROW EXECUTE FUNCTION erase_visits_of_lead();
