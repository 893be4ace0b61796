-- Our own id of the message, which Meta returns with its report; of a message or of a handover of a campaign.
ALTER TABLE whatsapp_reports ADD COLUMN callback_id uuid;

-- The pace of the mail server (`mail`) and of the domains it writes to (`mail:example.com`).
CREATE TABLE sending_paces (
  name varchar(300) PRIMARY KEY,
  next_slot_at timestamptz,
  -- Recipients that found no slot wait until then at most; the next one waits behind them.
  postponed_to timestamptz
);

-- What a rolling day has used, in buckets of ten minutes: mails, and people written to by a WhatsApp connection.
CREATE TABLE sending_counts (
  name varchar(300) NOT NULL,
  at timestamptz NOT NULL,
  taken integer NOT NULL,
  PRIMARY KEY (name, at)
);
CREATE INDEX sending_counts_at ON sending_counts (at);

-- People whom a WhatsApp connection has written to: within a day each counts once.
CREATE TABLE whatsapp_people (
  connection_id uuid NOT NULL REFERENCES whatsapp_connections (id) ON DELETE CASCADE,
  phone varchar(20) NOT NULL,
  counted_at timestamptz NOT NULL,
  PRIMARY KEY (connection_id, phone)
);
CREATE INDEX whatsapp_people_counted ON whatsapp_people (counted_at);

-- Each channel takes its own recipients: those that wait for another one are not read.
DROP INDEX campaign_recipients_due;
CREATE INDEX campaign_recipients_due ON campaign_recipients (campaign_id, (channels[1]), due_at, number)
  WHERE state = 'planned';
