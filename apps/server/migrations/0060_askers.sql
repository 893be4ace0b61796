-- Accounts that do not decide about a request: everybody who asked for it or for a request that it renews, and, `of_line`,
-- everybody who asked for the statement line from which the money came or imported its file.
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
  SELECT i.imported_by, true FROM asked a
  JOIN statement_lines l ON l.id = a.statement_line_id JOIN statement_imports i ON i.id = l.import_id
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
