-- Checks of the books, restored backups, health, and trials.

-- Every run that derived the books again from their entries.
CREATE TABLE invariant_runs (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  started_at timestamptz NOT NULL,
  finished_at timestamptz NOT NULL,
  found integer NOT NULL CHECK (found >= 0),
  -- NULL for the nightly run.
  started_by uuid REFERENCES accounts (id) ON DELETE SET NULL
);
CREATE INDEX invariant_runs_newest ON invariant_runs (finished_at DESC);
CREATE INDEX invariant_runs_started_by ON invariant_runs (started_by);

-- Stored values that differ from the derived ones.
CREATE TABLE invariant_findings (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  check_name varchar(40) NOT NULL,
  subject_type varchar(40) NOT NULL,
  subject_id varchar(80) NOT NULL,
  label text NOT NULL,
  stored text,
  derived text,
  path text,
  first_seen_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  -- The first run that no longer found it.
  gone_at timestamptz
);
CREATE UNIQUE INDEX invariant_findings_one ON invariant_findings (check_name, subject_type, subject_id)
  WHERE gone_at IS NULL;
CREATE INDEX invariant_findings_newest ON invariant_findings (first_seen_at DESC, id DESC);

-- Restored backups, and the work after a restore: banks are asked, and lost entries are entered again.
CREATE TABLE restores (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- The books hold nothing later.
  backup_at timestamptz NOT NULL,
  restored_at timestamptz NOT NULL,
  -- When the banks had answered about the last number.
  asked_at timestamptz,
  -- When staff confirmed that everything lost is entered again.
  ended_at timestamptz,
  ended_by uuid REFERENCES accounts (id),
  note varchar(500),
  CHECK ((ended_at IS NULL) = (ended_by IS NULL) AND (ended_at IS NULL) = (note IS NULL))
);
CREATE INDEX restores_open ON restores (backup_at) WHERE ended_at IS NULL;
CREATE INDEX restores_ended_by ON restores (ended_by);

-- Numbers that counters skip, because they may have been given between a backup and its restore.
CREATE TABLE number_gaps (
  restore_id uuid NOT NULL REFERENCES restores (id),
  kind text NOT NULL,
  -- Scope of the counter; * for every scope that has no counter yet while the restore is not ended.
  scope text NOT NULL,
  first_number bigint NOT NULL,
  last_number bigint NOT NULL,
  -- How many should be skipped; more than were skipped if too few digits are left.
  wanted bigint NOT NULL,
  lost_at timestamptz NOT NULL,
  PRIMARY KEY (kind, scope, restore_id),
  CHECK (first_number >= 1 AND last_number >= first_number - 1)
);
CREATE INDEX number_gaps_restore ON number_gaps (restore_id);

CREATE TRIGGER number_gaps_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON number_gaps
  EXECUTE FUNCTION refuse_change();

-- Transfer numbers that banks are asked about after a restore: those of the books, and those of the gaps.
CREATE TABLE restore_questions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  restore_id uuid NOT NULL REFERENCES restores (id),
  provider varchar(20) NOT NULL,
  bank varchar(20) NOT NULL,
  -- NULL until the gateway has given it.
  number varchar(28),
  -- NULL for a number of a gap.
  virtual_account_id uuid REFERENCES virtual_accounts (id),
  ask_at timestamptz NOT NULL,
  answer text CHECK (answer IN ('answered', 'refused', 'not_askable')),
  answered_at timestamptz,
  payments_found integer NOT NULL DEFAULT 0,
  CHECK ((answer IS NULL) = (answered_at IS NULL))
);
CREATE INDEX restore_questions_restore ON restore_questions (restore_id);
CREATE INDEX restore_questions_account ON restore_questions (virtual_account_id);
CREATE INDEX restore_questions_due ON restore_questions (ask_at) WHERE answer IS NULL;

-- Backups, restore tests and updates that have ended, written by the command that ran.
CREATE TABLE maintenance_runs (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  kind text NOT NULL CHECK (kind IN ('backup', 'restore_test', 'update')),
  started_at timestamptz NOT NULL,
  finished_at timestamptz NOT NULL CHECK (finished_at >= started_at),
  ok boolean NOT NULL,
  -- Facts of the kind, such as `archive` and `rows` of a backup; `problem` is a sentence if the run failed.
  detail jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(detail) = 'object'),
  -- Bytes written or read.
  size bigint CHECK (size >= 0)
);
CREATE INDEX maintenance_runs_newest ON maintenance_runs (kind, finished_at DESC);

-- Size of the database, the last measurement of each day (UTC).
CREATE TABLE database_sizes (
  day date PRIMARY KEY,
  bytes bigint NOT NULL CHECK (bytes >= 0)
);

-- State of each line of /settings/health when it was last watched; `server` is empty for lines of the whole
-- installation.
CREATE TABLE health_lines (
  name text NOT NULL,
  server text NOT NULL,
  state text NOT NULL CHECK (state IN ('ok', 'soon', 'red')),
  since timestamptz NOT NULL,
  seen_at timestamptz NOT NULL,
  -- When administrators were told that the line is red; NULL again once they were told that it is well.
  told_at timestamptz,
  PRIMARY KEY (name, server)
);

-- The last result of each check of a connection, started by an administrator.
CREATE TABLE connection_checks (
  name text PRIMARY KEY,
  state text NOT NULL CHECK (state IN ('ok', 'soon', 'red')),
  results jsonb NOT NULL CHECK (jsonb_typeof(results) = 'array'),
  checked_at timestamptz NOT NULL,
  checked_by uuid REFERENCES accounts (id) ON DELETE SET NULL
);
CREATE INDEX connection_checks_checked_by ON connection_checks (checked_by);

-- A trial is a test registration on the real settings. Its people, bills and payments live in tables of its own schema
-- (`trial_<id>`), so that no count, quota, list or check of the university can meet them.
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

-- Tables of settings, which a trial reads in place. Every other table is made again for the trial, empty: a table
-- missing here hides settings from trials and never shows a person. A migration that adds a table of settings replaces
-- this function.
CREATE FUNCTION trial_settings() RETURNS text[] IMMUTABLE LANGUAGE sql AS $$
  SELECT ARRAY[
    'schema_migrations', 'permissions', 'roles', 'role_permissions', 'role_scopes', 'menus', 'role_menus',
    'settings', 'faculties', 'degree_levels', 'entry_levels', 'class_programmes', 'study_programmes', 'waves', 'tracks',
    'fee_components', 'programme_details', 'tuition_fees', 'track_details', 'track_files', 'provinces', 'cities',
    'districts', 'villages', 'religions', 'ethnic_groups', 'school_types', 'school_majors', 'schools', 'school_search',
    'school_aliases', 'school_names', 'tests', 'test_sessions', 'test_session_tests', 'test_session_rooms',
    'registration_fees', 'installment_plans', 'installment_terms', 'donations', 'discounts', 'affiliates',
    'school_agreements', 'message_templates', 'message_placeholders', 'approval_limits', 'refund_policies',
    'letter_kinds', 'letter_templates'
  ]
$$;

CREATE FUNCTION trial_schema(trial uuid) RETURNS text IMMUTABLE LANGUAGE sql AS $$
  SELECT 'trial_' || replace(trial::text, '-', '')
$$;

-- Makes the schema of a trial: every table except settings, with its indexes, keys and triggers. Keys that lead to
-- settings are left out, so that a trial never blocks a change of a setting.
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
  -- The trial continues the numbers and uses of the university without using any up.
  EXECUTE format('INSERT INTO %I.number_counters SELECT * FROM public.number_counters', target);
  EXECUTE format('INSERT INTO %I.vouchers SELECT * FROM public.vouchers', target);
  -- Trials run before registration opens.
  EXECUTE format('INSERT INTO %I.registration_opening (opened_at) VALUES (now())', target);
  -- The account that started the trial acts as its staff; without a password nobody can sign in with the copy.
  EXECUTE format(
    'INSERT INTO %I.accounts (id, name, email, email_verified_at, role_id, language, totp_secret)
     SELECT a.id, a.name, a.email, a.email_verified_at, a.role_id, a.language, a.totp_secret
     FROM public.accounts a JOIN public.trials t ON t.account_id = a.id WHERE t.id = $1', target) USING trial;
  -- Files that settings show, without their owners.
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

-- Removes everything of a trial and nothing else. Safe to repeat.
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

-- The role of the server gets these rights with its others, see runtime-role.ts.
REVOKE ALL ON FUNCTION build_trial(uuid), remove_trial(uuid, timestamptz) FROM PUBLIC;
