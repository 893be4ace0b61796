-- Exceptions, money without a bank report and settings that make money count once a second person has approved them.
-- The triggers refuse everything else, whatever program writes.

-- A request is decided by another account than the one that asked.
CREATE TABLE approval_requests (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  kind text NOT NULL CHECK (kind IN ('manual_payment', 'reversal', 'refund', 'waiver', 'discount',
    'guarantee', 'due_date', 'installment_plan', 'promise', 'statement_line', 'allocation', 'bank_account',
    'provider_connection', 'held_amount')),
  -- NULL for money of an unknown payer.
  registration_id uuid REFERENCES registrations (id),
  bill_id uuid REFERENCES bills (id),
  payment_id uuid REFERENCES payments (id),
  -- Whole rupiah, compared with the limit of the deciding role.
  amount bigint NOT NULL CHECK (amount >= 0),
  details jsonb NOT NULL DEFAULT '{}',
  file_id uuid REFERENCES files (id),
  reason varchar(500) NOT NULL,
  status text NOT NULL DEFAULT 'pending'
    CHECK (status IN ('pending', 'approved', 'rejected', 'withdrawn', 'superseded')),
  requested_by uuid NOT NULL REFERENCES accounts (id),
  requested_at timestamptz NOT NULL,
  decided_by uuid REFERENCES accounts (id),
  decided_at timestamptz,
  decision_reason varchar(500),
  -- What approving will do, computed when it is asked and compared when it is approved. An empty effect equals none:
  -- such a request has to be asked again.
  effect jsonb NOT NULL DEFAULT '{}',
  -- The request that this one replaces.
  renews uuid UNIQUE REFERENCES approval_requests (id),
  statement_line_id uuid REFERENCES statement_lines (id),
  -- NULL until approving has made the account or connection that was asked for.
  bank_account_id uuid REFERENCES bank_accounts (id),
  provider_account_id uuid REFERENCES provider_accounts (id),
  -- Limit of the deciding account at that moment, in rupiah; NULL for any sum. Unknown for decisions from before it was
  -- recorded.
  decider_limit bigint,
  decider_limit_known boolean NOT NULL DEFAULT false,
  payment_alert_id uuid REFERENCES payment_alerts (id),
  CHECK ((status = 'pending') = (decided_at IS NULL)),
  CONSTRAINT approval_requests_decided_by_another
    CHECK (status NOT IN ('approved', 'rejected') OR (decided_by IS NOT NULL AND decided_by <> requested_by)),
  CHECK (status = 'pending' OR decided_by IS NOT NULL),
  CHECK ((kind = 'statement_line') = (statement_line_id IS NOT NULL)),
  CHECK (bank_account_id IS NULL OR kind = 'bank_account'),
  CHECK (provider_account_id IS NULL OR kind = 'provider_connection'),
  CHECK ((kind = 'held_amount') = (payment_alert_id IS NOT NULL))
);
CREATE INDEX approval_requests_open ON approval_requests (requested_at, id) WHERE status = 'pending';
CREATE INDEX approval_requests_requested ON approval_requests (requested_at, id);
CREATE INDEX approval_requests_amount ON approval_requests (amount, id);
CREATE INDEX approval_requests_registration ON approval_requests (registration_id, requested_at);
CREATE INDEX approval_requests_bill ON approval_requests (bill_id);
CREATE INDEX approval_requests_payment ON approval_requests (payment_id);
CREATE INDEX approval_requests_asked_by ON approval_requests (requested_by, requested_at);
-- One open request for a bill, payment, line, account or connection, so that two exceptions never contradict each
-- other. Two payments may be given to one bill.
CREATE UNIQUE INDEX approval_requests_one_of_payment ON approval_requests (payment_id)
  WHERE status = 'pending' AND kind IN ('reversal', 'refund');
CREATE INDEX approval_requests_file ON approval_requests (file_id) WHERE file_id IS NOT NULL;
CREATE UNIQUE INDEX approval_requests_one_of_bill ON approval_requests (bill_id, kind)
  WHERE status = 'pending' AND kind NOT IN ('manual_payment', 'reversal', 'refund', 'allocation');
CREATE UNIQUE INDEX approval_requests_one_allocation ON approval_requests (payment_id)
  WHERE status = 'pending' AND kind = 'allocation';
CREATE UNIQUE INDEX approval_requests_one_of_line ON approval_requests (statement_line_id) WHERE status = 'pending';
CREATE INDEX approval_requests_bank_account ON approval_requests (bank_account_id);
CREATE UNIQUE INDEX approval_requests_one_of_bank_account ON approval_requests (bank_account_id)
  WHERE status = 'pending';
CREATE UNIQUE INDEX approval_requests_one_new_bank_account
  ON approval_requests (lower(details ->> 'bank'), (details ->> 'number'))
  WHERE status = 'pending' AND kind = 'bank_account' AND bank_account_id IS NULL;
CREATE INDEX approval_requests_provider_account ON approval_requests (provider_account_id);
CREATE UNIQUE INDEX approval_requests_one_of_provider ON approval_requests (provider_account_id)
  WHERE status = 'pending';
CREATE UNIQUE INDEX approval_requests_one_new_provider ON approval_requests ((details ->> 'code'))
  WHERE status = 'pending' AND kind = 'provider_connection' AND provider_account_id IS NULL;
CREATE INDEX approval_requests_payment_alert ON approval_requests (payment_alert_id);
CREATE UNIQUE INDEX approval_requests_one_of_alert ON approval_requests (payment_alert_id) WHERE status = 'pending';

-- What was asked never changes, and what was decided is final.
CREATE FUNCTION approval_requests_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.kind, NEW.registration_id, NEW.bill_id, NEW.amount, NEW.details, NEW.effect, NEW.file_id, NEW.reason,
      NEW.requested_by, NEW.requested_at, NEW.renews)
    IS DISTINCT FROM (OLD.kind, OLD.registration_id, OLD.bill_id, OLD.amount, OLD.details, OLD.effect, OLD.file_id,
      OLD.reason, OLD.requested_by, OLD.requested_at, OLD.renews)
  THEN
    RAISE EXCEPTION 'what an approval request asks cannot change' USING ERRCODE = 'check_violation';
  END IF;
  -- Approving writes the payment it made on its request.
  IF NEW.payment_id IS DISTINCT FROM OLD.payment_id AND (OLD.payment_id IS NOT NULL OR NEW.status <> 'approved') THEN
    RAISE EXCEPTION 'the payment of an approval request cannot change' USING ERRCODE = 'check_violation';
  END IF;
  IF OLD.status <> 'pending' AND (NEW.status, NEW.decided_by, NEW.decided_at, NEW.decision_reason)
    IS DISTINCT FROM (OLD.status, OLD.decided_by, OLD.decided_at, OLD.decision_reason)
  THEN
    RAISE EXCEPTION 'the decision about an approval request cannot change' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER approval_requests_keep BEFORE UPDATE ON approval_requests
  FOR EACH ROW EXECUTE FUNCTION approval_requests_keep();

-- The subject of a request is written once: when it is asked, or by approving, which makes it.
CREATE FUNCTION approval_requests_keep_subject() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER approval_requests_keep_subject
  BEFORE UPDATE OF statement_line_id, bank_account_id, provider_account_id, payment_alert_id
  ON approval_requests FOR EACH ROW EXECUTE FUNCTION approval_requests_keep_subject();

-- A payment that no bank reported needs an approved request for exactly that sum, and a request makes one payment.
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

-- Money of an unknown payer gets its payer by an approved request about a bill of that account. The account that asked
-- for the payment does not decide whose it is.
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

-- Every change of a bank account of the university names the approved request for it.
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

-- So does every change of a connection to a bank, except for its name.
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
CREATE CONSTRAINT TRIGGER provider_accounts_added_with_approval AFTER INSERT ON provider_accounts
  DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION provider_accounts_need_approval();
CREATE CONSTRAINT TRIGGER provider_accounts_changed_with_approval
  AFTER UPDATE OF code, kind, active, base_url, settings, maximum_amount ON provider_accounts DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  WHEN ((OLD.code, OLD.kind, OLD.active, OLD.base_url, OLD.settings, OLD.maximum_amount)
    IS DISTINCT FROM (NEW.code, NEW.kind, NEW.active, NEW.base_url, NEW.settings, NEW.maximum_amount))
  EXECUTE FUNCTION provider_accounts_need_approval();

-- Keys too: the owner of the keys of a connection can sign reports of its bank.
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

-- Accounts that may not decide about a request: those that asked for it or for a request that it renews, and,
-- `of_line`, those that asked for the statement line the money came from, imported its file, or released the line when
-- it was held.
CREATE FUNCTION approval_askers(request uuid) RETURNS TABLE (account_id uuid, of_line boolean) LANGUAGE sql STABLE AS $$
  WITH RECURSIVE asked AS (
    SELECT q.id, q.renews, q.kind, q.payment_id, q.statement_line_id, q.requested_by, false AS about_line
    FROM approval_requests q WHERE q.id = request
    UNION
    SELECT e.id, e.renews, e.kind, e.payment_id, e.statement_line_id, e.requested_by, n.about_line
    FROM asked a
    CROSS JOIN LATERAL (
      SELECT a.renews AS id, a.about_line WHERE a.renews IS NOT NULL
      UNION ALL
      SELECT p.approval_request_id, true FROM payments p
      WHERE a.kind = 'allocation' AND p.id = a.payment_id AND p.provider = 'statement') n
    JOIN approval_requests e ON e.id = n.id)
  SELECT requested_by, about_line FROM asked
  UNION
  SELECT said.account_id, true FROM asked a
  JOIN statement_lines l ON l.id = a.statement_line_id JOIN statement_imports i ON i.id = l.import_id
  CROSS JOIN LATERAL (VALUES (i.imported_by), (l.released_by)) AS said (account_id)
  WHERE said.account_id IS NOT NULL
$$;

CREATE FUNCTION approval_requests_refuse_askers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM approval_askers(NEW.id) WHERE account_id = NEW.decided_by) THEN
    RAISE EXCEPTION 'nobody has approved the request % but an account that asked for it', NEW.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER approval_requests_refuse_askers AFTER UPDATE OF status ON approval_requests FOR EACH ROW
  WHEN (OLD.status = 'pending' AND NEW.status = 'approved') EXECUTE FUNCTION approval_requests_refuse_askers();

-- The limit of the deciding account is part of the decision: the check of the books compares with it.
CREATE FUNCTION approval_requests_keep_limit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the limit of a decision about an approval request cannot change' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER approval_requests_keep_limit BEFORE UPDATE ON approval_requests
  FOR EACH ROW WHEN (OLD.status <> 'pending'
    AND (NEW.decider_limit, NEW.decider_limit_known) IS DISTINCT FROM (OLD.decider_limit, OLD.decider_limit_known))
  EXECUTE FUNCTION approval_requests_keep_limit();

-- A held amount is settled by an approved request about it, and stays as it was reported.
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

CREATE TRIGGER approval_requests_never_deleted BEFORE DELETE OR TRUNCATE ON approval_requests
  EXECUTE FUNCTION refuse_rewriting();

-- Columns of tables above that lead to this one.
ALTER TABLE bills ADD CONSTRAINT bills_promise_id_fkey FOREIGN KEY (promise_id) REFERENCES approval_requests (id);
ALTER TABLE provider_accounts ADD CONSTRAINT provider_accounts_approval_request_id_fkey
  FOREIGN KEY (approval_request_id) REFERENCES approval_requests (id);
ALTER TABLE provider_secrets ADD CONSTRAINT provider_secrets_approval_request_id_fkey
  FOREIGN KEY (approval_request_id) REFERENCES approval_requests (id);
ALTER TABLE payments ADD CONSTRAINT payments_approval_request_id_fkey
  FOREIGN KEY (approval_request_id) REFERENCES approval_requests (id);
ALTER TABLE bank_accounts ADD CONSTRAINT bank_accounts_approval_request_id_fkey
  FOREIGN KEY (approval_request_id) REFERENCES approval_requests (id);

-- Largest sum in rupiah that a role decides about, by kind of request; NULL: any sum. A role without a row decides
-- about none.
CREATE TABLE approval_limits (
  role_id uuid NOT NULL REFERENCES roles (id) ON DELETE CASCADE,
  kind text NOT NULL,
  most bigint CHECK (most > 0),
  PRIMARY KEY (role_id, kind)
);

-- Keys of a connection that wait for approval, encrypted like those in provider_secrets; NULL removes a key.
CREATE TABLE approval_secrets (
  approval_request_id uuid NOT NULL REFERENCES approval_requests (id) ON DELETE CASCADE,
  name varchar(30) NOT NULL,
  sealed text,
  last_four varchar(4),
  PRIMARY KEY (approval_request_id, name),
  CHECK ((sealed IS NULL) = (last_four IS NULL))
);

-- Every decision deletes the waiting keys at its commit; approving has moved them by then.
CREATE FUNCTION approval_secrets_forget() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM approval_secrets WHERE approval_request_id = NEW.id;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER approval_secrets_forget AFTER UPDATE OF status ON approval_requests
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.kind = 'provider_connection' AND NEW.status <> 'pending') EXECUTE FUNCTION approval_secrets_forget();

-- Money given back. Each refund is paid out once.
CREATE TABLE refunds (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  number varchar(40) NOT NULL UNIQUE,
  payment_id uuid NOT NULL REFERENCES payments (id),
  approval_request_id uuid NOT NULL UNIQUE REFERENCES approval_requests (id),
  amount bigint NOT NULL CHECK (amount > 0),
  -- The part by the refund policy; the rest had come by mistake.
  by_policy bigint NOT NULL CHECK (by_policy BETWEEN 0 AND amount),
  bank varchar(60) NOT NULL,
  account_number varchar(30) NOT NULL,
  account_holder varchar(120) NOT NULL,
  created_at timestamptz NOT NULL,
  paid_out_at timestamptz,
  paid_out_by uuid REFERENCES accounts (id),
  paid_out_reference varchar(80),
  CHECK ((paid_out_at IS NULL) = (paid_out_by IS NULL))
);
CREATE INDEX refunds_payment ON refunds (payment_id);
CREATE INDEX refunds_unpaid ON refunds (created_at) WHERE paid_out_at IS NULL;

-- A refund has the amount and the recipient of its approved request.
CREATE FUNCTION refunds_as_approved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM approval_requests q
    WHERE q.id = NEW.approval_request_id AND q.kind = 'refund' AND q.status = 'approved'
      AND q.payment_id = NEW.payment_id AND q.amount = NEW.amount AND q.details ->> 'bank' = NEW.bank
      AND q.details ->> 'accountNumber' = NEW.account_number AND q.details ->> 'accountHolder' = NEW.account_holder)
  THEN
    RAISE EXCEPTION 'a refund pays what was approved' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER refunds_as_approved
  BEFORE INSERT OR UPDATE OF approval_request_id, payment_id, amount, bank, account_number, account_holder ON refunds
  FOR EACH ROW EXECUTE FUNCTION refunds_as_approved();
