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

ALTER TABLE test_seats
  ADD COLUMN arrived_at timestamptz CHECK (arrived_at IS NULL OR status = 'attended'),
  ADD COLUMN left_at timestamptz CHECK (left_at >= arrived_at),
  -- Why somebody without a seat of this session was let in.
  ADD COLUMN forced_reason varchar(300),
  -- A seat beyond the capacity of a full session, which its counter does not count.
  ADD COLUMN extra boolean NOT NULL DEFAULT false CHECK (NOT extra OR forced_reason IS NOT NULL),
  -- Why an absence was excused: the seat is released for a seat of another session.
  ADD COLUMN excused_reason varchar(300) CHECK (excused_reason IS NULL OR status = 'released'),
  ADD CHECK (left_at IS NULL OR arrived_at IS NOT NULL);

-- Attendance noted before this migration becomes a scan of the desk.
INSERT INTO test_scans (id, test_session_id, registration_id, kind, outcome, at, device_at, device_id, device_name, received_at)
  SELECT gen_random_uuid(), t.test_session_id, t.registration_id, CASE t.status WHEN 'attended' THEN 'arrive' ELSE 'absent' END,
    'recorded', coalesce(r.tested_at, t.created_at), coalesce(r.tested_at, t.created_at),
    '00000000-0000-0000-0000-000000000000', 'PMB Online', coalesce(r.tested_at, t.created_at)
  FROM test_seats t JOIN registrations r ON r.id = t.registration_id WHERE t.status IN ('attended', 'absent');
UPDATE test_seats t SET arrived_at = coalesce(r.tested_at, t.created_at) FROM registrations r
  WHERE r.id = t.registration_id AND t.status = 'attended';
