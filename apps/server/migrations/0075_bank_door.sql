-- Most rupiah of one payment that a connection books by itself. Above it SNAP is refused; money that a gateway has moved is
-- held until two people book or dismiss it. The upper bound keeps sums of thousands of payments below 2^53.
ALTER TABLE provider_accounts
  ADD COLUMN maximum_amount bigint NOT NULL DEFAULT 1000000000 CHECK (maximum_amount BETWEEN 1 AND 1000000000000);
DROP TRIGGER provider_accounts_changed_with_approval ON provider_accounts;
CREATE CONSTRAINT TRIGGER provider_accounts_changed_with_approval
  AFTER UPDATE OF code, kind, active, base_url, settings, maximum_amount ON provider_accounts DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  WHEN ((OLD.code, OLD.kind, OLD.active, OLD.base_url, OLD.settings, OLD.maximum_amount)
    IS DISTINCT FROM (NEW.code, NEW.kind, NEW.active, NEW.base_url, NEW.settings, NEW.maximum_amount))
  EXECUTE FUNCTION provider_accounts_need_approval();

-- The time as the bank wrote it, where it is not believed; paid_at is the arrival of the report then.
ALTER TABLE payments ADD COLUMN paid_at_told varchar(60);

-- An amount above the maximum is an alert and no payment, so no total counts it. `told` is the payment as it was read.
DO $$
DECLARE
  old record;
BEGIN
  SELECT conname, pg_get_constraintdef(oid) AS definition INTO old FROM pg_constraint
   WHERE conrelid = 'payment_alerts'::regclass AND contype = 'c' AND pg_get_constraintdef(oid) LIKE '%''not_reported''%';
  EXECUTE format('ALTER TABLE payment_alerts DROP CONSTRAINT %I', old.conname);
  EXECUTE format('ALTER TABLE payment_alerts ADD CONSTRAINT %I %s', old.conname,
    replace(old.definition, '''not_reported''::text', '''not_reported''::text, ''above_maximum''::text'));
END $$;
ALTER TABLE payment_alerts ADD COLUMN told jsonb, ADD CHECK ((kind = 'above_maximum') = (told IS NOT NULL));
-- One payment is held once, whatever amounts a gateway tells of it.
CREATE UNIQUE INDEX payment_alerts_held_once ON payment_alerts (provider, provider_reference) WHERE kind = 'above_maximum';

-- Held amounts are booked or dismissed by a request that another account approves.
DO $$
DECLARE
  known text := (SELECT pg_get_constraintdef(oid) FROM pg_constraint
    WHERE conrelid = 'approval_requests'::regclass AND conname = 'approval_requests_kind_check');
BEGIN
  ALTER TABLE approval_requests DROP CONSTRAINT approval_requests_kind_check;
  EXECUTE 'ALTER TABLE approval_requests ADD CONSTRAINT approval_requests_kind_check '
    || replace(known, '''provider_connection''::text', '''provider_connection''::text, ''held_amount''::text');
END $$;
ALTER TABLE approval_requests
  ADD COLUMN payment_alert_id uuid REFERENCES payment_alerts (id),
  ADD CHECK ((kind = 'held_amount') = (payment_alert_id IS NOT NULL));
CREATE INDEX approval_requests_payment_alert ON approval_requests (payment_alert_id);
CREATE UNIQUE INDEX approval_requests_one_of_alert ON approval_requests (payment_alert_id) WHERE status = 'pending';

CREATE OR REPLACE FUNCTION approval_requests_keep_subject() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.statement_line_id IS DISTINCT FROM OLD.statement_line_id
    OR NEW.payment_alert_id IS DISTINCT FROM OLD.payment_alert_id
    OR (NEW.bank_account_id IS DISTINCT FROM OLD.bank_account_id AND (OLD.bank_account_id IS NOT NULL OR NEW.status <> 'approved'))
    OR (NEW.provider_account_id IS DISTINCT FROM OLD.provider_account_id AND (OLD.provider_account_id IS NOT NULL OR NEW.status <> 'approved'))
  THEN
    RAISE EXCEPTION 'the subject of an approval request cannot change' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
DROP TRIGGER approval_requests_keep_subject ON approval_requests;
CREATE TRIGGER approval_requests_keep_subject
  BEFORE UPDATE OF statement_line_id, bank_account_id, provider_account_id, payment_alert_id
  ON approval_requests FOR EACH ROW EXECUTE FUNCTION approval_requests_keep_subject();

-- What was held ends by an approved request about it, and stays as it was told.
CREATE FUNCTION payment_alerts_held_need_approval() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.told IS DISTINCT FROM OLD.told OR NEW.kind <> OLD.kind
    OR (NEW.settled_at IS DISTINCT FROM OLD.settled_at AND NOT EXISTS (SELECT FROM approval_requests q
      WHERE q.payment_alert_id = NEW.id AND q.kind = 'held_amount' AND q.status = 'approved'))
  THEN
    RAISE EXCEPTION 'nobody has approved what becomes of the held amount %', NEW.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER payment_alerts_held_need_approval AFTER UPDATE ON payment_alerts DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.kind = 'above_maximum') EXECUTE FUNCTION payment_alerts_held_need_approval();
CREATE TRIGGER payment_alerts_held_never_deleted BEFORE DELETE ON payment_alerts
  FOR EACH ROW WHEN (OLD.kind = 'above_maximum') EXECUTE FUNCTION refuse_rewriting();

-- Held amounts are decided about like connections: by roles that decide about any sum.
INSERT INTO approval_limits (role_id, kind, most)
  SELECT role_id, 'held_amount', NULL FROM approval_limits WHERE kind = 'provider_connection' ON CONFLICT DO NOTHING;

-- What came to the address of a connection without its signature. No money hangs on these rows: a job empties them after 30
-- days, while bank_reports, which count, are never deleted.
CREATE TABLE unverified_reports (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  provider varchar(20) NOT NULL,
  -- Network of the sender; empty where the server sent it to itself.
  network varchar(60) NOT NULL,
  -- Its beginning; `size` is all of it in bytes.
  body bytea NOT NULL,
  size integer NOT NULL,
  headers jsonb NOT NULL,
  outcome varchar(40) NOT NULL,
  received_at timestamptz NOT NULL
);
CREATE INDEX unverified_reports_provider ON unverified_reports (provider, received_at);
CREATE INDEX unverified_reports_received ON unverified_reports (received_at);
