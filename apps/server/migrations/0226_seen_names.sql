-- Names hold nothing that nobody sees: a sign that changes the direction turns the line around in which the name is shown,
-- and a space without width makes a second name that looks the same.
CREATE FUNCTION pg_temp.seen(name text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT btrim(regexp_replace(normalize(regexp_replace(name,
    '[\u0001-\u0008\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]', '', 'g'), NFC), '\s+', ' ', 'g'))
$$;

DO $$
DECLARE
  place record;
  cleaned bigint;
BEGIN
  FOR place IN SELECT * FROM (VALUES
    ('accounts', 'name'), ('applicants', 'full_name'), ('applicants', 'birth_place'), ('applicants', 'mother_name'),
    ('applicants', 'father_name'), ('applicants', 'guardian_name'), ('leads', 'name'), ('leads', 'school_name'),
    ('event_visitors', 'name'), ('event_visitors', 'school_name'), ('conversations', 'name'), ('schools', 'name'),
    ('affiliates', 'name')) AS places (relation, field)
  LOOP
    EXECUTE format('UPDATE %1$I SET %2$I = coalesce(nullif(pg_temp.seen(%2$I), ''''), ''?'') WHERE %2$I ~ ''[^ -~]|  '' AND %2$I <> pg_temp.seen(%2$I)',
      place.relation, place.field);
    GET DIAGNOSTICS cleaned = ROW_COUNT;
    RAISE LOG 'cleaned % rows of %.%', cleaned, place.relation, place.field;
    IF place.field IN ('name', 'full_name') THEN
      EXECUTE format('ALTER TABLE %I ADD CHECK (%I !~ ''[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]'')',
        place.relation, place.field);
    END IF;
  END LOOP;
END $$;
