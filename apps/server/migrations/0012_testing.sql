-- Admission tests: sessions, rooms, seats, the waiting list and attendance.

CREATE TABLE tests (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  code varchar(10) NOT NULL,
  name varchar(120) NOT NULL,
  kind text NOT NULL DEFAULT 'cbt' CHECK (kind IN ('cbt', 'interview', 'health', 'portfolio')),
  max_score numeric(12, 2) NOT NULL DEFAULT 100 CHECK (max_score BETWEEN 0 AND 1000),
  weight numeric(12, 2) NOT NULL DEFAULT 1 CHECK (weight BETWEEN 0 AND 100),
  passing_grade numeric(12, 2) CHECK (passing_grade BETWEEN 0 AND 1000),
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid
);
CREATE UNIQUE INDEX tests_code_key ON tests (lower(code) text_pattern_ops);

CREATE TABLE test_sessions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  wave_id uuid NOT NULL REFERENCES waves (id) ON DELETE RESTRICT,
  track_id uuid REFERENCES tracks (id) ON DELETE RESTRICT,
  name varchar(120) NOT NULL,
  date date NOT NULL,
  start_time time NOT NULL,
  end_time time NOT NULL,
  mode text NOT NULL DEFAULT 'onsite' CHECK (mode IN ('onsite', 'online')),
  location varchar(300) NOT NULL,
  capacity integer NOT NULL CHECK (capacity BETWEEN 0 AND 100000),
  booking_opens_at timestamptz,
  booking_closes_at timestamptz,
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid,
  -- Rule of the last seating; NULL before the first.
  seating_rule text CHECK (seating_rule IN ('name', 'lot', 'school')),
  seating_seed text,
  seated_at timestamptz,
  cancelled_at timestamptz,
  cancel_reason varchar(500),
  -- Set by every write that changes time or place of a session with people, because a notice to them goes with it.
  people_told_at timestamptz,
  CHECK (start_time < end_time),
  CHECK (booking_opens_at < booking_closes_at),
  CHECK ((seating_rule IS NULL) = (seated_at IS NULL)),
  CHECK (cancelled_at IS NULL OR NOT active)
);
CREATE INDEX test_sessions_wave_id ON test_sessions (wave_id);
CREATE INDEX test_sessions_track_id ON test_sessions (track_id);

CREATE TABLE test_session_tests (
  test_session_id uuid NOT NULL REFERENCES test_sessions (id) ON DELETE CASCADE,
  test_id uuid NOT NULL REFERENCES tests (id) ON DELETE RESTRICT,
  PRIMARY KEY (test_session_id, test_id)
);
CREATE INDEX test_session_tests_test_id ON test_session_tests (test_id);

-- Rooms of a session. The capacity of a session with rooms is the sum of theirs.
CREATE TABLE test_session_rooms (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  test_session_id uuid NOT NULL REFERENCES test_sessions (id) ON DELETE CASCADE,
  name varchar(80) NOT NULL,
  capacity integer NOT NULL CHECK (capacity BETWEEN 1 AND 10000),
  -- Seats are numbered from 1 to `capacity`, in a grid row by row from the front.
  seat_rows integer CHECK (seat_rows BETWEEN 1 AND 100),
  seat_columns integer CHECK (seat_columns BETWEEN 1 AND 100),
  -- Seats given to people with special needs first.
  special_seats integer[] NOT NULL DEFAULT '{}',
  position integer NOT NULL DEFAULT 1,
  CHECK ((seat_rows IS NULL) = (seat_columns IS NULL)),
  CHECK (capacity <= seat_rows * seat_columns),
  CHECK (1 <= ALL (special_seats) AND capacity >= ALL (special_seats)),
  UNIQUE (test_session_id, id)
);
CREATE UNIQUE INDEX test_session_rooms_name ON test_session_rooms (test_session_id, lower(name));

CREATE FUNCTION add_up_rooms() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  session_id uuid := coalesce(NEW.test_session_id, OLD.test_session_id);
BEGIN
  -- Lock before adding up, so that the sum sees the rooms of a transaction it waited for.
  PERFORM FROM test_sessions WHERE id = session_id FOR NO KEY UPDATE;
  UPDATE test_sessions s SET capacity = r.capacity
    FROM (SELECT sum(capacity) AS capacity FROM test_session_rooms WHERE test_session_id = session_id) r
    WHERE s.id = session_id AND r.capacity <> s.capacity;
  RETURN NULL;
END $$;
CREATE TRIGGER add_up_rooms AFTER INSERT OR DELETE OR UPDATE OF capacity ON test_session_rooms
  FOR EACH ROW EXECUTE FUNCTION add_up_rooms();

-- Counter of the seats taken, with the capacity beside it: one guarded statement decides who gets the last seat.
CREATE TABLE test_session_seats (
  test_session_id uuid PRIMARY KEY REFERENCES test_sessions (id) ON DELETE CASCADE,
  taken integer NOT NULL DEFAULT 0 CHECK (taken >= 0),
  capacity integer NOT NULL,
  CONSTRAINT test_session_seats_capacity CHECK (taken <= capacity)
);

-- PMB02: fewer seats than are taken. PMB03: the capacity of a session with rooms follows from the rooms.
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

-- PMB04: people have seats in the session, and people_told_at was not set. The constraint names the field of the form.
CREATE FUNCTION keep_people_told() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  refused_constraint text := CASE
    WHEN (NEW.date, NEW.start_time, NEW.end_time) IS DISTINCT FROM (OLD.date, OLD.start_time, OLD.end_time)
      THEN 'test_sessions_time_told'
    ELSE 'test_sessions_place_told'
  END;
BEGIN
  -- Waits for transactions that are taking a seat.
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

CREATE TABLE test_seats (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  test_session_id uuid NOT NULL REFERENCES test_sessions (id),
  registration_id uuid NOT NULL REFERENCES registrations (id) ON DELETE CASCADE,
  status text NOT NULL CHECK (status IN ('held', 'booked', 'attended', 'absent', 'released')),
  held_until timestamptz,
  booked_at timestamptz,
  released_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  room_id uuid,
  seat_number integer CHECK (seat_number > 0),
  arrived_at timestamptz,
  left_at timestamptz,
  -- Why a person without a seat in this session was let in.
  forced_reason varchar(300),
  -- Beyond the capacity; test_session_seats does not count it.
  extra boolean NOT NULL DEFAULT false,
  -- Why an absence was excused; the seat is released in favour of another session.
  excused_reason varchar(300),
  CHECK ((room_id IS NULL) = (seat_number IS NULL)),
  FOREIGN KEY (test_session_id, room_id) REFERENCES test_session_rooms (test_session_id, id),
  CHECK (arrived_at IS NULL OR status = 'attended'),
  CHECK (left_at >= arrived_at),
  CHECK (NOT extra OR forced_reason IS NOT NULL),
  CHECK (excused_reason IS NULL OR status = 'released'),
  CHECK (left_at IS NULL OR arrived_at IS NOT NULL)
);
CREATE UNIQUE INDEX test_seats_one ON test_seats (registration_id) WHERE status <> 'released';
CREATE INDEX test_seats_session ON test_seats (test_session_id, status);
CREATE INDEX test_seats_held ON test_seats (held_until) WHERE status = 'held';
CREATE UNIQUE INDEX test_seats_place ON test_seats (test_session_id, room_id, seat_number)
  WHERE room_id IS NOT NULL AND status <> 'released';

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

-- A released seat gives up its place; a given place lies within its room.
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

-- Seats are given and sessions cancelled under the lock of the counter; this refuses a writer that forgets the lock.
CREATE FUNCTION refuse_seat_in_cancelled_session() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM test_sessions WHERE id = NEW.test_session_id AND cancelled_at IS NOT NULL) THEN
    RAISE EXCEPTION 'test session % is cancelled', NEW.test_session_id USING ERRCODE = 'check_violation', TABLE = 'test_seats';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER test_seats_not_cancelled BEFORE INSERT OR UPDATE OF test_session_id, status ON test_seats
  FOR EACH ROW WHEN (NEW.status IN ('held', 'booked')) EXECUTE FUNCTION refuse_seat_in_cancelled_session();

-- Reminders sent; a moved session deletes them and reminds again.
CREATE TABLE test_seat_reminders (
  test_seat_id uuid NOT NULL REFERENCES test_seats (id) ON DELETE CASCADE,
  hours_before integer NOT NULL CHECK (hours_before > 0),
  sent_at timestamptz NOT NULL,
  PRIMARY KEY (test_seat_id, hours_before)
);

-- Applicants who wait for a seat in a full session, by `number`. An offered seat counts as taken until the offer ends.
CREATE TABLE test_waiting_places (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  number bigint GENERATED ALWAYS AS IDENTITY,
  test_session_id uuid NOT NULL REFERENCES test_sessions (id),
  registration_id uuid NOT NULL REFERENCES registrations (id) ON DELETE CASCADE,
  status text NOT NULL DEFAULT 'waiting'
    CHECK (status IN ('waiting', 'offered', 'accepted', 'declined', 'expired', 'left', 'closed')),
  joined_at timestamptz NOT NULL,
  offered_at timestamptz,
  offered_until timestamptz CHECK (offered_until > offered_at),
  ended_at timestamptz,
  CHECK (status <> 'offered' OR offered_until IS NOT NULL),
  CHECK ((status IN ('waiting', 'offered')) = (ended_at IS NULL))
);
CREATE UNIQUE INDEX test_waiting_places_one ON test_waiting_places (registration_id)
  WHERE status IN ('waiting', 'offered');
CREATE INDEX test_waiting_places_next ON test_waiting_places (test_session_id, number)
  WHERE status IN ('waiting', 'offered');
CREATE INDEX test_waiting_places_session ON test_waiting_places (test_session_id);
CREATE INDEX test_waiting_places_registration ON test_waiting_places (registration_id);
CREATE INDEX test_waiting_places_due ON test_waiting_places (offered_until) WHERE status = 'offered';

-- Scans and marks of attendance as devices sent them; attendance of a seat is derived from them.
CREATE TABLE test_scans (
  -- Chosen by the device: a scan sent twice is one row.
  id uuid PRIMARY KEY,
  test_session_id uuid NOT NULL REFERENCES test_sessions (id),
  registration_id uuid REFERENCES registrations (id),
  kind text NOT NULL CHECK (kind IN ('arrive', 'leave', 'absent', 'cancel')),
  outcome text NOT NULL
    CHECK (outcome IN ('recorded', 'repeated', 'other_session', 'no_seat', 'not_eligible', 'unknown_card')),
  reason varchar(300),
  -- Time of the device, corrected by the difference between its clock and the server's.
  at timestamptz NOT NULL CHECK (at <= received_at),
  device_at timestamptz NOT NULL,
  device_id uuid NOT NULL,
  device_name varchar(80) NOT NULL,
  received_at timestamptz NOT NULL,
  scanned_by uuid REFERENCES accounts (id),
  CHECK ((registration_id IS NULL) = (outcome = 'unknown_card'))
);
CREATE INDEX test_scans_session ON test_scans (test_session_id, registration_id);
CREATE INDEX test_scans_registration ON test_scans (registration_id);
CREATE INDEX test_scans_scanned_by ON test_scans (scanned_by);

CREATE TRIGGER test_scans_append_only BEFORE UPDATE OR DELETE ON test_scans
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
