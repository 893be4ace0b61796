ALTER TABLE chat_messages
  DROP CONSTRAINT chat_messages_kind_check,
  ADD CONSTRAINT chat_messages_kind_check CHECK (kind IN ('text', 'file', 'note', 'event', 'unsupported', 'media'));

-- The file of a WhatsApp message of the kind `media`, as long as it is not stored here: Meta keeps it for some days.
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
