-- A line no bank reported, money of nobody, accounts of the university and connections to banks count once a second person
-- has approved them.
ALTER TABLE approval_requests
  DROP CONSTRAINT approval_requests_kind_check,
  ADD CONSTRAINT approval_requests_kind_check CHECK (kind IN ('manual_payment', 'reversal', 'refund', 'waiver', 'discount',
    'guarantee', 'due_date', 'installment_plan', 'promise', 'statement_line', 'allocation', 'bank_account',
    'provider_connection')),
  ADD COLUMN statement_line_id uuid REFERENCES statement_lines (id),
  -- Empty while an account or connection that does not exist yet is asked for.
  ADD COLUMN bank_account_id uuid REFERENCES bank_accounts (id),
  ADD COLUMN provider_account_id uuid REFERENCES provider_accounts (id),
  ADD CHECK ((kind = 'statement_line') = (statement_line_id IS NOT NULL)),
  ADD CHECK (bank_account_id IS NULL OR kind = 'bank_account'),
  ADD CHECK (provider_account_id IS NULL OR kind = 'provider_connection');

-- Two payments may be given to one bill.
DROP INDEX approval_requests_one_of_bill;
CREATE UNIQUE INDEX approval_requests_one_of_bill ON approval_requests (bill_id, kind)
  WHERE status = 'pending' AND kind NOT IN ('manual_payment', 'reversal', 'refund', 'allocation');
CREATE UNIQUE INDEX approval_requests_one_allocation ON approval_requests (payment_id) WHERE status = 'pending' AND kind = 'allocation';
CREATE UNIQUE INDEX approval_requests_one_of_line ON approval_requests (statement_line_id) WHERE status = 'pending';
CREATE INDEX approval_requests_bank_account ON approval_requests (bank_account_id);
CREATE UNIQUE INDEX approval_requests_one_of_bank_account ON approval_requests (bank_account_id) WHERE status = 'pending';
CREATE UNIQUE INDEX approval_requests_one_new_bank_account ON approval_requests (lower(details ->> 'bank'), (details ->> 'number'))
  WHERE status = 'pending' AND kind = 'bank_account' AND bank_account_id IS NULL;
CREATE INDEX approval_requests_provider_account ON approval_requests (provider_account_id);
CREATE UNIQUE INDEX approval_requests_one_of_provider ON approval_requests (provider_account_id) WHERE status = 'pending';
CREATE UNIQUE INDEX approval_requests_one_new_provider ON approval_requests ((details ->> 'code'))
  WHERE status = 'pending' AND kind = 'provider_connection' AND provider_account_id IS NULL;

-- The subject of a request is written down once: by approving, where it did not exist before.
CREATE FUNCTION approval_requests_keep_subject() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.statement_line_id IS DISTINCT FROM OLD.statement_line_id
    OR (NEW.bank_account_id IS DISTINCT FROM OLD.bank_account_id AND (OLD.bank_account_id IS NOT NULL OR NEW.status <> 'approved'))
    OR (NEW.provider_account_id IS DISTINCT FROM OLD.provider_account_id AND (OLD.provider_account_id IS NOT NULL OR NEW.status <> 'approved'))
  THEN
    RAISE EXCEPTION 'the subject of an approval request cannot change' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER approval_requests_keep_subject BEFORE UPDATE OF statement_line_id, bank_account_id, provider_account_id
  ON approval_requests FOR EACH ROW EXECUTE FUNCTION approval_requests_keep_subject();

-- Keys of a connection while they wait for approval, sealed like those in provider_secrets; an empty box takes a key away.
CREATE TABLE approval_secrets (
  approval_request_id uuid NOT NULL REFERENCES approval_requests (id) ON DELETE CASCADE,
  name varchar(30) NOT NULL,
  sealed text,
  last_four varchar(4),
  PRIMARY KEY (approval_request_id, name),
  CHECK ((sealed IS NULL) = (last_four IS NULL))
);
-- At the commit of a decision, whatever it was, no waiting key is left; approving has moved it by then.
CREATE FUNCTION approval_secrets_forget() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM approval_secrets WHERE approval_request_id = NEW.id;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER approval_secrets_forget AFTER UPDATE OF status ON approval_requests
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.kind = 'provider_connection' AND NEW.status <> 'pending') EXECUTE FUNCTION approval_secrets_forget();

-- The approved request that made the values of a row. Empty on rows from before this migration.
ALTER TABLE payments ADD COLUMN approval_request_id uuid REFERENCES approval_requests (id);
ALTER TABLE bank_accounts ADD COLUMN approval_request_id uuid UNIQUE REFERENCES approval_requests (id);
ALTER TABLE provider_accounts ADD COLUMN approval_request_id uuid UNIQUE REFERENCES approval_requests (id);
ALTER TABLE provider_secrets ADD COLUMN approval_request_id uuid REFERENCES approval_requests (id);
UPDATE payments p SET approval_request_id = q.id FROM approval_requests q
  WHERE q.payment_id = p.id AND q.kind = 'manual_payment' AND q.status = 'approved' AND p.provider = 'manual';
CREATE UNIQUE INDEX payments_approval ON payments (approval_request_id) WHERE approval_request_id IS NOT NULL;
CREATE INDEX provider_secrets_approval ON provider_secrets (approval_request_id);

-- Money that no bank reported exists by an approved request about just that sum, and each request makes it once.
CREATE FUNCTION payments_need_approval() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM approval_requests q
    WHERE q.id = NEW.approval_request_id AND q.status = 'approved' AND q.amount = NEW.amount
      AND CASE NEW.provider
        WHEN 'manual' THEN q.kind = 'manual_payment' AND q.id::text = NEW.provider_reference
        ELSE q.kind = 'statement_line' AND q.statement_line_id::text = NEW.provider_reference END)
  THEN
    RAISE EXCEPTION 'nobody has approved the payment %', NEW.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER payments_need_approval AFTER INSERT ON payments DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.provider IN ('manual', 'statement')) EXECUTE FUNCTION payments_need_approval();
CREATE TRIGGER payments_keep_approval BEFORE UPDATE OF approval_request_id ON payments FOR EACH ROW
  WHEN (OLD.approval_request_id IS DISTINCT FROM NEW.approval_request_id) EXECUTE FUNCTION refuse_rewriting();

-- Money of nobody becomes somebody's by an approved request about a bill of that account. Whoever said that the money came
-- does not decide whose it is.
CREATE FUNCTION payments_of_nobody_need_approval() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM approval_requests q JOIN bills b ON b.id = q.bill_id
    WHERE q.payment_id = NEW.id AND q.kind = 'allocation' AND q.status = 'approved' AND b.account_id = NEW.account_id
      AND NOT EXISTS (SELECT FROM approval_requests l WHERE l.id = NEW.approval_request_id AND l.requested_by = q.decided_by))
  THEN
    RAISE EXCEPTION 'nobody has approved whose the payment % is', NEW.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER payments_of_nobody_need_approval AFTER UPDATE OF account_id ON payments
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (OLD.account_id IS NULL AND NEW.account_id IS NOT NULL)
  EXECUTE FUNCTION payments_of_nobody_need_approval();

-- Every change of an account of the university names the approved request that asked for it.
CREATE FUNCTION bank_accounts_need_approval() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (TG_OP = 'UPDATE' AND NEW.approval_request_id IS NOT DISTINCT FROM OLD.approval_request_id)
    OR NOT EXISTS (SELECT FROM approval_requests q
      WHERE q.id = NEW.approval_request_id AND q.kind = 'bank_account' AND q.status = 'approved' AND q.bank_account_id = NEW.id)
  THEN
    RAISE EXCEPTION 'nobody has approved the bank account %', NEW.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER bank_accounts_added_with_approval AFTER INSERT ON bank_accounts DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION bank_accounts_need_approval();
CREATE CONSTRAINT TRIGGER bank_accounts_changed_with_approval
  AFTER UPDATE OF name, bank, number, holder, takes_transfers, active, mapping ON bank_accounts
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.name, OLD.bank, OLD.number, OLD.holder, OLD.takes_transfers, OLD.active, OLD.mapping)
    IS DISTINCT FROM (NEW.name, NEW.bank, NEW.number, NEW.holder, NEW.takes_transfers, NEW.active, NEW.mapping))
  EXECUTE FUNCTION bank_accounts_need_approval();

-- The same for address, settings and state of a connection to a bank. Its name may change without.
CREATE FUNCTION provider_accounts_need_approval() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (TG_OP = 'UPDATE' AND NEW.approval_request_id IS NOT DISTINCT FROM OLD.approval_request_id)
    OR NOT EXISTS (SELECT FROM approval_requests q WHERE q.id = NEW.approval_request_id
      AND q.kind = 'provider_connection' AND q.status = 'approved' AND q.provider_account_id = NEW.id)
  THEN
    RAISE EXCEPTION 'nobody has approved the connection %', NEW.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER provider_accounts_added_with_approval AFTER INSERT ON provider_accounts DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION provider_accounts_need_approval();
CREATE CONSTRAINT TRIGGER provider_accounts_changed_with_approval
  AFTER UPDATE OF code, kind, active, base_url, settings ON provider_accounts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.code, OLD.kind, OLD.active, OLD.base_url, OLD.settings)
    IS DISTINCT FROM (NEW.code, NEW.kind, NEW.active, NEW.base_url, NEW.settings))
  EXECUTE FUNCTION provider_accounts_need_approval();

-- Whoever owns the keys of a connection can sign reports of its bank.
CREATE FUNCTION provider_secrets_need_approval() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM approval_requests q WHERE q.id = NEW.approval_request_id AND q.kind = 'provider_connection'
    AND q.status = 'approved' AND q.provider_account_id = NEW.provider_account_id)
  THEN
    RAISE EXCEPTION 'nobody has approved a key of the connection %', NEW.provider_account_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER provider_secrets_need_approval AFTER INSERT OR UPDATE OF sealed, approval_request_id ON provider_secrets
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION provider_secrets_need_approval();

-- Roles that decide about money entered by hand decide about other money that no bank reported, up to the same sum.
INSERT INTO approval_limits (role_id, kind, most)
  SELECT l.role_id, added.kind, l.most FROM approval_limits l, unnest(ARRAY['statement_line', 'allocation']) AS added (kind)
  WHERE l.kind = 'manual_payment' ON CONFLICT DO NOTHING;
-- Settings have no sum: they are for the built-in roles and for roles that decide about any sum.
INSERT INTO approval_limits (role_id, kind, most)
  SELECT l.role_id, added.kind, NULL FROM approval_limits l JOIN roles r ON r.id = l.role_id,
    unnest(ARRAY['bank_account', 'provider_connection']) AS added (kind)
  WHERE l.kind = 'manual_payment' AND (r.built_in OR l.most IS NULL) ON CONFLICT DO NOTHING;
