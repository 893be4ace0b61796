-- When the applicant was told the present decision. Messages say it too, but a nightly job deletes old ones.
ALTER TABLE registrations ADD COLUMN result_told_at timestamptz;

UPDATE registrations r SET result_told_at = told.at
FROM (SELECT m.link, m.event, max(m.created_at) AS at FROM messages m
  WHERE m.channel = 'inbox' AND m.event IN ('registration-accepted', 'registration-not-accepted') GROUP BY 1, 2) told
WHERE told.link = '/pendaftaran/' || r.id AND told.at >= r.decided_at
  AND told.event = CASE r.decision WHEN 'accepted' THEN 'registration-accepted' ELSE 'registration-not-accepted' END;

-- Messages that are deleted by now: results are told when they are published, or at once where the decision came later. A
-- decision of the last day may still wait for its job.
UPDATE registrations r SET result_told_at = greatest(r.decided_at, p.announced_at)
FROM result_publications p
WHERE p.wave_id = r.wave_id AND p.track_id = r.track_id AND p.announced_at IS NOT NULL
  AND r.result_told_at IS NULL AND r.decision IS NOT NULL AND r.decided_at < now() - interval '1 day';
