-- What approving a request does is stored when it is asked and compared when it is approved. Requests asked before this
-- keep an empty effect, which equals none: they have to be asked anew.
ALTER TABLE approval_requests
  ADD COLUMN effect jsonb NOT NULL DEFAULT '{}',
  -- The request in whose place this one was asked.
  ADD COLUMN renews uuid UNIQUE REFERENCES approval_requests (id),
  DROP CONSTRAINT approval_requests_status_check,
  ADD CONSTRAINT approval_requests_status_check CHECK (status IN ('pending', 'approved', 'rejected', 'withdrawn', 'superseded')),
  DROP CONSTRAINT approval_requests_check1,
  ADD CONSTRAINT approval_requests_decided_by_another
    CHECK (status NOT IN ('approved', 'rejected') OR (decided_by IS NOT NULL AND decided_by <> requested_by)),
  ADD CHECK (status = 'pending' OR decided_by IS NOT NULL);

-- The same proof is found by its bytes.
CREATE INDEX files_payment_proofs ON files (sha256) WHERE purpose = 'payment-proof';
CREATE INDEX approval_requests_file ON approval_requests (file_id) WHERE file_id IS NOT NULL;

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
  -- A payment that approving makes is written on its request.
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

-- A refund pays what its approved request says, to whom it says.
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
