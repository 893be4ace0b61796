-- A seat given while its session was being cancelled goes back; who had booked one sees that the session is cancelled.
UPDATE test_seats t SET status = 'released', released_at = now()
FROM test_sessions s WHERE s.id = t.test_session_id AND s.cancelled_at IS NOT NULL AND t.status IN ('held', 'booked');
UPDATE test_session_seats c SET taken = (SELECT count(*) FROM test_seats t
    WHERE t.test_session_id = c.test_session_id AND t.status <> 'released' AND NOT t.extra)
FROM test_sessions s WHERE s.id = c.test_session_id AND s.cancelled_at IS NOT NULL;

-- Seats are given and sessions cancelled under the lock of the session's counter; this refuses what forgets it.
CREATE FUNCTION refuse_seat_in_cancelled_session() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM test_sessions WHERE id = NEW.test_session_id AND cancelled_at IS NOT NULL) THEN
    RAISE EXCEPTION 'test session % is cancelled', NEW.test_session_id USING ERRCODE = 'check_violation', TABLE = 'test_seats';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER test_seats_not_cancelled BEFORE INSERT OR UPDATE OF test_session_id, status ON test_seats
  FOR EACH ROW WHEN (NEW.status IN ('held', 'booked')) EXECUTE FUNCTION refuse_seat_in_cancelled_session();
