-- Schools that are one: numbers of merged ones live on, pairs that look alike are found once and kept, merges can be undone.

-- A merge: what was merged away, what it moved, and what the school that stayed was before.
CREATE TABLE school_merges (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- No foreign key: the school that stayed may itself be merged into another later, and come back.
  school_id uuid NOT NULL,
  school_name varchar(150) NOT NULL,
  -- Whole rows of the schools merged away, the one that stayed as it was, and its version right after the merge.
  merged jsonb NOT NULL,
  before jsonb NOT NULL,
  version_after integer NOT NULL,
  -- [{ table, column, keys, from, rows: [[key, …]], dropped: [rows that the school that stays had already] }]
  moved jsonb NOT NULL,
  merged_by uuid REFERENCES accounts (id) ON DELETE SET NULL,
  merged_at timestamptz NOT NULL,
  undone_at timestamptz
);
CREATE INDEX school_merges_newest ON school_merges (merged_at DESC, id);
CREATE INDEX school_merges_school ON school_merges (school_id);
CREATE INDEX school_merges_by ON school_merges (merged_by);

-- Other numbers of a school, and the ids it had: lists, forms and links that still carry them find the school that stayed.
CREATE TABLE school_aliases (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  school_id uuid NOT NULL REFERENCES schools (id) ON DELETE CASCADE,
  npsn varchar(8) NOT NULL,
  name varchar(150) NOT NULL,
  -- Id of the school that had the number, when it was merged away.
  former_id uuid,
  merge_id uuid REFERENCES school_merges (id) ON DELETE SET NULL
);
CREATE UNIQUE INDEX school_aliases_npsn ON school_aliases (lower(npsn));
CREATE INDEX school_aliases_school ON school_aliases (school_id);
CREATE INDEX school_aliases_former ON school_aliases (former_id);
CREATE INDEX school_aliases_merge ON school_aliases (merge_id);

-- A number that belongs to a school already is nobody else's, as if it stood in the same column.
CREATE FUNCTION schools_refuse_alias() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM school_aliases a WHERE lower(a.npsn) = lower(NEW.npsn) AND a.school_id <> NEW.id) THEN
    RAISE EXCEPTION 'NPSN % belongs to a school another one was merged into', NEW.npsn
      USING ERRCODE = 'unique_violation', CONSTRAINT = 'schools_npsn_key', TABLE = 'schools';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER schools_refuse_alias_on_change BEFORE UPDATE OF npsn ON schools
  FOR EACH ROW WHEN (OLD.npsn IS DISTINCT FROM NEW.npsn) EXECUTE FUNCTION schools_refuse_alias();

-- Somebody who saves a school while it is merged away gets the one that stayed: waits for the merge, then looks it up.
CREATE FUNCTION applicants_follow_school() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM schools WHERE id = NEW.school_id FOR KEY SHARE;
  IF NOT FOUND THEN
    NEW.school_id := coalesce((SELECT a.school_id FROM school_aliases a WHERE a.former_id = NEW.school_id LIMIT 1), NEW.school_id);
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER applicants_follow_school BEFORE INSERT OR UPDATE OF school_id ON applicants
  FOR EACH ROW WHEN (NEW.school_id IS NOT NULL) EXECUTE FUNCTION applicants_follow_school();

-- The search words of schools, made for many rows in one statement, with their other numbers.
CREATE FUNCTION refresh_school_search(ids uuid[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO school_search (school_id, words)
  SELECT s.id, school_words(s.name, concat_ws(' ', s.npsn, (SELECT string_agg(a.npsn, ' ') FROM school_aliases a WHERE a.school_id = s.id)), c.name)
  FROM schools s JOIN cities c ON c.id = s.city_id WHERE s.id = ANY (ids)
  ON CONFLICT (school_id) DO UPDATE SET words = excluded.words
$$;

-- What a school is called once everything that is written in many ways is gone: SMAN 1, SMA N 1 and SMA NEGERI 1.
--   level: sma, smk, ma …; state: n, s or nothing; numbers: the numbers of the name in order; core: the other words.
CREATE FUNCTION school_name_parts(name text, city text, type_code text, OUT level text, OUT state text, OUT numbers text, OUT core text)
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  words text[];
  word text;
  rest text[] := '{}';
  bare text[] := '{}';
  digits text[] := '{}';
  romans CONSTANT text[] := '{i,ii,iii,iv,v,vi,vii,viii,ix,x}';
  places text[] := regexp_split_to_array(btrim(regexp_replace(lower(city), '[^a-z0-9]+', ' ', 'g')), ' ');
BEGIN
  words := regexp_split_to_array(btrim(regexp_replace(regexp_replace(lower(name), '([a-z])([0-9])', '\1 \2', 'g'), '[^a-z0-9]+', ' ', 'g')), ' ');
  level := lower(type_code);
  state := '';
  FOR at IN 1 .. cardinality(words) LOOP
    word := words[at];
    IF at = 1 AND word ~ '^(sma|smu|smk|stm|ma|mak|smlb|smalb|slb)(n|s)?$' AND (word !~ '^ma[ns]$' OR level IN ('ma', 'mak')) THEN
      state := coalesce(substring(word FROM '^(?:sma|smu|smk|stm|ma|mak|smlb|smalb|slb)(n|s)$'), '');
      level := substring(word FROM '^(sma|smu|smk|stm|ma|mak|smlb|smalb|slb)(?:n|s)?$');
      level := CASE level WHEN 'smu' THEN 'sma' WHEN 'stm' THEN 'smk' WHEN 'smalb' THEN 'smlb' WHEN 'slb' THEN 'smlb' ELSE level END;
    ELSIF at <= 3 AND word IN ('negeri', 'negri', 'n', 'neg') THEN
      state := 'n';
    ELSIF at <= 3 AND word IN ('swasta', 's', 'sw') THEN
      state := 's';
    ELSIF word ~ '^[0-9]+$' THEN
      digits := digits || ltrim(word, '0');
    ELSIF at > 1 AND word = ANY (romans) THEN
      digits := digits || array_position(romans, word)::text;
    ELSIF word IN ('kab', 'kabupaten', 'kota', 'kodya', 'kec', 'kecamatan', 'administrasi', '') THEN
      CONTINUE;
    ELSE
      bare := bare || word;
      IF word <> ALL (places) OR word IN ('utara', 'selatan', 'timur', 'barat', 'tengah', 'tenggara') THEN rest := rest || word; END IF;
    END IF;
  END LOOP;
  numbers := array_to_string(digits, ' ');
  -- The name of the city tells nothing beside another word or a number.
  core := array_to_string(CASE WHEN cardinality(rest) > 0 OR cardinality(digits) > 0 THEN rest ELSE bare END, ' ');
END $$;

-- Those parts, computed once per school and change; a school without its row waits to be compared.
CREATE TABLE school_names (
  school_id uuid PRIMARY KEY REFERENCES schools (id) ON DELETE CASCADE,
  city_id uuid NOT NULL,
  level text NOT NULL,
  state text NOT NULL,
  numbers text NOT NULL,
  core text NOT NULL
);
-- Only schools of one city, level and number are compared with each other.
CREATE INDEX school_names_block ON school_names (city_id, level, numbers);

CREATE TABLE school_waiting (
  school_id uuid PRIMARY KEY REFERENCES schools (id) ON DELETE CASCADE
);

-- Two schools that may be one, by their names; `dismissed` once somebody said they are not.
CREATE TABLE school_pairs (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  low_id uuid NOT NULL REFERENCES schools (id) ON DELETE CASCADE,
  high_id uuid NOT NULL REFERENCES schools (id) ON DELETE CASCADE,
  city_id uuid NOT NULL,
  similarity integer NOT NULL CHECK (similarity BETWEEN 0 AND 100),
  dismissed boolean NOT NULL DEFAULT false,
  dismissed_by uuid REFERENCES accounts (id) ON DELETE SET NULL,
  dismissed_at timestamptz,
  found_at timestamptz NOT NULL DEFAULT now(),
  CHECK (low_id < high_id)
);
CREATE UNIQUE INDEX school_pairs_once ON school_pairs (low_id, high_id);
CREATE INDEX school_pairs_high ON school_pairs (high_id);
CREATE INDEX school_pairs_likely ON school_pairs (dismissed, similarity DESC, id DESC);
CREATE INDEX school_pairs_city ON school_pairs (city_id, dismissed, similarity DESC, id DESC);
CREATE INDEX school_pairs_by ON school_pairs (dismissed_by);

-- Schools nobody has checked yet, in the order they came.
CREATE INDEX schools_proposed ON schools (created_at, id) WHERE NOT verified;

-- New and changed schools, many at a time: imports bring tens of thousands.
CREATE FUNCTION schools_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM school_aliases LIMIT 1) AND EXISTS
    (SELECT FROM added n JOIN school_aliases a ON lower(a.npsn) = lower(n.npsn)) THEN
    RAISE EXCEPTION 'an NPSN belongs to a school another one was merged into'
      USING ERRCODE = 'unique_violation', CONSTRAINT = 'schools_npsn_key', TABLE = 'schools';
  END IF;
  INSERT INTO school_search (school_id, words)
  SELECT n.id, school_words(n.name, n.npsn, c.name) FROM added n JOIN cities c ON c.id = n.city_id;
  INSERT INTO school_waiting (school_id) SELECT id FROM added;
  RETURN NULL;
END $$;
CREATE FUNCTION schools_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refresh_school_search(ARRAY[NEW.id]);
  INSERT INTO school_waiting (school_id) VALUES (NEW.id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
DROP TRIGGER schools_fill_search ON schools;
DROP FUNCTION schools_fill_search();
CREATE TRIGGER schools_added AFTER INSERT ON schools
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION schools_added();
CREATE TRIGGER schools_changed AFTER UPDATE OF name, npsn, city_id, school_type_id ON schools
  FOR EACH ROW WHEN ((OLD.name, OLD.npsn, OLD.city_id, OLD.school_type_id) IS DISTINCT FROM (NEW.name, NEW.npsn, NEW.city_id, NEW.school_type_id))
  EXECUTE FUNCTION schools_changed();

CREATE FUNCTION school_aliases_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refresh_school_search(ARRAY[OLD.school_id, NEW.school_id]);
  RETURN NULL;
END $$;
CREATE TRIGGER school_aliases_changed AFTER INSERT OR UPDATE OR DELETE ON school_aliases
  FOR EACH ROW EXECUTE FUNCTION school_aliases_changed();

CREATE OR REPLACE FUNCTION cities_refresh_school_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refresh_school_search((SELECT array_agg(id) FROM schools WHERE city_id = NEW.id));
  RETURN NULL;
END $$;

INSERT INTO school_waiting (school_id) SELECT id FROM schools;
