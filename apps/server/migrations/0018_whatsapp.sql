-- Through what WhatsApp messages go out. Secrets stand here only as boxes that this installation's key opens.
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

  -- How it stands, written by whoever holds it; an edit of the fields above does not touch this.
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
  -- One process alone speaks for a linked phone; it renews this, and another may take over when it is over.
  lease_owner uuid,
  lease_until timestamptz,

  -- The pace: when the next message may go, and how many went in the period of 24 hours that is running.
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

-- What a linked phone's session consists of: whoever reads this in the clear is the phone.
CREATE TABLE whatsapp_device_keys (
  connection_id uuid NOT NULL REFERENCES whatsapp_connections (id) ON DELETE CASCADE,
  name text NOT NULL,
  sealed text NOT NULL,
  PRIMARY KEY (connection_id, name)
);

-- When somebody last wrote to us: for 24 hours after it Meta takes free text, otherwise an approved template only.
CREATE TABLE whatsapp_windows (
  connection_id uuid NOT NULL REFERENCES whatsapp_connections (id) ON DELETE CASCADE,
  phone varchar(20) NOT NULL,
  last_at timestamptz NOT NULL,
  PRIMARY KEY (connection_id, phone)
);

-- What was reported about messages, each once; kept because a report may come before our own answer is stored.
CREATE TABLE whatsapp_reports (
  provider_message_id varchar(200) NOT NULL,
  status text NOT NULL CHECK (status IN ('sent', 'delivered', 'read', 'failed')),
  happened_at timestamptz NOT NULL,
  problem text,
  problem_detail varchar(300),
  received_at timestamptz NOT NULL,
  PRIMARY KEY (provider_message_id, status)
);
CREATE INDEX whatsapp_reports_received ON whatsapp_reports (received_at);

ALTER TABLE messages
  ADD COLUMN connection_id uuid REFERENCES whatsapp_connections (id),
  ADD COLUMN provider_message_id varchar(200),
  ADD COLUMN provider_template jsonb,
  ADD COLUMN error_detail varchar(300),
  ADD COLUMN claimed_until timestamptz,
  ADD COLUMN slot_at timestamptz,
  ADD COLUMN due_at timestamptz,
  ADD COLUMN handed_at timestamptz,
  ADD COLUMN delivered_at timestamptz;
CREATE UNIQUE INDEX messages_provider_message ON messages (provider_message_id) WHERE provider_message_id IS NOT NULL;
CREATE INDEX messages_of_connection ON messages (connection_id, created_at DESC, id) WHERE connection_id IS NOT NULL;
CREATE INDEX messages_whatsapp_waiting ON messages (due_at) WHERE channel = 'whatsapp' AND status = 'queued';
CREATE INDEX messages_handed ON messages (connection_id, handed_at) WHERE handed_at IS NOT NULL;

-- Whoever does not want WhatsApp messages still gets e-mail and inbox.
ALTER TABLE accounts ADD COLUMN whatsapp boolean NOT NULL DEFAULT true;

-- Until a real connection is made, messages are written to the outbox and go nowhere.
INSERT INTO whatsapp_connections (name, kind, is_default) VALUES ('Outbox', 'log', true);
