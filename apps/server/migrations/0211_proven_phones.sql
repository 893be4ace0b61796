-- The WhatsApp number that sent the code of this account's chat: its messages alone stand in the conversation. A phone
-- that an account merely names may be anybody's.
ALTER TABLE conversations
  ADD COLUMN proven_phone varchar(20) CHECK (proven_phone IS NULL OR account_id IS NOT NULL),
  ADD COLUMN link_code varchar(20),
  ADD COLUMN link_code_until timestamptz,
  ADD CHECK ((link_code IS NULL) = (link_code_until IS NULL));
CREATE UNIQUE INDEX conversations_proven_phone ON conversations (proven_phone);
CREATE UNIQUE INDEX conversations_link_code ON conversations (link_code);
-- Order in which messages of one notice stand, whose times may be the same.
ALTER TABLE whatsapp_inbound ADD COLUMN number bigint GENERATED ALWAYS AS IDENTITY;
-- Answers to accounts no longer go to numbers that nobody has proven.
UPDATE conversations SET whatsapp_connection_id = NULL, whatsapp_phone = NULL, whatsapp_at = NULL
  WHERE account_id IS NOT NULL;
