-- Schools, how they are found, and how schools that are one are merged: numbers of merged schools live on, pairs that
-- look alike are found once and kept, and a merge can be undone.

CREATE TABLE school_types (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  code varchar(20) NOT NULL,
  name varchar(80) NOT NULL,
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid
);
CREATE UNIQUE INDEX school_types_code_key ON school_types (lower(code) text_pattern_ops);

CREATE TABLE school_majors (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  school_type_id uuid NOT NULL REFERENCES school_types (id) ON DELETE RESTRICT,
  name varchar(120) NOT NULL,
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid
);
CREATE INDEX school_majors_school_type_id ON school_majors (school_type_id);
CREATE UNIQUE INDEX school_majors_one ON school_majors (school_type_id, lower(name));

CREATE TABLE schools (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  npsn varchar(8) NOT NULL,
  name varchar(150) NOT NULL CHECK (name !~ '[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]'),
  school_type_id uuid NOT NULL REFERENCES school_types (id) ON DELETE RESTRICT,
  status text NOT NULL DEFAULT 'negeri' CHECK (status IN ('negeri', 'swasta')),
  city_id uuid NOT NULL REFERENCES cities (id) ON DELETE RESTRICT,
  district_id uuid REFERENCES districts (id) ON DELETE RESTRICT,
  address varchar(300),
  verified boolean NOT NULL DEFAULT true,
  proposed_by uuid REFERENCES accounts (id) ON DELETE RESTRICT,
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid
);
CREATE UNIQUE INDEX schools_npsn_key ON schools (lower(npsn) text_pattern_ops);
CREATE INDEX schools_district_id ON schools (district_id);
CREATE INDEX schools_proposed_by ON schools (proposed_by);
-- Pages of the whole list, in its orders.
CREATE INDEX schools_by_name ON schools (name, id);
CREATE INDEX schools_by_npsn ON schools (npsn, id);
-- Pages of a filtered list, in its order; the first columns serve the foreign keys too.
CREATE INDEX schools_by_type ON schools (school_type_id, name, id);
CREATE INDEX schools_by_city ON schools (city_id, name, id);
CREATE INDEX schools_by_status ON schools (status, name, id);
CREATE INDEX schools_inactive ON schools (name, id) WHERE NOT active;
CREATE INDEX schools_unverified ON schools (name, id) WHERE NOT verified;
-- Proposed schools, oldest first.
CREATE INDEX schools_proposed ON schools (created_at, id) WHERE NOT verified;
CREATE INDEX schools_name_search ON schools USING gin (search_key(name) gin_trgm_ops);

-- Provisional NPSN of schools that applicants propose: NP000001, NP000002 …
CREATE SEQUENCE school_provisional_numbers MAXVALUE 999999;

-- Words by which schools are found: name, NPSN and city, with SMAN and SMA NEGERI both written out.
CREATE TABLE school_search (
  -- No foreign key, which would be checked for every row of an import; a trigger removes the words of a deleted school.
  school_id uuid PRIMARY KEY,
  words text NOT NULL
);
CREATE INDEX school_search_words ON school_search USING gin (words gin_trgm_ops);
CREATE INDEX school_search_start ON school_search (words text_pattern_ops);

CREATE FUNCTION school_words(name text, npsn text, city text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT ' ' || concat_ws(' ', plain, lower(npsn), substring(plain FROM '^(sma|smk|ma)n ') || ' negeri',
    substring(plain FROM '^(sma|smk|ma) negeri ') || 'n', btrim(regexp_replace(search_key(city), '[^a-z0-9]+', ' ', 'g'))) || ' '
  FROM (SELECT btrim(regexp_replace(regexp_replace(search_key(name), '([a-z])([0-9])', '\1 \2', 'g'), '[^a-z0-9]+', ' ', 'g')) || ' '
    AS plain) AS spelled
$$;

CREATE FUNCTION schools_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM school_search WHERE school_id IN (SELECT id FROM removed);
  RETURN NULL;
END $$;
CREATE TRIGGER schools_removed AFTER DELETE ON schools
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION schools_removed();

-- Merges, with everything that undoing one needs.
CREATE TABLE school_merges (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- The school that stayed. No foreign key: it may be merged into another school later, and come back.
  school_id uuid NOT NULL,
  school_name varchar(150) NOT NULL,
  -- Whole rows of the schools merged away, the row of the school that stayed as it was, and its version after the
  -- merge.
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

-- Numbers and ids of schools that were merged away. Lists, forms and links that still carry them find the school that
-- stayed.
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

CREATE FUNCTION cities_refresh_school_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refresh_school_search((SELECT array_agg(id) FROM schools WHERE city_id = NEW.id));
  RETURN NULL;
END $$;
CREATE TRIGGER cities_refresh_school_search AFTER UPDATE OF name ON cities
  FOR EACH ROW WHEN (OLD.name IS DISTINCT FROM NEW.name) EXECUTE FUNCTION cities_refresh_school_search();

-- The number of a merged school cannot be given to another school; same error as for a number in schools.
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

-- A row saved with a school that is being merged away gets the school that stayed: waits for the merge, then looks it
-- up.
CREATE FUNCTION applicants_follow_school() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM schools WHERE id = NEW.school_id FOR KEY SHARE;
  IF NOT FOUND THEN
    NEW.school_id := coalesce((SELECT a.school_id FROM school_aliases a WHERE a.former_id = NEW.school_id LIMIT 1), NEW.school_id);
  END IF;
  RETURN NEW;
END $$;

-- Writes the search words of many schools in one statement, with the numbers of schools merged into them.
CREATE FUNCTION refresh_school_search(ids uuid[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO school_search (school_id, words)
  SELECT s.id, school_words(s.name, concat_ws(' ', s.npsn, (SELECT string_agg(a.npsn, ' ') FROM school_aliases a WHERE a.school_id = s.id)), c.name)
  FROM schools s JOIN cities c ON c.id = s.city_id WHERE s.id = ANY (ids)
  ON CONFLICT (school_id) DO UPDATE SET words = excluded.words
$$;

CREATE FUNCTION school_aliases_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refresh_school_search(ARRAY[OLD.school_id, NEW.school_id]);
  RETURN NULL;
END $$;
CREATE TRIGGER school_aliases_changed AFTER INSERT OR UPDATE OR DELETE ON school_aliases
  FOR EACH ROW EXECUTE FUNCTION school_aliases_changed();

-- Parts of the names of schools by which they are compared, computed once per change; see school_name_parts.
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

-- Parts of a name that are the same for all its spellings: SMAN 1, SMA N 1 and SMA NEGERI 1.
-- level: sma, smk, ma …; state: n, s or empty; numbers: the numbers of the name in order; core: the other words.
CREATE FUNCTION school_name_parts(name text, city text, type_code text, OUT level text, OUT state text, OUT numbers text, OUT core text)
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  words text[];
  word text;
  bare text[] := '{}';
  rest text[];
  digits text[] := '{}';
  romans CONSTANT text[] := '{i,ii,iii,iv,v,vi,vii,viii,ix,x}';
  -- The city without its kind: `rokan hulu`, `jakarta selatan`.
  place text[] := array_remove(array_remove(array_remove(
    regexp_split_to_array(btrim(regexp_replace(lower(city), '[^a-z0-9]+', ' ', 'g')), ' '), 'kabupaten'), 'kota'), 'administrasi');
  length integer;
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
    ELSIF word NOT IN ('kab', 'kabupaten', 'kota', 'kodya', 'kec', 'kecamatan', 'administrasi', '') THEN
      bare := bare || word;
    END IF;
  END LOOP;
  numbers := array_to_string(digits, ' ');
  -- A city at the end of a name says nothing; elsewhere it does: Kapuas Kuala is not Kuala Kapuas.
  length := cardinality(bare) - cardinality(place);
  rest := CASE WHEN length >= 0 AND bare[length + 1:] = place THEN bare[:length] ELSE bare END;
  core := array_to_string(CASE WHEN cardinality(rest) > 0 OR cardinality(digits) > 0 THEN rest ELSE bare END, ' ');
END $$;

-- Schools that wait to be compared. No foreign key, which would be checked for every row of an import; the comparison
-- skips ids that are gone.
CREATE TABLE school_waiting (
  school_id uuid PRIMARY KEY
);

-- Per statement, because imports add tens of thousands of schools. A school that an undone merge brings back may wait
-- already.
CREATE FUNCTION schools_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM school_aliases LIMIT 1) AND EXISTS
    (SELECT FROM added n JOIN school_aliases a ON lower(a.npsn) = lower(n.npsn)) THEN
    RAISE EXCEPTION 'an NPSN belongs to a school another one was merged into'
      USING ERRCODE = 'unique_violation', CONSTRAINT = 'schools_npsn_key', TABLE = 'schools';
  END IF;
  INSERT INTO school_search (school_id, words)
  SELECT n.id, school_words(n.name, n.npsn, c.name) FROM added n JOIN cities c ON c.id = n.city_id;
  INSERT INTO school_waiting (school_id) SELECT id FROM added ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER schools_added AFTER INSERT ON schools
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION schools_added();

CREATE FUNCTION schools_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refresh_school_search(ARRAY[NEW.id]);
  INSERT INTO school_waiting (school_id) VALUES (NEW.id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER schools_changed AFTER UPDATE OF name, npsn, city_id, school_type_id, district_id, verified ON schools
  FOR EACH ROW WHEN ((OLD.name, OLD.npsn, OLD.city_id, OLD.school_type_id, OLD.district_id, OLD.verified)
    IS DISTINCT FROM (NEW.name, NEW.npsn, NEW.city_id, NEW.school_type_id, NEW.district_id, NEW.verified))
  EXECUTE FUNCTION schools_changed();

-- Two schools that may be one, by their names; `dismissed` once staff said that they are two.
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
