-- Messages to one person, and the WhatsApp connections they go through.

-- Texts of the university for messages of the product; without a row the built-in text is sent.
CREATE TABLE message_templates (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  event text NOT NULL,
  channel text NOT NULL CHECK (channel IN ('inbox', 'email', 'whatsapp')),
  provider_template varchar(100),
  subject_en varchar(200),
  body_en varchar(2000) NOT NULL,
  subject_id varchar(200),
  body_id varchar(2000) NOT NULL,
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid,
  CONSTRAINT message_templates_subject_one_line CHECK (subject_id !~ '[[:cntrl:]]' AND subject_en !~ '[[:cntrl:]]')
);
CREATE UNIQUE INDEX message_templates_one ON message_templates (event, channel);

-- Refuses placeholders that the event does not have, whatever program writes the text.
CREATE FUNCTION message_templates_check_placeholders() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  part record;
  wrong text;
BEGIN
  FOR part IN SELECT * FROM (VALUES ('subject_en', NEW.subject_en), ('subject_id', NEW.subject_id),
    ('body_en', NEW.body_en), ('body_id', NEW.body_id)) AS texts (name, text) WHERE texts.text IS NOT NULL
  LOOP
    SELECT '{{' || hit[1] || '}}' INTO wrong
    FROM regexp_matches(part.text, '\{\{\s*([^{}]*?)\s*\}\}', 'g') AS hit
    WHERE NOT EXISTS (SELECT 1 FROM message_placeholders p WHERE p.event = NEW.event AND p.name = hit[1]) LIMIT 1;
    IF wrong IS NULL THEN
      wrong := substring(regexp_replace(part.text, '\{\{\s*([^{}]*?)\s*\}\}', '', 'g') FROM '\{\{|\}\}');
    END IF;
    IF wrong IS NOT NULL THEN
      RAISE EXCEPTION 'The text asks for something that is not known'
        USING ERRCODE = 'check_violation', TABLE = 'message_templates', DETAIL = wrong,
          CONSTRAINT = 'message_templates_' || part.name || '_placeholders';
    END IF;
  END LOOP;
  RETURN NEW;
END $$;
CREATE TRIGGER message_templates_placeholders BEFORE INSERT OR UPDATE OF event, subject_en, subject_id, body_en, body_id
  ON message_templates FOR EACH ROW EXECUTE FUNCTION message_templates_check_placeholders();

-- Names allowed between double braces, by event. Every start fills the table from the list of the program.
CREATE TABLE message_placeholders (
  event text NOT NULL,
  name text NOT NULL,
  PRIMARY KEY (event, name)
);

-- WhatsApp connections. Secrets are encrypted with the key of the installation.
CREATE TABLE whatsapp_connections (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name varchar(100) NOT NULL,
  kind text NOT NULL CHECK (kind IN ('cloud', 'device', 'log')),
  phone varchar(20),
  active boolean NOT NULL DEFAULT true,
  is_default boolean NOT NULL DEFAULT false,
  per_minute integer NOT NULL DEFAULT 20 CHECK (per_minute BETWEEN 1 AND 4800),
  per_day integer NOT NULL DEFAULT 1000 CHECK (per_day BETWEEN 1 AND 1000000),
  phone_number_id varchar(40),
  business_account_id varchar(40),
  graph_url varchar(200) NOT NULL DEFAULT 'https://graph.facebook.com',
  graph_version varchar(10) NOT NULL DEFAULT 'v24.0',
  access_token_sealed text,
  access_token_set_at timestamptz,
  app_secret_sealed text,
  app_secret_set_at timestamptz,
  verify_token_sealed text,
  verify_token_set_at timestamptz,
  verified_name text,
  quality text,
  -- State, written by the process that holds the connection; edits of the fields above do not touch it.
  state text NOT NULL DEFAULT 'off' CHECK (state IN ('off', 'connecting', 'pairing', 'open', 'retrying')),
  problem text,
  problem_detail varchar(300),
  problem_at timestamptz,
  connected_at timestamptz,
  checked_at timestamptz,
  retry_at timestamptz,
  wish text NOT NULL DEFAULT 'off' CHECK (wish IN ('off', 'on', 'log_out')),
  pairing_phone varchar(20),
  pairing_sealed text,
  pairing_until timestamptz,
  -- The one process that speaks for a linked phone. It renews the lease; another process may take over when it has run
  -- out.
  lease_owner uuid,
  lease_until timestamptz,
  -- Pace: when the next message may go, and how many went in the running period of 24 hours.
  next_slot_at timestamptz,
  day_started_at timestamptz,
  day_count integer NOT NULL DEFAULT 0,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid,
  CONSTRAINT whatsapp_connections_default_is_active CHECK (active OR NOT is_default),
  CONSTRAINT whatsapp_connections_cloud_number CHECK (kind <> 'cloud' OR phone_number_id IS NOT NULL)
);
CREATE UNIQUE INDEX whatsapp_connections_name ON whatsapp_connections (lower(name));
CREATE UNIQUE INDEX whatsapp_connections_default ON whatsapp_connections (is_default) WHERE is_default;
-- Until a real connection is made, messages are written to the outbox and go nowhere.
INSERT INTO whatsapp_connections (name, kind, is_default) VALUES ('Outbox', 'log', true);

-- Session keys of a linked phone, encrypted: a reader of the plain keys could write as the phone.
CREATE TABLE whatsapp_device_keys (
  connection_id uuid NOT NULL REFERENCES whatsapp_connections (id) ON DELETE CASCADE,
  name text NOT NULL,
  sealed text NOT NULL,
  PRIMARY KEY (connection_id, name)
);

CREATE TABLE messages (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid REFERENCES accounts (id) ON DELETE CASCADE,
  channel text NOT NULL CHECK (channel IN ('inbox', 'email', 'whatsapp')),
  to_address text,
  event text NOT NULL,
  language text NOT NULL CHECK (language IN ('en', 'id')),
  subject text NOT NULL,
  body text NOT NULL,
  link text,
  status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'sent', 'delivered', 'read', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  error text,
  created_at timestamptz NOT NULL DEFAULT now(),
  sent_at timestamptz,
  read_at timestamptz,
  connection_id uuid REFERENCES whatsapp_connections (id),
  provider_message_id varchar(200),
  provider_template jsonb,
  error_detail varchar(300),
  delivered_at timestamptz,
  -- One attached file.
  file_id uuid REFERENCES files (id) ON DELETE SET NULL,
  -- Permission that the account must still have when the mail leaves; a mail with a report may wait for an hour.
  needs_permission text
);
CREATE INDEX messages_account ON messages (account_id, channel, created_at DESC);
CREATE INDEX messages_unread ON messages (account_id) WHERE channel = 'inbox' AND read_at IS NULL;
CREATE INDEX messages_to ON messages (lower(to_address), created_at DESC);
CREATE INDEX messages_status ON messages (status, channel, created_at) WHERE status IN ('queued', 'failed');
CREATE INDEX messages_created ON messages (created_at DESC);
CREATE UNIQUE INDEX messages_provider_message ON messages (provider_message_id) WHERE provider_message_id IS NOT NULL;
CREATE INDEX messages_of_connection ON messages (connection_id, created_at DESC, id) WHERE connection_id IS NOT NULL;
CREATE INDEX messages_file_id ON messages (file_id) WHERE file_id IS NOT NULL;

-- When a person last wrote to us: for 24 hours Meta accepts free text, afterwards only approved templates. The address
-- is the person's number, or the user id if Meta sent no number.
CREATE TABLE whatsapp_windows (
  connection_id uuid NOT NULL REFERENCES whatsapp_connections (id) ON DELETE CASCADE,
  address varchar(140) NOT NULL,
  last_at timestamptz NOT NULL,
  PRIMARY KEY (connection_id, address)
);

-- People that a connection has written to: each counts once a day.
CREATE TABLE whatsapp_people (
  connection_id uuid NOT NULL REFERENCES whatsapp_connections (id) ON DELETE CASCADE,
  address varchar(140) NOT NULL,
  counted_at timestamptz NOT NULL,
  PRIMARY KEY (connection_id, address)
);
CREATE INDEX whatsapp_people_counted ON whatsapp_people (counted_at);

-- Reports about messages, each once. Kept because a report may come before the answer to our request is stored.
CREATE TABLE whatsapp_reports (
  provider_message_id varchar(200) NOT NULL,
  status text NOT NULL CHECK (status IN ('sent', 'delivered', 'read', 'failed')),
  happened_at timestamptz NOT NULL,
  problem text,
  problem_detail varchar(300),
  received_at timestamptz NOT NULL,
  -- Our id of the message or handover, which Meta returns with its report.
  callback_id uuid,
  PRIMARY KEY (provider_message_id, status)
);
CREATE INDEX whatsapp_reports_received ON whatsapp_reports (received_at);

-- Every item of a signed notice of Meta, stored before it is read: a message of a person, a report about a message of
-- ours, or another notice.
CREATE TABLE whatsapp_items (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  connection_id uuid NOT NULL
    CONSTRAINT whatsapp_inbound_connection_id_fkey REFERENCES whatsapp_connections (id) ON DELETE CASCADE,
  -- Meta's message id, with the status for a report; else the SHA-256 of the item.
  key varchar(300) NOT NULL,
  -- Phone and user id find the items of a person who is erased.
  phone varchar(20),
  raw bytea NOT NULL,
  received_at timestamptz NOT NULL,
  handled_at timestamptz,
  detail varchar(300),
  -- Order within a notice, whose items may have the same time.
  number bigint GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME whatsapp_inbound_number_seq),
  kind text NOT NULL CHECK (kind IN ('message', 'status', 'notice')),
  user_id varchar(140),
  problem text CHECK (problem IN ('unreadable', 'no_sender', 'unknown_status', 'other_number', 'failed'))
);
CREATE UNIQUE INDEX whatsapp_items_key ON whatsapp_items (connection_id, kind, key);
CREATE INDEX whatsapp_items_open ON whatsapp_items (kind, received_at, number) WHERE handled_at IS NULL;
CREATE INDEX whatsapp_items_received ON whatsapp_items (received_at);
CREATE INDEX whatsapp_items_problem ON whatsapp_items (received_at) WHERE problem IS NOT NULL;
CREATE INDEX whatsapp_items_phone ON whatsapp_items (phone) WHERE phone IS NOT NULL;
CREATE INDEX whatsapp_items_user ON whatsapp_items (user_id) WHERE user_id IS NOT NULL;
