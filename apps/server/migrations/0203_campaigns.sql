-- Addresses that sending must not use: they bounced, or their owner complained to the mail service or to WhatsApp.
CREATE TABLE suppressed_addresses (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- A lower-case e-mail address, or a phone number in E.164.
  address varchar(254) NOT NULL,
  channel text NOT NULL CHECK (channel IN ('whatsapp', 'email')),
  reason text NOT NULL CHECK (reason IN ('bounced', 'complained', 'unreachable', 'blocked')),
  -- Words of the server that refused.
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

-- People who want no more messages of a purpose, by each address they are known by. Service messages have no opt-out.
CREATE TABLE opt_outs (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  address varchar(254) NOT NULL,
  purpose text NOT NULL CHECK (purpose IN ('admission', 'events')),
  source text NOT NULL CHECK (source IN ('link', 'one_click', 'word', 'staff', 'preferences')),
  -- What the person said, where staff noted it.
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

-- Texts for campaigns; one with the name of a template that Meta approved can go out on WhatsApp at any time.
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
  updated_by uuid REFERENCES accounts (id) ON DELETE SET NULL
);
CREATE UNIQUE INDEX campaign_templates_name ON campaign_templates (lower(name));
CREATE INDEX campaign_templates_created_by ON campaign_templates (created_by);
CREATE INDEX campaign_templates_updated_by ON campaign_templates (updated_by);

-- A spreadsheet read for a campaign: its columns are placeholders. Forgotten some days after its campaigns ended.
CREATE TABLE campaign_sheets (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  file_name varchar(200) NOT NULL,
  -- Headings in order, as in the file.
  columns text[] NOT NULL,
  -- Heading of the column with the phone, the e-mail address, the name and the language; null where there is none.
  phone_column text,
  email_column text,
  name_column text,
  language_column text,
  row_count integer NOT NULL CHECK (row_count BETWEEN 0 AND 200000),
  problem_count integer NOT NULL,
  created_at timestamptz NOT NULL,
  created_by uuid REFERENCES accounts (id) ON DELETE SET NULL
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
  -- Each `{ column, code, value }`; a row with a problem is not sent to.
  problems jsonb,
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
  -- Goes out in the quiet hours too; only service messages about deadlines and results may.
  ignores_quiet_hours boolean NOT NULL DEFAULT false,
  -- Channels in the order in which they are tried.
  channels text[] NOT NULL
    CHECK (cardinality(channels) BETWEEN 1 AND 3 AND channels <@ ARRAY['whatsapp', 'email', 'inbox']),
  subject_id varchar(200) NOT NULL DEFAULT '',
  subject_en varchar(200) NOT NULL DEFAULT '',
  body_id varchar(4000) NOT NULL DEFAULT '',
  body_en varchar(4000) NOT NULL DEFAULT '',
  -- Text on WhatsApp; null: free text, which reaches only people who wrote within 24 hours.
  template_id uuid REFERENCES campaign_templates (id) ON DELETE RESTRICT,
  -- What of the template is sent, as it was when the recipients were planned.
  template jsonb,
  state text NOT NULL DEFAULT 'draft'
    CHECK (state IN ('draft', 'planned', 'to_approve', 'scheduled', 'running', 'paused', 'finished', 'cancelled')),
  -- Earliest start; null: as soon as it is released.
  starts_at timestamptz,
  planned_at timestamptz,
  -- Recipients, and those of them who are not skipped.
  recipient_count integer NOT NULL DEFAULT 0,
  reachable_count integer NOT NULL DEFAULT 0,
  released_at timestamptz,
  released_by uuid REFERENCES accounts (id) ON DELETE SET NULL,
  approved_at timestamptz,
  approved_by uuid REFERENCES accounts (id) ON DELETE SET NULL,
  started_at timestamptz,
  -- Why the product paused it; null where somebody of the staff did.
  pause_reason text,
  ended_at timestamptz,
  -- The campaign that this one continues with a new text.
  parent_id uuid REFERENCES campaigns (id) ON DELETE SET NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  created_by uuid REFERENCES accounts (id) ON DELETE SET NULL,
  updated_at timestamptz NOT NULL,
  updated_by uuid REFERENCES accounts (id) ON DELETE SET NULL,
  CHECK (state IN ('draft', 'cancelled') OR planned_at IS NOT NULL),
  CHECK (state NOT IN ('running', 'paused', 'finished') OR started_at IS NOT NULL),
  CHECK ((state IN ('finished', 'cancelled')) = (ended_at IS NOT NULL)),
  CHECK (approved_by IS NULL OR approved_by <> created_by),
  CHECK (NOT ignores_quiet_hours OR purpose = 'service')
);
CREATE INDEX campaigns_created ON campaigns (created_at DESC, id);
CREATE INDEX campaigns_state ON campaigns (state, created_at DESC, id);
CREATE INDEX campaigns_audience ON campaigns (audience, created_at DESC, id);
CREATE INDEX campaigns_name ON campaigns USING gin (name gin_trgm_ops);
CREATE INDEX campaigns_open ON campaigns (id) WHERE state IN ('scheduled', 'running');
CREATE INDEX campaigns_sheet ON campaigns (sheet_id);
CREATE INDEX campaigns_template ON campaigns (template_id);
CREATE UNIQUE INDEX campaigns_parent ON campaigns (parent_id) WHERE state <> 'cancelled';
CREATE INDEX campaigns_created_by ON campaigns (created_by);
CREATE INDEX campaigns_updated_by ON campaigns (updated_by);
CREATE INDEX campaigns_released_by ON campaigns (released_by);
CREATE INDEX campaigns_approved_by ON campaigns (approved_by);

-- Recipients, frozen when the campaign is planned. Wide and written once; what changes is short.
CREATE TABLE campaign_recipients (
  campaign_id uuid NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
  number integer NOT NULL,
  -- Row of the audience: a registration, lead, visitor, agreement or affiliate; null for a row of a sheet.
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
  -- Channels that are left to be tried, the present one first; empty where there is none.
  channels text[] NOT NULL,
  state text NOT NULL
    CHECK (state IN ('planned', 'skipped', 'handed', 'accepted', 'delivered', 'read', 'failed', 'uncertain')),
  -- Why it is skipped or failed.
  reason text,
  detail varchar(300),
  -- Not handed over before; of planned rows.
  due_at timestamptz,
  -- The last handover.
  handover_id uuid,
  attempts smallint NOT NULL DEFAULT 0,
  state_at timestamptz NOT NULL,
  PRIMARY KEY (campaign_id, number),
  CHECK ((state IN ('skipped', 'failed')) = (reason IS NOT NULL)),
  CHECK (state <> 'planned' OR (due_at IS NOT NULL AND cardinality(channels) > 0)),
  CHECK (state NOT IN ('handed', 'accepted', 'delivered', 'read', 'uncertain') OR handover_id IS NOT NULL)
) WITH (fillfactor = 90);
CREATE INDEX campaign_recipients_due ON campaign_recipients (campaign_id, due_at, number) WHERE state = 'planned';
CREATE INDEX campaign_recipients_state ON campaign_recipients (campaign_id, state, reason);
CREATE INDEX campaign_recipients_account ON campaign_recipients (account_id) WHERE account_id IS NOT NULL;

-- Every handing over to a channel. Its id is the id that the channel gets and reports.
CREATE TABLE campaign_handovers (
  id uuid PRIMARY KEY,
  campaign_id uuid NOT NULL,
  number integer NOT NULL,
  channel text NOT NULL CHECK (channel IN ('whatsapp', 'email', 'inbox')),
  connection_id uuid,
  -- Phone or e-mail address; null for the inbox.
  address varchar(254),
  -- `handed` until the channel answers; `uncertain` where nobody will say any more.
  state text NOT NULL CHECK (state IN ('handed', 'accepted', 'delivered', 'read', 'failed', 'uncertain')),
  provider_message_id varchar(200),
  reason text,
  detail varchar(300),
  handed_at timestamptz NOT NULL,
  -- The process that has it counts as dead after this.
  leased_until timestamptz,
  state_at timestamptz NOT NULL,
  FOREIGN KEY (campaign_id, number) REFERENCES campaign_recipients (campaign_id, number) ON DELETE CASCADE,
  CHECK ((state = 'handed') = (leased_until IS NOT NULL))
);
CREATE INDEX campaign_handovers_recipient ON campaign_handovers (campaign_id, number);
-- A recipient is in one pair of hands at a time.
CREATE UNIQUE INDEX campaign_handovers_open ON campaign_handovers (campaign_id, number) WHERE state = 'handed';
CREATE INDEX campaign_handovers_lease ON campaign_handovers (leased_until) WHERE state = 'handed';
CREATE INDEX campaign_handovers_pace ON campaign_handovers (channel, connection_id, handed_at);
CREATE INDEX campaign_handovers_provider ON campaign_handovers (provider_message_id) WHERE provider_message_id IS NOT NULL;
