-- Messages to many people, and the sender that hands these and single messages over to their channels.

-- Addresses that sending must not use: they bounced, or their owner complained to the mail service or to WhatsApp.
CREATE TABLE suppressed_addresses (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- A lower-case e-mail address, or a phone number in E.164.
  address varchar(254) NOT NULL,
  channel text NOT NULL CHECK (channel IN ('whatsapp', 'email')),
  reason text NOT NULL CHECK (reason IN ('bounced', 'complained', 'unreachable', 'blocked')),
  -- Text of the server that refused.
  detail varchar(300),
  created_at timestamptz NOT NULL,
  lifted_at timestamptz,
  lifted_by uuid REFERENCES accounts (id) ON DELETE SET NULL,
  version integer NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX suppressed_addresses_address ON suppressed_addresses (channel, address) WHERE lifted_at IS NULL;
CREATE INDEX suppressed_addresses_created ON suppressed_addresses (created_at DESC, id);
CREATE INDEX suppressed_addresses_search ON suppressed_addresses USING gin (address gin_trgm_ops);
CREATE INDEX suppressed_addresses_lifted_by ON suppressed_addresses (lifted_by);

-- People who want no more messages of a purpose, one row per address of the person. Service messages have no opt-out.
CREATE TABLE opt_outs (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  address varchar(254) NOT NULL,
  purpose text NOT NULL CHECK (purpose IN ('admission', 'events')),
  source text NOT NULL CHECK (source IN ('link', 'one_click', 'word', 'staff', 'preferences')),
  -- What the person said, if staff noted it.
  note varchar(300),
  created_at timestamptz NOT NULL,
  created_by uuid REFERENCES accounts (id) ON DELETE SET NULL,
  lifted_at timestamptz,
  lifted_by uuid REFERENCES accounts (id) ON DELETE SET NULL,
  version integer NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX opt_outs_address ON opt_outs (address, purpose) WHERE lifted_at IS NULL;
CREATE INDEX opt_outs_created ON opt_outs (created_at DESC, id);
CREATE INDEX opt_outs_search ON opt_outs USING gin (address gin_trgm_ops);
CREATE INDEX opt_outs_created_by ON opt_outs (created_by);
CREATE INDEX opt_outs_lifted_by ON opt_outs (lifted_by);

-- Texts for campaigns. A text with the name of a template that Meta approved can go out on WhatsApp at any time.
CREATE TABLE campaign_templates (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name varchar(120) NOT NULL CHECK (name = btrim(name) AND name <> ''),
  audience text NOT NULL
    CHECK (audience IN ('registrations', 'sheet', 'leads', 'visitors', 'schools', 'affiliates')),
  -- Null: for e-mail and the inbox.
  provider_template varchar(100) CHECK (provider_template ~ '^[a-z0-9_]+$'),
  subject_id varchar(200) NOT NULL,
  subject_en varchar(200) NOT NULL,
  body_id varchar(4000) NOT NULL,
  body_en varchar(4000) NOT NULL,
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  created_by uuid REFERENCES accounts (id) ON DELETE SET NULL,
  updated_at timestamptz NOT NULL,
  updated_by uuid REFERENCES accounts (id) ON DELETE SET NULL,
  CONSTRAINT campaign_templates_subject_one_line CHECK (subject_id !~ '[[:cntrl:]]' AND subject_en !~ '[[:cntrl:]]')
);
CREATE UNIQUE INDEX campaign_templates_name ON campaign_templates (lower(name));
CREATE INDEX campaign_templates_created_by ON campaign_templates (created_by);
CREATE INDEX campaign_templates_updated_by ON campaign_templates (updated_by);

-- Spreadsheets read for campaigns; their columns are placeholders. Deleted some days after their campaigns ended.
CREATE TABLE campaign_sheets (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  file_name varchar(200) NOT NULL,
  -- Headings in order, as in the file.
  columns text[] NOT NULL,
  -- Headings of the columns with phone, e-mail address, name and language; NULL if there is none.
  phone_column text,
  email_column text,
  name_column text,
  language_column text,
  row_count integer NOT NULL CHECK (row_count BETWEEN 0 AND 200000),
  problem_count integer NOT NULL,
  created_at timestamptz NOT NULL,
  created_by uuid REFERENCES accounts (id) ON DELETE SET NULL,
  invalid_count integer NOT NULL DEFAULT 0,
  findings jsonb NOT NULL DEFAULT '{"headingsRow":null,"hiddenRows":0,"hiddenFirst":[]}'
);
CREATE INDEX campaign_sheets_created_by ON campaign_sheets (created_by, created_at DESC);

CREATE TABLE campaign_sheet_rows (
  sheet_id uuid NOT NULL REFERENCES campaign_sheets (id) ON DELETE CASCADE,
  -- Number of the row in the file; the headings are row 1.
  number integer NOT NULL,
  name varchar(120),
  language text CHECK (language IN ('id', 'en')),
  phone varchar(20) CHECK (phone ~ '^\+[1-9][0-9]{7,14}$'),
  email varchar(254),
  -- Values by heading.
  values jsonb NOT NULL,
  -- Each `{ column, code, value }`. Not every problem makes a row invalid.
  problems jsonb,
  -- Identifies the person in campaigns that continue another, whatever columns are assigned later.
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  -- Not sent to. An address repeated from an earlier row is a problem, but the row stays valid if it has another
  -- address of its own.
  is_invalid boolean NOT NULL DEFAULT false,
  PRIMARY KEY (sheet_id, number)
);
CREATE INDEX campaign_sheet_rows_problems ON campaign_sheet_rows (sheet_id, number) WHERE problems IS NOT NULL;

CREATE TABLE campaigns (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name varchar(120) NOT NULL CHECK (name = btrim(name) AND name <> ''),
  audience text NOT NULL
    CHECK (audience IN ('registrations', 'sheet', 'leads', 'visitors', 'schools', 'affiliates')),
  -- Filters of the audience's list, as its endpoint takes them.
  filters jsonb NOT NULL DEFAULT '{}',
  sheet_id uuid REFERENCES campaign_sheets (id) ON DELETE SET NULL,
  purpose text NOT NULL CHECK (purpose IN ('service', 'admission', 'events')),
  -- Sent in quiet hours too; only service messages about deadlines and results may be.
  ignores_quiet_hours boolean NOT NULL DEFAULT false,
  -- Channels in the order in which they are tried.
  channels text[] NOT NULL
    CHECK (cardinality(channels) BETWEEN 1 AND 3 AND channels <@ ARRAY['whatsapp', 'email', 'inbox']),
  subject_id varchar(200) NOT NULL DEFAULT '',
  subject_en varchar(200) NOT NULL DEFAULT '',
  body_id varchar(4000) NOT NULL DEFAULT '',
  body_en varchar(4000) NOT NULL DEFAULT '',
  -- Text on WhatsApp; NULL: free text, which reaches only people who wrote within 24 hours.
  template_id uuid REFERENCES campaign_templates (id) ON DELETE RESTRICT,
  -- The text of the template when the recipients were planned.
  template jsonb,
  state text NOT NULL DEFAULT 'draft'
    CHECK (state IN ('draft', 'planned', 'to_approve', 'scheduled', 'running', 'paused', 'finished', 'cancelled')),
  -- Earliest start; NULL: as soon as it is released.
  starts_at timestamptz,
  planned_at timestamptz,
  -- All recipients, and those that are not skipped.
  recipient_count integer NOT NULL DEFAULT 0,
  reachable_count integer NOT NULL DEFAULT 0,
  released_at timestamptz,
  released_by uuid REFERENCES accounts (id) ON DELETE SET NULL,
  approved_at timestamptz,
  approved_by uuid REFERENCES accounts (id) ON DELETE SET NULL,
  started_at timestamptz,
  -- Why the product paused it; NULL if staff did.
  pause_reason text,
  ended_at timestamptz,
  -- The campaign that this one continues with a new text.
  parent_id uuid REFERENCES campaigns (id) ON DELETE SET NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  created_by uuid REFERENCES accounts (id) ON DELETE SET NULL,
  updated_at timestamptz NOT NULL,
  updated_by uuid REFERENCES accounts (id) ON DELETE SET NULL,
  -- When the people were deleted. No campaign can continue this one: the list of people it reached is gone.
  forgotten_at timestamptz,
  CONSTRAINT campaigns_subject_one_line CHECK (subject_id !~ '[[:cntrl:]]' AND subject_en !~ '[[:cntrl:]]'),
  CHECK (state IN ('draft', 'cancelled') OR planned_at IS NOT NULL),
  CHECK (state NOT IN ('running', 'paused', 'finished') OR started_at IS NOT NULL),
  CHECK ((state IN ('finished', 'cancelled')) = (ended_at IS NOT NULL)),
  CHECK (approved_by IS NULL OR approved_by <> created_by),
  CHECK (NOT ignores_quiet_hours OR purpose = 'service'),
  CHECK (forgotten_at IS NULL OR ended_at IS NOT NULL)
);
CREATE INDEX campaigns_created ON campaigns (created_at DESC, id);
CREATE INDEX campaigns_state ON campaigns (state, created_at DESC, id);
CREATE INDEX campaigns_audience ON campaigns (audience, created_at DESC, id);
CREATE INDEX campaigns_open ON campaigns (id) WHERE state IN ('scheduled', 'running');
CREATE INDEX campaigns_sheet ON campaigns (sheet_id);
CREATE INDEX campaigns_template ON campaigns (template_id);
CREATE UNIQUE INDEX campaigns_parent ON campaigns (parent_id) WHERE state <> 'cancelled';
CREATE INDEX campaigns_created_by ON campaigns (created_by);
CREATE INDEX campaigns_updated_by ON campaigns (updated_by);
CREATE INDEX campaigns_released_by ON campaigns (released_by);
CREATE INDEX campaigns_approved_by ON campaigns (approved_by);
CREATE INDEX campaigns_to_forget ON campaigns (ended_at) WHERE forgotten_at IS NULL;
CREATE INDEX campaigns_name ON campaigns USING gin (search_key(name) gin_trgm_ops);

-- Recipients, frozen when the campaign is planned.
CREATE TABLE campaign_recipients (
  campaign_id uuid NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
  number integer NOT NULL,
  -- Row of the audience: a registration, lead, visitor, agreement, affiliate or row of a sheet.
  source_id uuid,
  account_id uuid,
  registration_id uuid,
  name varchar(120) NOT NULL,
  language text NOT NULL CHECK (language IN ('id', 'en')),
  time_zone text NOT NULL,
  phone varchar(20),
  email varchar(254),
  -- Values of the placeholders that the texts use.
  values jsonb NOT NULL DEFAULT '{}',
  -- Channels left to try, the present one first; empty if there is none.
  channels text[] NOT NULL,
  state text NOT NULL
    CHECK (state IN ('planned', 'skipped', 'handed', 'accepted', 'delivered', 'read', 'failed', 'uncertain')),
  -- Why it is skipped or failed.
  reason text,
  detail varchar(300),
  -- Earliest handover of a planned row.
  due_at timestamptz,
  -- The last handover.
  handover_id uuid,
  attempts smallint NOT NULL DEFAULT 0,
  state_at timestamptz NOT NULL,
  -- The registration (also one for an event) had ended when the recipient was planned. Such recipients were chosen as
  -- ended and get the message all the same; others are skipped if the registration ends before sending.
  had_ended boolean NOT NULL DEFAULT false,
  PRIMARY KEY (campaign_id, number),
  CHECK ((state IN ('skipped', 'failed')) = (reason IS NOT NULL)),
  CHECK (state <> 'planned' OR (due_at IS NOT NULL AND cardinality(channels) > 0)),
  CHECK (state NOT IN ('handed', 'accepted', 'delivered', 'read', 'uncertain') OR handover_id IS NOT NULL)
) WITH (fillfactor = 90);
CREATE INDEX campaign_recipients_state ON campaign_recipients (campaign_id, state, reason);
CREATE INDEX campaign_recipients_account ON campaign_recipients (account_id) WHERE account_id IS NOT NULL;
-- By the present channel: each channel takes its own recipients without reading those that wait for another one.
CREATE INDEX campaign_recipients_due ON campaign_recipients (campaign_id, (channels[1]), due_at, number)
  WHERE state = 'planned';

-- Each campaign has a line of its own per mail domain, so that a large campaign holds up no other.
CREATE TABLE campaign_domains (
  campaign_id uuid NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
  domain varchar(300) NOT NULL,
  -- Until when the last recipient without a slot waits; the next one waits behind it.
  postponed_to timestamptz NOT NULL,
  PRIMARY KEY (campaign_id, domain)
);

-- Every handover to a channel: of a recipient of a campaign, or of a message. The channel gets and reports the id. A
-- handover of a message has the message's id and is `due` until the sender claims it.
CREATE TABLE handovers (
  id uuid PRIMARY KEY,
  campaign_id uuid,
  number integer,
  channel text NOT NULL CONSTRAINT campaign_handovers_channel_check CHECK (channel IN ('whatsapp', 'email', 'inbox')),
  connection_id uuid,
  -- Phone or e-mail address; NULL for the inbox.
  address varchar(254),
  -- `handed` until the channel answers; `uncertain` if no answer can come any more.
  state text NOT NULL CHECK (state IN ('due', 'handed', 'accepted', 'delivered', 'read', 'failed', 'uncertain')),
  provider_message_id varchar(200),
  reason text,
  detail varchar(300),
  handed_at timestamptz,
  -- After this time the process that claimed the handover counts as dead.
  leased_until timestamptz,
  state_at timestamptz NOT NULL,
  message_id uuid REFERENCES messages (id) ON DELETE CASCADE,
  -- Order in which messages leave, see packages/domain/src/messaging/urgency.ts.
  urgency smallint,
  due_at timestamptz,
  -- The only connection that may send it, for answers of the chat and tests; NULL: the default connection.
  bound_to uuid REFERENCES whatsapp_connections (id),
  CONSTRAINT campaign_handovers_campaign_id_number_fkey FOREIGN KEY (campaign_id, number)
    REFERENCES campaign_recipients (campaign_id, number) ON DELETE CASCADE,
  CONSTRAINT campaign_handovers_check CHECK ((state = 'handed') = (leased_until IS NOT NULL)),
  CONSTRAINT handovers_source_check CHECK (num_nonnulls(message_id, campaign_id) = 1
    AND (campaign_id IS NULL) = (number IS NULL) AND (message_id IS NULL) = (urgency IS NULL) AND message_id = id),
  CONSTRAINT handovers_due_check CHECK ((state = 'due') = (due_at IS NOT NULL)
    AND (state <> 'due' OR message_id IS NOT NULL)),
  CONSTRAINT handovers_handed_check CHECK (handed_at IS NOT NULL OR state IN ('due', 'failed'))
);
CREATE INDEX handovers_recipient ON handovers (campaign_id, number);
-- A recipient has one open handover at a time.
CREATE UNIQUE INDEX handovers_open ON handovers (campaign_id, number) WHERE state = 'handed';
CREATE INDEX handovers_lease ON handovers (leased_until) WHERE state = 'handed';
CREATE INDEX handovers_pace ON handovers (channel, connection_id, handed_at);
CREATE INDEX handovers_provider ON handovers (provider_message_id) WHERE provider_message_id IS NOT NULL;
CREATE UNIQUE INDEX handovers_message ON handovers (message_id) WHERE message_id IS NOT NULL;
CREATE INDEX handovers_due ON handovers (channel, urgency, due_at) WHERE state = 'due';

-- Pace of the mail server (`mail`) and of the domains it writes to (`mail:example.com`).
CREATE TABLE sending_paces (
  name varchar(300) PRIMARY KEY,
  next_slot_at timestamptz
);

-- Mails, and people written to by a WhatsApp connection, counted in buckets of ten minutes for limits of a rolling day.
CREATE TABLE sending_counts (
  name varchar(300) NOT NULL,
  at timestamptz NOT NULL,
  taken integer NOT NULL,
  PRIMARY KEY (name, at)
);
CREATE INDEX sending_counts_at ON sending_counts (at);
