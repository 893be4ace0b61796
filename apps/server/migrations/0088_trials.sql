-- A trial is a test registration on the real settings. Its people, bills and payments live in tables of a schema of its
-- own (`trial_<id>`), so that no count, quota, list or check of the university can meet them.
CREATE TABLE trials (
  id uuid PRIMARY KEY,
  number bigint GENERATED ALWAYS AS IDENTITY,
  account_id uuid REFERENCES accounts (id) ON DELETE SET NULL,
  -- The session that looks at the product as the test applicant.
  session_id uuid REFERENCES sessions (id) ON DELETE SET NULL,
  wave_id uuid NOT NULL,
  track_id uuid NOT NULL,
  entry_level_id uuid NOT NULL,
  class_programme_id uuid NOT NULL,
  programme_id uuid NOT NULL,
  -- Milliseconds by which the clock of the trial is ahead of the real one.
  clock_ahead_ms bigint NOT NULL DEFAULT 0,
  started_at timestamptz NOT NULL,
  ended_at timestamptz,
  -- Files of an ended trial that are not removed from the store yet.
  file_keys text[] NOT NULL DEFAULT '{}'
);
CREATE UNIQUE INDEX trials_one_open ON trials (account_id) WHERE ended_at IS NULL;
CREATE INDEX trials_session ON trials (session_id);

-- Jobs of a trial; filled in the schemas of trials only, since the queue of the university must not run them.
CREATE TABLE trial_jobs (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  data jsonb NOT NULL,
  start_after timestamptz NOT NULL,
  singleton_key text,
  attempts integer NOT NULL DEFAULT 0
);

-- Tables that a trial reads in place. It gets every other table anew and empty: a table that is missing here shows a
-- trial too little, never a person. Migrations that add a table of settings replace this function.
CREATE FUNCTION trial_settings() RETURNS text[] IMMUTABLE LANGUAGE sql AS $$
  SELECT ARRAY[
    'schema_migrations', 'permissions', 'roles', 'role_permissions', 'role_scopes', 'menus', 'role_menus',
    'settings', 'faculties', 'degree_levels', 'entry_levels', 'class_programmes', 'study_programmes', 'waves', 'tracks',
    'fee_components', 'programme_details', 'tuition_fees', 'track_details', 'track_files', 'provinces', 'cities',
    'districts', 'villages', 'religions', 'ethnic_groups', 'school_types', 'school_majors', 'schools', 'school_search',
    'school_aliases', 'school_names', 'tests', 'test_sessions', 'test_session_tests', 'registration_fees',
    'installment_plans', 'installment_terms', 'donations', 'discounts', 'affiliates', 'school_agreements',
    'message_templates', 'message_placeholders', 'approval_limits', 'refund_policies'
  ]
$$;

CREATE FUNCTION trial_schema(trial uuid) RETURNS text IMMUTABLE LANGUAGE sql AS $$
  SELECT 'trial_' || replace(trial::text, '-', '')
$$;

-- Makes the schema of a trial: every table but those of the settings, with its indexes, keys and triggers. Keys that lead
-- to settings are left out, so that a trial never keeps anybody from changing a setting.
CREATE FUNCTION build_trial(trial uuid) RETURNS void SECURITY DEFINER LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  target text := trial_schema(trial);
  copied oid[];
  part record;
  statements text[] := '{}';
  statement text;
BEGIN
  -- One at a time: a schema takes more than a thousand locks.
  PERFORM pg_advisory_xact_lock(7262090);
  PERFORM FROM trials WHERE id = trial AND ended_at IS NULL FOR UPDATE;
  IF NOT FOUND THEN RAISE EXCEPTION 'there is no open trial %', trial; END IF;
  EXECUTE format('CREATE SCHEMA %I', target);
  SELECT array_agg(oid ORDER BY relname) INTO copied FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> ALL (trial_settings());
  FOR part IN SELECT relname FROM pg_class WHERE oid = ANY (copied) ORDER BY relname LOOP
    EXECUTE format('CREATE TABLE %I.%I (LIKE public.%I INCLUDING ALL EXCLUDING INDEXES)', target, part.relname, part.relname);
  END LOOP;
  -- Definitions are read while `public` is the path, which leaves names unqualified, and run while the trial comes first.
  -- Names of keys and indexes are kept: the server knows some of them.
  FOR part IN SELECT conrelid::regclass::text AS owner, conname, pg_get_constraintdef(oid) AS definition FROM pg_constraint
    WHERE contype IN ('p', 'u', 'x') AND conrelid = ANY (copied) LOOP
    statements := statements || format('ALTER TABLE %I.%s ADD CONSTRAINT %I %s', target, part.owner, part.conname, part.definition);
  END LOOP;
  FOR part IN SELECT pg_get_indexdef(indexrelid, 0, true) AS definition FROM pg_index
    WHERE indrelid = ANY (copied) AND indexrelid NOT IN (SELECT conindid FROM pg_constraint WHERE conindid <> 0 AND contype <> 'f') LOOP
    statements := statements || part.definition;
  END LOOP;
  FOR part IN SELECT conrelid::regclass::text AS owner, conname, pg_get_constraintdef(oid) AS definition FROM pg_constraint
    WHERE contype = 'f' AND conrelid = ANY (copied) AND confrelid = ANY (copied) LOOP
    statements := statements || format('ALTER TABLE %I.%s ADD CONSTRAINT %I %s', target, part.owner, part.conname, part.definition);
  END LOOP;
  FOR part IN SELECT relname, pg_get_viewdef(oid) AS definition FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'v'
      AND oid NOT IN (SELECT objid FROM pg_depend WHERE classid = 'pg_class'::regclass AND deptype = 'e') ORDER BY oid LOOP
    statements := statements || format('CREATE VIEW %I.%I AS %s', target, part.relname, part.definition);
  END LOOP;
  FOR part IN SELECT pg_get_triggerdef(oid, true) AS definition FROM pg_trigger
    WHERE NOT tgisinternal AND tgrelid = ANY (copied) ORDER BY tgname LOOP
    statements := statements || part.definition;
  END LOOP;
  PERFORM set_config('search_path', format('%I, public, pg_temp', target), true);
  FOREACH statement IN ARRAY statements LOOP
    EXECUTE statement;
  END LOOP;
  -- The trial counts on from the numbers and uses of the university without using any up.
  EXECUTE format('INSERT INTO %I.number_counters SELECT * FROM public.number_counters', target);
  EXECUTE format('INSERT INTO %I.vouchers SELECT * FROM public.vouchers', target);
  -- A trial is walked before registration opens.
  EXECUTE format('INSERT INTO %I.registration_opening (opened_at) VALUES (now())', target);
  -- Whoever tries it is the staff of the trial; nobody can sign in with this copy.
  EXECUTE format(
    'INSERT INTO %I.accounts (id, name, email, email_verified_at, role_id, language, totp_secret)
     SELECT a.id, a.name, a.email, a.email_verified_at, a.role_id, a.language, a.totp_secret
     FROM public.accounts a JOIN public.trials t ON t.account_id = a.id WHERE t.id = $1', target) USING trial;
  -- Pictures and forms that settings show, without their owners.
  FOR part IN SELECT c.conrelid::regclass::text AS owner, a.attname FROM pg_constraint c
    JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
    WHERE c.contype = 'f' AND c.confrelid = 'public.files'::regclass
      AND c.conrelid <> ALL (copied) LOOP
    EXECUTE format(
      'INSERT INTO %I.files (id, purpose, name, mime, bytes, width, height, sha256, storage_key, thumbnail_key, created_at)
       SELECT id, purpose, name, mime, bytes, width, height, sha256, storage_key, thumbnail_key, created_at FROM public.files
       WHERE deleted_at IS NULL AND id IN (SELECT %I FROM public.%s) ON CONFLICT DO NOTHING', target, part.attname, part.owner);
  END LOOP;
  EXECUTE format(
    'INSERT INTO %I.files (id, purpose, name, mime, bytes, width, height, sha256, storage_key, thumbnail_key, created_at)
     SELECT id, purpose, name, mime, bytes, width, height, sha256, storage_key, thumbnail_key, created_at FROM public.files
     WHERE deleted_at IS NULL AND id::text = (SELECT value #>> ''{}'' FROM public.settings WHERE key = ''logoFileId'')
     ON CONFLICT DO NOTHING', target);
  -- The server and a trial reach no table of each other. Default privileges gave the server rights here.
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'pmb_app') THEN
    EXECUTE format('REVOKE ALL ON ALL TABLES IN SCHEMA %I FROM pmb_app', target);
    EXECUTE format('REVOKE ALL ON SCHEMA %I FROM pmb_app', target);
  END IF;
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'pmb_trial') THEN
    EXECUTE format('GRANT USAGE ON SCHEMA %I TO pmb_trial', target);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA %I TO pmb_trial', target);
  END IF;
END $$;

-- Removes everything of a trial; nothing else can be removed with it. Harmless to repeat.
CREATE FUNCTION remove_trial(trial uuid, moment timestamptz) RETURNS void SECURITY DEFINER LANGUAGE plpgsql
  SET search_path = public, pg_temp AS $$
DECLARE
  target text := trial_schema(trial);
  keys text[] := '{}';
BEGIN
  PERFORM pg_advisory_xact_lock(7262090);
  PERFORM FROM trials WHERE id = trial FOR UPDATE;
  IF NOT FOUND THEN RAISE EXCEPTION 'there is no trial %', trial; END IF;
  IF to_regclass(format('%I.files', target)) IS NOT NULL THEN
    EXECUTE format('SELECT array_agg(key) FROM %I.files, unnest(ARRAY[storage_key, thumbnail_key]) AS key
      WHERE key IS NOT NULL AND id NOT IN (SELECT id FROM public.files)', target) INTO keys;
  END IF;
  EXECUTE format('DROP SCHEMA IF EXISTS %I CASCADE', target);
  UPDATE trials SET ended_at = coalesce(ended_at, moment), session_id = NULL, file_keys = file_keys || coalesce(keys, '{}')
    WHERE id = trial;
END $$;

-- The role of the server gets the right with its other rights.
REVOKE ALL ON FUNCTION build_trial(uuid), remove_trial(uuid, timestamptz) FROM PUBLIC;
