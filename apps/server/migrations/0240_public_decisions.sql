-- The history tells for each decision which publication shows it and which selection it comes from, so that figures of a
-- past day have the decisions that were public then, also if other decisions replaced them since.
ALTER TABLE registration_steps
  -- The decision is public from the publication after this one on; null: from the first.
  ADD COLUMN published_after smallint,
  -- The selection that decided, or on whose reserve list the place was offered; null: a person decided.
  ADD COLUMN selection_run_id uuid REFERENCES selection_runs (id) ON DELETE RESTRICT,
  -- A public refusal that everyone sees after it was undone, until the next decision is public.
  ADD COLUMN stays_shown boolean NOT NULL DEFAULT false,
  ADD CONSTRAINT registration_steps_of_decision CHECK (step IN ('accepted', 'not_accepted')
    OR (published_after IS NULL AND selection_run_id IS NULL)),
  ADD CONSTRAINT registration_steps_stays_shown CHECK (NOT stays_shown OR (step = 'not_accepted' AND undone_at IS NOT NULL));

ALTER TABLE registration_steps DISABLE TRIGGER USER;
UPDATE registration_steps s SET published_after = r.published_after, selection_run_id = coalesce(r.selection_run_id,
  (SELECT p.selection_run_id FROM reserve_places p
    WHERE p.registration_id = r.id AND p.status IN ('offered', 'taken') AND p.offered_at = r.decided_at LIMIT 1))
FROM registrations r
WHERE r.id = s.registration_id AND s.step IN ('accepted', 'not_accepted') AND s.undone_at IS NULL
  AND (r.published_after IS NOT NULL OR r.decided_at IS NOT NULL);
-- Of decisions taken back, those since `hidden_since` wait for the same publication as the present one.
UPDATE registration_steps s SET
  published_after = CASE WHEN s.at >= r.hidden_since THEN r.published_after END,
  selection_run_id = (SELECT n.id FROM audit_log l JOIN selection_runs n ON n.id::text = l.after ->> 'selectionRunId'
    WHERE l.subject_type = 'registration' AND l.subject_id = r.id::text AND l.at <= s.at
      AND l.action = CASE s.step WHEN 'accepted' THEN 'registration.accept' ELSE 'registration.reject' END
      AND l.id = (SELECT max(m.id) FROM audit_log m WHERE m.subject_type = 'registration' AND m.subject_id = l.subject_id
        AND m.action = l.action AND m.at <= s.at)),
  stays_shown = EXISTS (SELECT FROM shown_refusals x
    WHERE x.registration_id = r.id AND s.step = 'not_accepted' AND x.decided_at = s.at)
FROM registrations r
WHERE r.id = s.registration_id AND s.step IN ('accepted', 'not_accepted') AND s.undone_at IS NOT NULL;
ALTER TABLE registration_steps ENABLE TRIGGER USER;

CREATE INDEX registration_steps_selection_run_id ON registration_steps (selection_run_id) WHERE selection_run_id IS NOT NULL;
CREATE INDEX registration_steps_shown ON registration_steps (undone_at) WHERE stays_shown;

CREATE OR REPLACE FUNCTION registration_steps_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.undone_at IS NULL AND NEW.undone_at IS NOT NULL AND OLD.step <> 'moved'
    AND (to_jsonb(NEW) - 'undone_at' - 'stays_shown') = (to_jsonb(OLD) - 'undone_at' - 'stays_shown') THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'a step of a registration can only be taken back, once' USING ERRCODE = 'check_violation';
END $$;

CREATE OR REPLACE VIEW standing_registration_steps AS
SELECT r.id AS registration_id, s.step, s.at, s.published_after, s.selection_run_id
FROM registrations r CROSS JOIN LATERAL (VALUES
  ('started', r.created_at, NULL::smallint, NULL::uuid), ('submitted', r.submitted_at, NULL, NULL),
  ('paid', r.paid_at, NULL, NULL), ('verified', r.verified_at, NULL, NULL), ('tested', r.tested_at, NULL, NULL),
  (r.decision, CASE WHEN r.decision IS NOT NULL THEN r.decided_at END, r.published_after, r.selection_run_id),
  ('confirmed', r.confirmed_at, NULL, NULL), ('enrolled', r.enrolled_at, NULL, NULL),
  (r.status, CASE WHEN r.status IN ('withdrawn', 'cancelled', 'expired') THEN r.closed_at END, NULL, NULL)
) s (step, at, published_after, selection_run_id)
WHERE s.at IS NOT NULL;

CREATE OR REPLACE FUNCTION fill_registration_steps() RETURNS void LANGUAGE sql AS $$
  INSERT INTO registration_steps (registration_id, step, at, taken_by, published_after, selection_run_id)
  SELECT k.registration_id, k.step, k.at, a.id, k.published_after, k.selection_run_id
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
