-- Every item of a signed notice of Meta, kept as it came before anything is read from it: a person's message, a report
-- about a message of ours, or a notice that holds neither.
ALTER TABLE whatsapp_inbound RENAME TO whatsapp_items;
ALTER TABLE whatsapp_items RENAME COLUMN provider_message_id TO key;
ALTER TABLE whatsapp_items RENAME COLUMN problem TO detail;
ALTER TABLE whatsapp_items
  ADD COLUMN kind text NOT NULL DEFAULT 'message' CHECK (kind IN ('message', 'status', 'notice')),
  ADD COLUMN user_id varchar(140),
  ADD COLUMN problem text CHECK (problem IN ('unreadable', 'no_sender', 'unknown_status', 'other_number', 'failed')),
  -- Message id of Meta, with the status for a report; else the SHA-256 of the item.
  ALTER COLUMN key TYPE varchar(300),
  -- By phone and user id an item goes with the person who is erased.
  ALTER COLUMN phone DROP NOT NULL,
  ALTER COLUMN raw TYPE bytea USING convert_to(jsonb_build_object(
    'item', raw || jsonb_build_object('timestamp', extract(epoch FROM sent_at)::bigint::text),
    'contact', jsonb_build_object('wa_id', substr(phone, 2), 'profile', jsonb_build_object('name', profile_name)))::text, 'UTF8');
ALTER TABLE whatsapp_items ALTER COLUMN kind DROP DEFAULT, DROP COLUMN profile_name, DROP COLUMN sent_at;
UPDATE whatsapp_items SET problem = 'failed' WHERE detail IS NOT NULL;

DROP INDEX whatsapp_inbound_message;
CREATE UNIQUE INDEX whatsapp_items_key ON whatsapp_items (connection_id, kind, key);
ALTER INDEX whatsapp_inbound_pkey RENAME TO whatsapp_items_pkey;
DROP INDEX whatsapp_inbound_open;
CREATE INDEX whatsapp_items_open ON whatsapp_items (kind, received_at, number) WHERE handled_at IS NULL;
ALTER INDEX whatsapp_inbound_received RENAME TO whatsapp_items_received;
CREATE INDEX whatsapp_items_problem ON whatsapp_items (received_at) WHERE problem IS NOT NULL;
CREATE INDEX whatsapp_items_phone ON whatsapp_items (phone) WHERE phone IS NOT NULL;
CREATE INDEX whatsapp_items_user ON whatsapp_items (user_id) WHERE user_id IS NOT NULL;

-- A person with a user name may show no number. Meta gives each a user id within this university's business, such as
-- ID.13491208655302741918; it changes with the person's number.
ALTER TABLE conversations
  ADD COLUMN user_id varchar(140),
  -- The user id that sent the code of this account's chat, or came with the number that did.
  ADD COLUMN proven_user_id varchar(140) CHECK (proven_user_id IS NULL OR account_id IS NOT NULL),
  ADD CHECK (user_id IS NULL OR (kind = 'person' AND account_id IS NULL)),
  DROP CONSTRAINT conversations_check1,
  ADD CHECK (kind = 'room' OR account_id IS NOT NULL OR phone IS NOT NULL OR user_id IS NOT NULL),
  ALTER COLUMN whatsapp_phone TYPE varchar(140);
CREATE UNIQUE INDEX conversations_user ON conversations (user_id);
CREATE UNIQUE INDEX conversations_proven_user ON conversations (proven_user_id);
-- The person's number, or the user id where none came.
ALTER TABLE conversations RENAME COLUMN whatsapp_phone TO whatsapp_address;
ALTER TABLE whatsapp_windows RENAME COLUMN phone TO address;
ALTER TABLE whatsapp_windows ALTER COLUMN address TYPE varchar(140);
ALTER TABLE whatsapp_people RENAME COLUMN phone TO address;
ALTER TABLE whatsapp_people ALTER COLUMN address TYPE varchar(140);
