-- Places taken are counted for every programme of an intake page: the index alone answers.
CREATE INDEX registrations_places ON registrations (wave_id, programme_id, class_programme_id, entry_level_id)
  WHERE decision = 'accepted' AND status IN ('decided', 'confirmed', 'enrolled');

-- The orders of the list of bills.
CREATE INDEX bills_newest ON bills (issued_at DESC, id DESC);
CREATE INDEX bills_total ON bills (total, id);
CREATE INDEX bills_due ON bills (due_at, id);

-- Students and confirmed applicants of a wave, newest first.
CREATE INDEX registrations_wave_students ON registrations (wave_id, created_at DESC, id DESC)
  WHERE status IN ('confirmed', 'enrolled');
