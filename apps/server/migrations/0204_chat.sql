-- A conversation of the office with one person, or a room in which the staff talk to each other.
CREATE TABLE conversations (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  kind text NOT NULL CHECK (kind IN ('person', 'room')),
  account_id uuid REFERENCES accounts (id) ON DELETE CASCADE,
  lead_id uuid REFERENCES leads (id) ON DELETE SET NULL,
  -- WhatsApp number of a person without an account.
  phone varchar(20) CHECK (phone ~ '^\+[1-9][0-9]{4,17}$'),
  -- Name of a room, or of a person without an account.
  name varchar(120),
  team text NOT NULL DEFAULT 'admissions' CHECK (team IN ('admissions', 'finance')),
  assignee_id uuid REFERENCES accounts (id) ON DELETE SET NULL,
  assigned_at timestamptz,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'closed')),
  -- Number of the last message, and of the last one that the person sees.
  last_seq integer NOT NULL DEFAULT 0,
  last_public_seq integer NOT NULL DEFAULT 0,
  last_message_at timestamptz,
  -- Since when the person waits for an answer, and when it is due in office hours.
  waiting_since timestamptz,
  due_at timestamptz,
  -- Connection of the person's last WhatsApp message and its time: free text may go out for 24 hours.
  whatsapp_connection_id uuid REFERENCES whatsapp_connections (id) ON DELETE SET NULL,
  whatsapp_at timestamptz,
  whatsapp_phone varchar(20),
  -- Last answer of which the person was told by mail, as it had not been read.
  told_public_seq integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  CHECK (kind = 'person' OR (account_id IS NULL AND phone IS NULL AND name IS NOT NULL AND waiting_since IS NULL)),
  CHECK (kind = 'room' OR account_id IS NOT NULL OR phone IS NOT NULL),
  CHECK (assignee_id IS NULL OR assigned_at IS NOT NULL),
  CHECK (state = 'open' OR waiting_since IS NULL),
  CHECK ((waiting_since IS NULL) = (due_at IS NULL))
);
CREATE UNIQUE INDEX conversations_account ON conversations (account_id);
CREATE UNIQUE INDEX conversations_phone ON conversations (phone);
CREATE UNIQUE INDEX conversations_room ON conversations (lower(name)) WHERE kind = 'room';
CREATE INDEX conversations_queue ON conversations (team, waiting_since, id)
  WHERE waiting_since IS NOT NULL AND assignee_id IS NULL;
CREATE INDEX conversations_waiting ON conversations (waiting_since, id) WHERE waiting_since IS NOT NULL;
CREATE INDEX conversations_assignee ON conversations (assignee_id, last_message_at DESC, id) WHERE assignee_id IS NOT NULL;
-- The orders of the inbox; people who do not wait come last.
CREATE INDEX conversations_by_waiting ON conversations ((coalesce(waiting_since, 'infinity'::timestamptz)), id)
  WHERE kind = 'person';
CREATE INDEX conversations_by_last_message ON conversations ((coalesce(last_message_at, '-infinity'::timestamptz)), id)
  WHERE kind = 'person';
CREATE INDEX conversations_recent ON conversations (last_message_at) WHERE kind = 'person' AND account_id IS NOT NULL;
CREATE INDEX conversations_lead ON conversations (lead_id);
CREATE INDEX conversations_name ON conversations USING gin (name gin_trgm_ops);
CREATE INDEX conversations_whatsapp ON conversations (whatsapp_connection_id);

CREATE TABLE chat_messages (
  conversation_id uuid NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
  -- Without gaps, taken under the lock of the conversation.
  seq integer NOT NULL CHECK (seq > 0),
  -- Number among the messages that the person sees, without gaps; null for notes and what the staff alone see.
  public_seq integer,
  -- Chosen by the sender's device: a message sent twice is one row.
  id uuid NOT NULL,
  author text NOT NULL CHECK (author IN ('person', 'staff', 'system')),
  author_id uuid REFERENCES accounts (id) ON DELETE SET NULL,
  kind text NOT NULL CHECK (kind IN ('text', 'file', 'note', 'event', 'unsupported')),
  body varchar(4000) NOT NULL DEFAULT '',
  -- What happened, for events; which kind of WhatsApp message cannot be shown.
  data jsonb,
  file_id uuid REFERENCES files (id),
  -- The WhatsApp message that brought it, or that takes it to the person.
  whatsapp_id varchar(200),
  message_id uuid REFERENCES messages (id) ON DELETE SET NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (conversation_id, seq),
  CHECK (kind <> 'note' OR public_seq IS NULL),
  CHECK ((kind = 'file') = (file_id IS NOT NULL)),
  CHECK (kind NOT IN ('text', 'note') OR btrim(body) <> '')
);
CREATE UNIQUE INDEX chat_messages_id ON chat_messages (id);
CREATE UNIQUE INDEX chat_messages_public ON chat_messages (conversation_id, public_seq) WHERE public_seq IS NOT NULL;
CREATE UNIQUE INDEX chat_messages_whatsapp ON chat_messages (whatsapp_id) WHERE whatsapp_id IS NOT NULL AND author = 'person';
CREATE INDEX chat_messages_author ON chat_messages (author_id);
CREATE INDEX chat_messages_file ON chat_messages (file_id) WHERE file_id IS NOT NULL;
CREATE INDEX chat_messages_message ON chat_messages (message_id) WHERE message_id IS NOT NULL;

-- How far each account has read. Staff count by `seq`, the person by `public_seq`.
CREATE TABLE chat_marks (
  conversation_id uuid NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  seq integer NOT NULL CHECK (seq >= 0),
  at timestamptz NOT NULL,
  PRIMARY KEY (conversation_id, account_id)
);
CREATE INDEX chat_marks_account ON chat_marks (account_id);

-- Journal that wakes the streams of every process; kept for a day. Says what changed, not how.
CREATE TABLE chat_events (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  conversation_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('message', 'read', 'state', 'writing')),
  seq integer,
  public_seq integer,
  -- Who reads or writes.
  account_id uuid,
  at timestamptz NOT NULL
);
CREATE INDEX chat_events_at ON chat_events (at);

-- Which teams somebody of the staff answers for, and whether they are at work.
CREATE TABLE chat_agents (
  account_id uuid PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  teams text[] NOT NULL CHECK (teams <@ ARRAY['admissions', 'finance']),
  on_duty boolean NOT NULL DEFAULT false,
  updated_at timestamptz NOT NULL
);

CREATE TABLE canned_replies (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  title varchar(80) NOT NULL CHECK (title = btrim(title) AND title <> ''),
  team text CHECK (team IN ('admissions', 'finance')),
  body_id varchar(2000) NOT NULL CHECK (btrim(body_id) <> ''),
  body_en varchar(2000) NOT NULL CHECK (btrim(body_en) <> ''),
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  updated_by uuid REFERENCES accounts (id) ON DELETE SET NULL
);
CREATE UNIQUE INDEX canned_replies_title ON canned_replies (lower(title));
CREATE INDEX canned_replies_updated_by ON canned_replies (updated_by);

-- Messages that people sent through the Cloud API, stored before anything is read from them.
CREATE TABLE whatsapp_inbound (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  connection_id uuid NOT NULL REFERENCES whatsapp_connections (id) ON DELETE CASCADE,
  provider_message_id varchar(200) NOT NULL,
  phone varchar(20) NOT NULL,
  -- Name in the person's WhatsApp profile.
  profile_name varchar(120),
  raw jsonb NOT NULL,
  sent_at timestamptz NOT NULL,
  received_at timestamptz NOT NULL,
  handled_at timestamptz,
  problem varchar(300)
);
CREATE UNIQUE INDEX whatsapp_inbound_message ON whatsapp_inbound (connection_id, provider_message_id);
CREATE INDEX whatsapp_inbound_open ON whatsapp_inbound (received_at) WHERE handled_at IS NULL;
CREATE INDEX whatsapp_inbound_received ON whatsapp_inbound (received_at);

ALTER TABLE lead_origins DROP CONSTRAINT lead_origins_kind_check,
  ADD CONSTRAINT lead_origins_kind_check CHECK (kind IN ('event', 'survey', 'staff', 'file', 'chat'));

INSERT INTO conversations (kind, name, created_at) VALUES ('room', 'Tim PMB', now());
