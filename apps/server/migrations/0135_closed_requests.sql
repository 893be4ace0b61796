-- A request for another programme is closed with its registration.
ALTER TABLE programme_requests
  DROP CONSTRAINT programme_requests_status_check,
  ADD CONSTRAINT programme_requests_status_check
    CHECK (status IN ('pending', 'granted', 'refused', 'withdrawn', 'closed'));
UPDATE programme_requests q SET status = 'closed', decided_at = coalesce(r.closed_at, r.updated_at)
  FROM registrations r WHERE r.id = q.registration_id AND q.status = 'pending'
    AND r.status IN ('withdrawn', 'cancelled', 'expired', 'enrolled');

-- Checked at the end of the transaction; the lock makes a request and an end at the same moment wait for each other.
CREATE FUNCTION refuse_request_of_ended() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  registration uuid;
  is_ended boolean;
BEGIN
  IF TG_TABLE_NAME = 'registrations' THEN
    registration := NEW.id;
  ELSE
    registration := NEW.registration_id;
  END IF;
  SELECT status IN ('withdrawn', 'cancelled', 'expired') INTO is_ended FROM registrations WHERE id = registration FOR SHARE;
  IF is_ended AND EXISTS (SELECT FROM programme_requests WHERE registration_id = registration AND status = 'pending') THEN
    RAISE EXCEPTION 'a registration that has ended has no request' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER registrations_close_requests AFTER UPDATE OF status ON registrations
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.status IN ('withdrawn', 'cancelled', 'expired'))
  EXECUTE FUNCTION refuse_request_of_ended();
CREATE CONSTRAINT TRIGGER programme_requests_of_open AFTER INSERT OR UPDATE ON programme_requests
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.status = 'pending')
  EXECUTE FUNCTION refuse_request_of_ended();
