-- An offered place has a deadline of its own; NULL: that of the track or the wave.
ALTER TABLE registrations
  ADD COLUMN offer_due_at timestamptz,
  -- When the applicant first saw the present result, and was last reminded to answer.
  ADD COLUMN result_seen_at timestamptz,
  ADD COLUMN offer_reminded_at timestamptz;

-- Offers that wait for an answer are few; decided registrations that were refused stay for ever.
CREATE INDEX registrations_offers ON registrations (wave_id, track_id) WHERE status = 'decided' AND decision = 'accepted';
