-- How references of transfers are compared: letters and digits alone, in one spelling, without leading zeros. What people
-- typed stays as it is. A reference of other signs alone is compared as it stands.
CREATE FUNCTION reference_key(reference text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT nullif(coalesce(
    nullif(ltrim(regexp_replace(lower(normalize(reference, NFKC)), '[^a-z0-9]', '', 'g'), '0'), ''),
    lower(normalize(reference, NFKC))), '')
$$;

CREATE INDEX payments_reference_key ON payments (reference_key(reference)) WHERE reference IS NOT NULL;
CREATE INDEX payments_provider_reference_key ON payments (reference_key(provider_reference));
CREATE INDEX statement_lines_reference_key ON statement_lines (reference_key(reference)) WHERE amount > 0;

-- The same transfer is entered once, however it is spelled. Where two spellings of one are booked already, both stay: then
-- the spellings are compared from now on, and the older index stays beside the new one.
DO $$
BEGIN
  CREATE UNIQUE INDEX payments_entered_once_key ON payments (reference_key(reference))
    WHERE provider = 'manual' AND status <> 'reversed';
  DROP INDEX payments_entered_once;
EXCEPTION WHEN unique_violation THEN
  EXECUTE format('CREATE UNIQUE INDEX payments_entered_once_key ON payments (reference_key(reference))
    WHERE provider = ''manual'' AND status <> ''reversed'' AND received_at >= %L::timestamptz', now());
END $$;
