-- Answers kept for repeated writes name visitors for a day; with the lead, those of its visits go too.
CREATE OR REPLACE FUNCTION erase_visits_of_lead() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE messages m SET to_address = NULL, subject = '-', body = '-', link = NULL, provider_template = NULL,
      status = CASE WHEN m.status = 'queued' THEN 'failed' ELSE m.status END,
      error = CASE WHEN m.status = 'queued' THEN 'erased' ELSE m.error END
    FROM event_visitors v
    WHERE v.lead_id = OLD.id AND m.account_id IS NULL AND m.event LIKE 'event-%'
      AND (lower(m.to_address) = v.email OR m.to_address = v.phone);
  -- Without its body and with status 0 an answer counts as lost: the write is not carried out again.
  UPDATE idempotency_keys k SET body = NULL, status = 0
    FROM event_visitors v
    WHERE v.lead_id = OLD.id AND k.body IS NOT NULL
      AND (k.path LIKE '%/event-afiliator/:id/scans' AND position(v.id::text IN k.body) > 0
        OR k.path LIKE '%/tiket/:code%' AND position(v.code IN k.body) > 0);
  UPDATE event_visitors SET name = '-', name_key = '-', phone = NULL, email = NULL, school_name = NULL, wish = NULL,
      grade = NULL, erased_at = now()
    WHERE lead_id = OLD.id;
  RETURN OLD;
END $$;
