-- Divides the first wave's places by track: scholarships get places for about half of their candidates, every other
-- track gets as many as it has given.
INSERT INTO track_quotas (programme_detail_id, track_id, places, spill_turn)
SELECT d.id, t.id, CASE t.code WHEN 'BEA' THEN least(d.capacity - s.others, s.taken + (s.candidates + 1) / 2) ELSE a.taken END, NULL
FROM programme_details d JOIN waves w ON w.id = d.wave_id AND w.code = 'G1'
JOIN tracks t ON t.code IN ('REG', 'PRES', 'BEA', 'PIN')
CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE k.code <> 'BEA' AND o.has_place)::int AS others,
    count(*) FILTER (WHERE k.code = 'BEA' AND o.has_place)::int AS taken,
    count(*) FILTER (WHERE k.code = 'BEA' AND r.status = 'verified')::int AS candidates
  FROM registrations r JOIN tracks k ON k.id = r.track_id
  CROSS JOIN LATERAL (SELECT r.decision = 'accepted' AND r.status IN ('decided', 'confirmed', 'enrolled') AS has_place) o
  WHERE r.wave_id = d.wave_id AND r.programme_id = d.programme_id AND r.class_programme_id = d.class_programme_id) s
CROSS JOIN LATERAL (SELECT count(*)::int AS taken FROM registrations r WHERE r.wave_id = d.wave_id AND r.track_id = t.id
  AND r.programme_id = d.programme_id AND r.class_programme_id = d.class_programme_id AND r.decision = 'accepted'
  AND r.status IN ('decided', 'confirmed', 'enrolled')) a
WHERE s.candidates > 0;
