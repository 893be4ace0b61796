-- Applicants who wait for a seat of a full session, in the order of `number`. An offered seat counts in
-- test_session_seats.taken until the offer ends.
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
CREATE UNIQUE INDEX test_waiting_places_one ON test_waiting_places (registration_id) WHERE status IN ('waiting', 'offered');
CREATE INDEX test_waiting_places_next ON test_waiting_places (test_session_id, number) WHERE status IN ('waiting', 'offered');
CREATE INDEX test_waiting_places_session ON test_waiting_places (test_session_id);
CREATE INDEX test_waiting_places_registration ON test_waiting_places (registration_id);
CREATE INDEX test_waiting_places_due ON test_waiting_places (offered_until) WHERE status = 'offered';
