-- Conversations of the office with people, and of the staff with each other.

-- Conversations of the office with one person, and rooms in which staff talk to each other.
CREATE TABLE conversations (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  kind text NOT NULL CHECK (kind IN ('person', 'room')),
  account_id uuid REFERENCES accounts (id) ON DELETE CASCADE,
  lead_id uuid REFERENCES leads (id) ON DELETE SET NULL,
  -- WhatsApp number of a person without an account.
  phone varchar(20) CHECK (phone ~ '^\+[1-9][0-9]{4,17}$'),
  -- Name of a room, or of a person without an account.
  name varchar(120) CHECK (name !~ '[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]'),
  team text NOT NULL DEFAULT 'admissions' CHECK (team IN ('admissions', 'finance')),
  assignee_id uuid REFERENCES accounts (id) ON DELETE SET NULL,
  assigned_at timestamptz,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'closed')),
  -- Number of the last message, and of the last message that the person sees.
  last_seq integer NOT NULL DEFAULT 0,
  last_public_seq integer NOT NULL DEFAULT 0,
  last_message_at timestamptz,
  -- Since when the person waits for an answer, and when the answer is due, by office hours.
  waiting_since timestamptz,
  due_at timestamptz,
  -- Connection and time of the person's last WhatsApp message: free text may go out for 24 hours.
  whatsapp_connection_id uuid REFERENCES whatsapp_connections (id) ON DELETE SET NULL,
  whatsapp_at timestamptz,
  -- The person's number, or the user id if Meta sent no number.
  whatsapp_address varchar(140),
  -- Last unread answer that the person got a mail about.
  told_public_seq integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  -- The WhatsApp number that sent the code of this account's chat. Only its messages join the conversation: a phone
  -- that an account merely names may belong to another person.
  proven_phone varchar(20),
  link_code varchar(20),
  link_code_until timestamptz,
  -- Meta's id of a person without an account whose number it does not send, such as ID.13491208655302741918. It belongs
  -- to this university's business and changes with the person's number.
  user_id varchar(140),
  -- The user id that sent the code of this account's chat, or came with the number that sent it.
  proven_user_id varchar(140),
  CHECK (kind = 'person' OR (account_id IS NULL AND phone IS NULL AND name IS NOT NULL AND waiting_since IS NULL)),
  CHECK (proven_user_id IS NULL OR account_id IS NOT NULL),
  CHECK (assignee_id IS NULL OR assigned_at IS NOT NULL),
  CHECK (state = 'open' OR waiting_since IS NULL),
  CHECK ((waiting_since IS NULL) = (due_at IS NULL)),
  CHECK (proven_phone IS NULL OR account_id IS NOT NULL),
  CHECK ((link_code IS NULL) = (link_code_until IS NULL)),
  CHECK (user_id IS NULL OR (kind = 'person' AND account_id IS NULL)),
  CHECK (kind = 'room' OR account_id IS NOT NULL OR phone IS NOT NULL OR user_id IS NOT NULL)
);
CREATE UNIQUE INDEX conversations_account ON conversations (account_id);
CREATE UNIQUE INDEX conversations_phone ON conversations (phone);
CREATE UNIQUE INDEX conversations_room ON conversations (lower(name)) WHERE kind = 'room';
CREATE INDEX conversations_queue ON conversations (team, waiting_since, id)
  WHERE waiting_since IS NOT NULL AND assignee_id IS NULL;
CREATE INDEX conversations_waiting ON conversations (waiting_since, id) WHERE waiting_since IS NOT NULL;
CREATE INDEX conversations_assignee ON conversations (assignee_id, last_message_at DESC, id)
  WHERE assignee_id IS NOT NULL;
-- Orders of the inbox; people who do not wait come last.
CREATE INDEX conversations_by_waiting ON conversations ((coalesce(waiting_since, 'infinity'::timestamptz)), id)
  WHERE kind = 'person';
CREATE INDEX conversations_by_last_message ON conversations ((coalesce(last_message_at, '-infinity'::timestamptz)), id)
  WHERE kind = 'person';
CREATE INDEX conversations_recent ON conversations (last_message_at) WHERE kind = 'person' AND account_id IS NOT NULL;
CREATE INDEX conversations_lead ON conversations (lead_id);
CREATE INDEX conversations_whatsapp ON conversations (whatsapp_connection_id);
CREATE UNIQUE INDEX conversations_proven_phone ON conversations (proven_phone);
CREATE UNIQUE INDEX conversations_link_code ON conversations (link_code);
CREATE UNIQUE INDEX conversations_user ON conversations (user_id);
CREATE UNIQUE INDEX conversations_proven_user ON conversations (proven_user_id);
CREATE INDEX conversations_name ON conversations USING gin (search_key(name) gin_trgm_ops);
INSERT INTO conversations (kind, name, created_at) VALUES ('room', 'Tim PMB', now());

CREATE TABLE chat_messages (
  conversation_id uuid NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
  -- Without gaps; given under the lock of the conversation.
  seq integer NOT NULL CHECK (seq > 0),
  -- Number among the messages that the person sees, without gaps; NULL for notes and other messages for staff only.
  public_seq integer,
  -- Chosen by the sender's device: a message sent twice is one row.
  id uuid NOT NULL,
  author text NOT NULL CHECK (author IN ('person', 'staff', 'system')),
  author_id uuid REFERENCES accounts (id) ON DELETE SET NULL,
  kind text NOT NULL CHECK (kind IN ('text', 'file', 'note', 'event', 'unsupported', 'media')),
  body varchar(4000) NOT NULL DEFAULT '',
  -- Details of an event; the kind of a WhatsApp message that cannot be shown.
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
CREATE UNIQUE INDEX chat_messages_whatsapp ON chat_messages (whatsapp_id)
  WHERE whatsapp_id IS NOT NULL AND author = 'person';
CREATE INDEX chat_messages_author ON chat_messages (author_id);
CREATE INDEX chat_messages_file ON chat_messages (file_id) WHERE file_id IS NOT NULL;
CREATE INDEX chat_messages_message ON chat_messages (message_id) WHERE message_id IS NOT NULL;

-- Files of WhatsApp messages (kind `media`) that are not fetched yet; Meta keeps them for some days.
CREATE TABLE whatsapp_media (
  message_id uuid PRIMARY KEY REFERENCES chat_messages (id) ON DELETE CASCADE,
  connection_id uuid NOT NULL REFERENCES whatsapp_connections (id) ON DELETE CASCADE,
  media_id varchar(200) NOT NULL,
  kind text NOT NULL CHECK (kind IN ('image', 'document', 'audio')),
  -- File name of a document.
  name varchar(200),
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'failed', 'refused')),
  -- Why the last attempt failed, or why the file is refused for good.
  problem text,
  attempts integer NOT NULL DEFAULT 0,
  CHECK (state = 'waiting' OR problem IS NOT NULL)
);
CREATE INDEX whatsapp_media_connection ON whatsapp_media (connection_id);

-- How far each account has read: staff by `seq`, the person by `public_seq`.
CREATE TABLE chat_marks (
  conversation_id uuid NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  seq integer NOT NULL CHECK (seq >= 0),
  at timestamptz NOT NULL,
  -- Read messages beyond `seq`, from a conversation that was joined to this one.
  also_read int4multirange NOT NULL DEFAULT '{}',
  PRIMARY KEY (conversation_id, account_id)
);
CREATE INDEX chat_marks_account ON chat_marks (account_id);

-- Journal that wakes the streams of every process; kept for a day. Rows name what changed, without its content.
CREATE TABLE chat_events (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  conversation_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('message', 'read', 'state', 'writing')),
  seq integer,
  public_seq integer,
  -- The account that reads or writes.
  account_id uuid,
  at timestamptz NOT NULL
);
CREATE INDEX chat_events_at ON chat_events (at);
-- For a reader who was away and asks for the events of one conversation.
CREATE INDEX chat_events_conversation ON chat_events (conversation_id, id);

-- Teams that a member of staff answers for, and whether they are at work. At least one team: without a team, an agent
-- would be offered no conversation.
CREATE TABLE chat_agents (
  account_id uuid PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  teams text[] NOT NULL CHECK (teams <@ ARRAY['admissions', 'finance']) CHECK (teams <> '{}'),
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
