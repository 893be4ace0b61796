-- When a registration took each step, and when a step was taken back. The columns of registrations say how things stand
-- today; these rows say how they stood on any day before, so that a figure of last week stays what it was.
ALTER TABLE registrations ADD COLUMN tested_at timestamptz;
UPDATE registrations r SET tested_at = coalesce(
    (SELECT max(l.at) FROM audit_log l WHERE l.subject_type = 'registration' AND l.subject_id = r.id::text
       AND l.action = 'test-seat.attendance'),
    (t.date + t.start_time) AT TIME ZONE 'Asia/Jakarta')
  FROM test_seats s JOIN test_sessions t ON t.id = s.test_session_id
  WHERE s.registration_id = r.id AND s.status = 'attended';

CREATE TABLE registration_steps (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  registration_id uuid NOT NULL REFERENCES registrations (id),
  step text NOT NULL CHECK (step IN ('started', 'submitted', 'paid', 'verified', 'tested', 'accepted', 'not_accepted',
    'confirmed', 'enrolled', 'withdrawn', 'cancelled', 'expired', 'moved')),
  at timestamptz NOT NULL,
  undone_at timestamptz CHECK (undone_at >= at),
  -- Empty where the system took the step, or nobody knows who did.
  taken_by uuid REFERENCES accounts (id),
  -- Where a registration stood until it moved to another study programme or class programme.
  from_programme_id uuid REFERENCES study_programmes (id),
  from_class_programme_id uuid REFERENCES class_programmes (id),
  CHECK ((step = 'moved') = (from_class_programme_id IS NOT NULL)),
  CHECK (step = 'moved' OR from_programme_id IS NULL)
);

CREATE UNIQUE INDEX registration_steps_standing ON registration_steps (registration_id, step)
  WHERE undone_at IS NULL AND step <> 'moved';

-- The steps a registration stands on, as its columns have them.
CREATE VIEW standing_registration_steps AS
SELECT r.id AS registration_id, s.step, s.at
FROM registrations r CROSS JOIN LATERAL (VALUES
  ('started', r.created_at), ('submitted', r.submitted_at), ('paid', r.paid_at), ('verified', r.verified_at),
  ('tested', r.tested_at), (r.decision, CASE WHEN r.decision IS NOT NULL THEN r.decided_at END),
  ('confirmed', r.confirmed_at), ('enrolled', r.enrolled_at),
  (r.status, CASE WHEN r.status IN ('withdrawn', 'cancelled', 'expired') THEN r.closed_at END)
) s (step, at)
WHERE s.at IS NOT NULL;

-- Writes the steps that columns know of and no row yet: of this migration, and of rows that were not written by the server.
CREATE FUNCTION fill_registration_steps() RETURNS void LANGUAGE sql AS $$
  INSERT INTO registration_steps (registration_id, step, at, taken_by)
  SELECT k.registration_id, k.step, k.at, a.id
  FROM standing_registration_steps k
  LEFT JOIN (
    SELECT DISTINCT ON (subject_id, action) subject_id, actor_id, action FROM audit_log
    WHERE subject_type = 'registration' ORDER BY subject_id, action, id DESC
  ) l ON l.subject_id = k.registration_id::text AND l.action = CASE k.step
    WHEN 'started' THEN 'registration.create' WHEN 'submitted' THEN 'registration.submit'
    WHEN 'verified' THEN 'registration.verify' WHEN 'tested' THEN 'test-seat.attendance'
    WHEN 'accepted' THEN 'registration.accept' WHEN 'not_accepted' THEN 'registration.reject'
    WHEN 'confirmed' THEN 'registration.confirm' WHEN 'enrolled' THEN 'registration.enrol'
    WHEN 'withdrawn' THEN 'registration.withdraw' WHEN 'cancelled' THEN 'registration.cancel' END
  LEFT JOIN accounts a ON a.id = l.actor_id
  WHERE NOT EXISTS (SELECT FROM registration_steps s
    WHERE s.registration_id = k.registration_id AND s.step = k.step AND s.undone_at IS NULL)
  ON CONFLICT (registration_id, step) WHERE undone_at IS NULL AND step <> 'moved' DO NOTHING;
$$;
SELECT fill_registration_steps();

-- Steps that were taken back before these rows were kept, as the audit log tells of them.
INSERT INTO registration_steps (registration_id, step, at, undone_at, taken_by)
SELECT r.id, CASE taken.action WHEN 'registration.accept' THEN 'accepted' WHEN 'registration.reject' THEN 'not_accepted'
    WHEN 'registration.confirm' THEN 'confirmed' WHEN 'registration.verify' THEN 'verified' ELSE 'withdrawn' END,
  taken.at, back.at, a.id
FROM audit_log back
JOIN registrations r ON r.id::text = back.subject_id
CROSS JOIN LATERAL (
  SELECT l.action, l.at, l.actor_id FROM audit_log l
  WHERE l.subject_type = 'registration' AND l.subject_id = back.subject_id AND l.id < back.id
    AND l.action = ANY (CASE back.action WHEN 'registration.revertDecision' THEN ARRAY['registration.accept', 'registration.reject']
      WHEN 'registration.revertConfirmation' THEN ARRAY['registration.confirm']
      WHEN 'registration.unverify' THEN ARRAY['registration.verify'] ELSE ARRAY['registration.withdraw'] END)
  ORDER BY l.id DESC LIMIT 1
) taken
LEFT JOIN accounts a ON a.id = taken.actor_id
WHERE back.subject_type = 'registration' AND back.action IN ('registration.revertDecision',
  'registration.revertConfirmation', 'registration.unverify', 'registration.revertWithdrawal');

INSERT INTO registration_steps (registration_id, step, at, taken_by, from_programme_id, from_class_programme_id)
SELECT registration_id, 'moved', changed_at, changed_by, from_programme_id, from_class_programme_id FROM programme_changes;

CREATE INDEX registration_steps_registration ON registration_steps (registration_id, at);
-- A figure of a past day adds what has been taken back since, and puts who moved since where they stood: both are few.
CREATE INDEX registration_steps_undone ON registration_steps (undone_at, at) WHERE undone_at IS NOT NULL;
CREATE INDEX registration_steps_moved ON registration_steps (at) WHERE step = 'moved';

CREATE FUNCTION registration_steps_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.undone_at IS NULL AND NEW.undone_at IS NOT NULL AND OLD.step <> 'moved'
    AND (to_jsonb(NEW) - 'undone_at') = (to_jsonb(OLD) - 'undone_at') THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'a step of a registration can only be taken back, once' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER registration_steps_keep BEFORE UPDATE OR DELETE ON registration_steps
  FOR EACH ROW EXECUTE FUNCTION registration_steps_keep();
CREATE TRIGGER registration_steps_never_emptied BEFORE TRUNCATE ON registration_steps EXECUTE FUNCTION refuse_change();
