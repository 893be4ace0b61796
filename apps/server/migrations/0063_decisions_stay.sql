-- The limit of whoever decided is part of the decision: the check of the books compares with it.
CREATE FUNCTION approval_requests_keep_limit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the limit of a decision about an approval request cannot change' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER approval_requests_keep_limit BEFORE UPDATE ON approval_requests
  FOR EACH ROW WHEN (OLD.status <> 'pending'
    AND (NEW.decider_limit, NEW.decider_limit_known) IS DISTINCT FROM (OLD.decider_limit, OLD.decider_limit_known))
  EXECUTE FUNCTION approval_requests_keep_limit();
CREATE TRIGGER approval_requests_never_deleted BEFORE DELETE OR TRUNCATE ON approval_requests
  EXECUTE FUNCTION refuse_rewriting();
