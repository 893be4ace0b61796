-- The search text holds name and code; the phone has a text of its own, searched only for readers who see phones in full.
ALTER TABLE registrations ADD COLUMN search_phone text NOT NULL DEFAULT '';

CREATE OR REPLACE FUNCTION registrations_fill_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT lower(concat_ws(' ', a.full_name, NEW.code)), coalesce(a.phone, '') INTO NEW.search_text, NEW.search_phone
  FROM applicants a WHERE a.id = NEW.applicant_id;
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION applicants_refresh_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE registrations r
  SET search_text = lower(concat_ws(' ', NEW.full_name, r.code)), search_phone = coalesce(NEW.phone, '')
  WHERE r.applicant_id = NEW.id;
  RETURN NEW;
END $$;

UPDATE registrations r
SET search_text = lower(concat_ws(' ', a.full_name, r.code)), search_phone = coalesce(a.phone, '')
FROM applicants a WHERE a.id = r.applicant_id;

CREATE INDEX registrations_search_phone ON registrations USING gin (search_phone gin_trgm_ops);
CREATE INDEX registrations_search_phone_start ON registrations (search_phone text_pattern_ops);
