-- A session with people moves only together with a notice to them: whoever writes another time or place sets this too.
ALTER TABLE test_sessions ADD COLUMN people_told_at timestamptz;

-- PMB04: people have seats in the session. The constraint names the field of the form.
CREATE FUNCTION keep_people_told() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  refused_constraint text := CASE
    WHEN (NEW.date, NEW.start_time, NEW.end_time) IS DISTINCT FROM (OLD.date, OLD.start_time, OLD.end_time)
      THEN 'test_sessions_time_told'
    ELSE 'test_sessions_place_told'
  END;
BEGIN
  -- The lock waits for those who are taking a seat now.
  PERFORM FROM test_session_seats WHERE test_session_id = NEW.id FOR UPDATE;
  IF EXISTS (SELECT FROM test_session_seats WHERE test_session_id = NEW.id AND taken > 0) THEN
    RAISE EXCEPTION 'people of session % are not told', NEW.id USING ERRCODE = 'PMB04', CONSTRAINT = refused_constraint;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_people_told BEFORE UPDATE ON test_sessions FOR EACH ROW
  WHEN (
    (NEW.date, NEW.start_time, NEW.end_time, NEW.location)
      IS DISTINCT FROM (OLD.date, OLD.start_time, OLD.end_time, OLD.location)
    AND NEW.people_told_at IS NOT DISTINCT FROM OLD.people_told_at
  )
  EXECUTE FUNCTION keep_people_told();
