-- Whether the registration, for an event too, had ended when the recipient was planned: who was chosen as ended is written to all the same.
ALTER TABLE campaign_recipients ADD COLUMN had_ended boolean NOT NULL DEFAULT false;

UPDATE campaign_recipients r SET had_ended = true FROM campaigns c, registrations g
WHERE c.id = r.campaign_id AND g.id = r.registration_id AND g.status IN ('withdrawn', 'cancelled', 'expired')
  AND (g.closed_at > c.planned_at) IS NOT TRUE;

UPDATE campaign_recipients r SET had_ended = true FROM campaigns c, event_visitors v
WHERE c.id = r.campaign_id AND v.id = r.source_id AND v.cancelled_at <= c.planned_at;
