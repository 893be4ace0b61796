-- One sender for campaigns and single messages: a handover belongs to a recipient of a campaign or to a message. That of a
-- message waits as `due` until the sender claims it, and has the id of its message.
ALTER TABLE campaign_handovers RENAME TO handovers;
ALTER INDEX campaign_handovers_pkey RENAME TO handovers_pkey;
ALTER INDEX campaign_handovers_recipient RENAME TO handovers_recipient;
ALTER INDEX campaign_handovers_open RENAME TO handovers_open;
ALTER INDEX campaign_handovers_lease RENAME TO handovers_lease;
ALTER INDEX campaign_handovers_pace RENAME TO handovers_pace;
ALTER INDEX campaign_handovers_provider RENAME TO handovers_provider;
ALTER TABLE handovers
  ALTER COLUMN campaign_id DROP NOT NULL,
  ALTER COLUMN number DROP NOT NULL,
  ALTER COLUMN handed_at DROP NOT NULL,
  DROP CONSTRAINT campaign_handovers_state_check,
  ADD COLUMN message_id uuid REFERENCES messages (id) ON DELETE CASCADE,
  -- Order in which messages leave, see packages/domain/src/messaging/urgency.ts.
  ADD COLUMN urgency smallint,
  ADD COLUMN due_at timestamptz,
  -- Connection that alone may send it: answers of the chat and tests. Null for the default one.
  ADD COLUMN bound_to uuid REFERENCES whatsapp_connections (id),
  ADD CONSTRAINT handovers_state_check
    CHECK (state IN ('due', 'handed', 'accepted', 'delivered', 'read', 'failed', 'uncertain')),
  ADD CONSTRAINT handovers_source_check CHECK (num_nonnulls(message_id, campaign_id) = 1
    AND (campaign_id IS NULL) = (number IS NULL) AND (message_id IS NULL) = (urgency IS NULL) AND message_id = id),
  ADD CONSTRAINT handovers_due_check CHECK ((state = 'due') = (due_at IS NOT NULL)
    AND (state <> 'due' OR message_id IS NOT NULL)),
  ADD CONSTRAINT handovers_handed_check CHECK (handed_at IS NOT NULL OR state IN ('due', 'failed'));

-- Messages that a process had when it ended may have arrived: they wait for the end of their lease or for a report.
CREATE TEMP TABLE messages_in_flight ON COMMIT DROP AS
  SELECT id FROM messages WHERE status = 'queued' AND channel = 'whatsapp' AND claimed_until IS NOT NULL;
DO $$
BEGIN
  IF to_regclass('pgboss.job') IS NULL THEN
    RETURN;
  END IF;
  INSERT INTO messages_in_flight SELECT id FROM messages
    WHERE status = 'queued' AND channel = 'email' AND attempts > 0
      AND id IN (SELECT (data ->> 'messageId')::uuid FROM pgboss.job WHERE name = 'deliver-message' AND state = 'active');
  DELETE FROM pgboss.job WHERE name IN ('deliver-message', 'deliver-whatsapp', 'sweep-messages');
END $$;

UPDATE messages SET status = 'failed', error = coalesce(error, 'interrupted')
  WHERE status = 'queued' AND channel <> 'inbox' AND to_address IS NULL;

INSERT INTO handovers (id, message_id, channel, urgency, connection_id, bound_to, state, due_at, provider_message_id, reason,
  detail, handed_at, leased_until, state_at)
SELECT m.id, m.id, m.channel,
  CASE WHEN event IN ('verify-email', 'reset-password', 'change-email', 'account-exists', 'account-invited') THEN 1
    WHEN event IN ('chat-answer', 'whatsapp-test') THEN 2
    WHEN event ~ '^(payment|bill|refund)-' OR event IN ('result-published', 'registration-accepted',
      'registration-not-accepted') THEN 3
    ELSE 4 END,
  m.connection_id, CASE WHEN event IN ('chat-answer', 'whatsapp-test') THEN m.connection_id END, s.state,
  CASE s.state WHEN 'due' THEN coalesce(m.due_at, now()) END, m.provider_message_id,
  CASE s.state WHEN 'failed' THEN coalesce(m.error, 'interrupted') END,
  CASE s.state WHEN 'failed' THEN m.error_detail END,
  CASE WHEN s.state <> 'due' THEN coalesce(m.handed_at, m.sent_at, m.created_at) END,
  -- Meta reports within an hour what it has; others say nothing any more.
  CASE s.state WHEN 'handed' THEN now() + interval '1 hour' END,
  coalesce(m.read_at, m.delivered_at, m.sent_at, m.created_at)
FROM messages m CROSS JOIN LATERAL (SELECT CASE
  WHEN m.status = 'sent' THEN 'accepted'
  WHEN m.status <> 'queued' THEN m.status
  WHEN m.id IN (SELECT f.id FROM messages_in_flight f) THEN 'handed'
  ELSE 'due' END AS state) s
WHERE m.channel <> 'inbox';

CREATE UNIQUE INDEX handovers_message ON handovers (message_id) WHERE message_id IS NOT NULL;
CREATE INDEX handovers_due ON handovers (channel, urgency, due_at) WHERE state = 'due';

-- Dropping the columns drops `messages_whatsapp_waiting` and `messages_handed`.
ALTER TABLE messages DROP COLUMN claimed_until, DROP COLUMN slot_at, DROP COLUMN due_at, DROP COLUMN handed_at;
