-- Rooms of a test session. A session with rooms has the sum of their capacities; one without rooms has its own.
CREATE TABLE test_session_rooms (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  test_session_id uuid NOT NULL REFERENCES test_sessions (id) ON DELETE CASCADE,
  name varchar(80) NOT NULL,
  capacity integer NOT NULL CHECK (capacity BETWEEN 1 AND 10000),
  -- Seats are numbered from 1 to `capacity`, in a grid row by row from the front.
  seat_rows integer CHECK (seat_rows BETWEEN 1 AND 100),
  seat_columns integer CHECK (seat_columns BETWEEN 1 AND 100),
  -- Numbers of the seats given to people with special needs first.
  special_seats integer[] NOT NULL DEFAULT '{}',
  position integer NOT NULL DEFAULT 1,
  CHECK ((seat_rows IS NULL) = (seat_columns IS NULL)),
  CHECK (capacity <= seat_rows * seat_columns),
  CHECK (1 <= ALL (special_seats) AND capacity >= ALL (special_seats)),
  UNIQUE (test_session_id, id)
);
CREATE UNIQUE INDEX test_session_rooms_name ON test_session_rooms (test_session_id, lower(name));

ALTER TABLE test_sessions
  -- How seats were given at last; NULL until then.
  ADD COLUMN seating_rule text CHECK (seating_rule IN ('name', 'lot', 'school')),
  ADD COLUMN seating_seed text,
  ADD COLUMN seated_at timestamptz,
  ADD COLUMN cancelled_at timestamptz,
  ADD COLUMN cancel_reason varchar(500),
  ADD CHECK ((seating_rule IS NULL) = (seated_at IS NULL)),
  ADD CHECK (cancelled_at IS NULL OR NOT active);

-- The counter holds the capacity too, so that one row answers who gets the last seat.
UPDATE test_sessions s SET capacity = c.taken FROM test_session_seats c
  WHERE c.test_session_id = s.id AND c.taken > s.capacity;
INSERT INTO test_session_seats (test_session_id, taken) SELECT id, 0 FROM test_sessions ON CONFLICT DO NOTHING;
ALTER TABLE test_session_seats ADD COLUMN capacity integer;
UPDATE test_session_seats c SET capacity = s.capacity FROM test_sessions s WHERE s.id = c.test_session_id;
ALTER TABLE test_session_seats
  ALTER COLUMN capacity SET NOT NULL,
  ADD CONSTRAINT test_session_seats_capacity CHECK (taken <= capacity);

ALTER TABLE test_seats
  ADD COLUMN room_id uuid,
  ADD COLUMN seat_number integer CHECK (seat_number > 0),
  ADD CHECK ((room_id IS NULL) = (seat_number IS NULL)),
  ADD FOREIGN KEY (test_session_id, room_id) REFERENCES test_session_rooms (test_session_id, id);
CREATE UNIQUE INDEX test_seats_place ON test_seats (test_session_id, room_id, seat_number)
  WHERE room_id IS NOT NULL AND status <> 'released';

-- PMB02: fewer seats than are taken. PMB03: the capacity of a session with rooms follows from them.
CREATE FUNCTION keep_session_capacity() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  of_rooms integer;
  seats_taken integer;
BEGIN
  SELECT sum(capacity) INTO of_rooms FROM test_session_rooms WHERE test_session_id = NEW.id;
  IF of_rooms <> NEW.capacity THEN
    RAISE EXCEPTION 'session % has rooms for %', NEW.id, of_rooms USING ERRCODE = 'PMB03';
  END IF;
  SELECT taken INTO seats_taken FROM test_session_seats WHERE test_session_id = NEW.id FOR UPDATE;
  IF seats_taken > NEW.capacity THEN
    RAISE EXCEPTION '% seats of session % are taken', seats_taken, NEW.id USING ERRCODE = 'PMB02';
  END IF;
  INSERT INTO test_session_seats (test_session_id, taken, capacity) VALUES (NEW.id, 0, NEW.capacity)
    ON CONFLICT (test_session_id) DO UPDATE SET capacity = excluded.capacity;
  RETURN NULL;
END $$;
CREATE TRIGGER keep_session_capacity AFTER INSERT OR UPDATE OF capacity ON test_sessions
  FOR EACH ROW EXECUTE FUNCTION keep_session_capacity();

CREATE FUNCTION add_up_rooms() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  session_id uuid := coalesce(NEW.test_session_id, OLD.test_session_id);
BEGIN
  -- The lock comes first, so that the sum sees the rooms of a transaction it waited for.
  PERFORM FROM test_sessions WHERE id = session_id FOR NO KEY UPDATE;
  UPDATE test_sessions s SET capacity = r.capacity
    FROM (SELECT sum(capacity) AS capacity FROM test_session_rooms WHERE test_session_id = session_id) r
    WHERE s.id = session_id AND r.capacity <> s.capacity;
  RETURN NULL;
END $$;
CREATE TRIGGER add_up_rooms AFTER INSERT OR DELETE OR UPDATE OF capacity ON test_session_rooms
  FOR EACH ROW EXECUTE FUNCTION add_up_rooms();

CREATE FUNCTION keep_taken_places() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM test_seats WHERE test_session_id = NEW.test_session_id AND room_id = NEW.id
      AND status <> 'released' AND seat_number > NEW.capacity) THEN
    RAISE EXCEPTION 'seats beyond % of room % are taken', NEW.capacity, NEW.id USING ERRCODE = 'PMB02';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_taken_places BEFORE UPDATE OF capacity ON test_session_rooms
  FOR EACH ROW WHEN (NEW.capacity < OLD.capacity) EXECUTE FUNCTION keep_taken_places();

-- A released seat leaves its place; a given one lies within its room.
CREATE FUNCTION keep_place_in_room() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  places integer;
BEGIN
  IF NEW.status = 'released' THEN
    NEW.room_id := NULL;
    NEW.seat_number := NULL;
    RETURN NEW;
  END IF;
  SELECT capacity INTO places FROM test_session_rooms WHERE id = NEW.room_id FOR SHARE;
  IF NEW.seat_number > places THEN
    RAISE EXCEPTION 'room % has % seats', NEW.room_id, places USING ERRCODE = 'PMB02';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_place_in_room BEFORE INSERT OR UPDATE OF status, room_id, seat_number ON test_seats
  FOR EACH ROW WHEN (NEW.room_id IS NOT NULL) EXECUTE FUNCTION keep_place_in_room();

-- Trials read the rooms of the university in place.
CREATE OR REPLACE FUNCTION trial_settings() RETURNS text[] IMMUTABLE LANGUAGE sql AS $$
  SELECT ARRAY[
    'schema_migrations', 'permissions', 'roles', 'role_permissions', 'role_scopes', 'menus', 'role_menus',
    'settings', 'faculties', 'degree_levels', 'entry_levels', 'class_programmes', 'study_programmes', 'waves', 'tracks',
    'fee_components', 'programme_details', 'tuition_fees', 'track_details', 'track_files', 'provinces', 'cities',
    'districts', 'villages', 'religions', 'ethnic_groups', 'school_types', 'school_majors', 'schools', 'school_search',
    'school_aliases', 'school_names', 'tests', 'test_sessions', 'test_session_tests', 'test_session_rooms',
    'registration_fees', 'installment_plans', 'installment_terms', 'donations', 'discounts', 'affiliates',
    'school_agreements', 'message_templates', 'message_placeholders', 'approval_limits', 'refund_policies'
  ]
$$;
