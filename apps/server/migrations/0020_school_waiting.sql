-- Schools are compared by more than their names: the city counts only where it ends a name, and the district tells apart.

-- Who waits is only a list of ids: a foreign key would be checked for every row of an import, and whoever compares
-- finds out by itself who is gone.
ALTER TABLE school_waiting DROP CONSTRAINT school_waiting_school_id_fkey;
-- A school that returns may wait already.
CREATE OR REPLACE FUNCTION schools_added() RETURNS trigger LANGUAGE plpgsql AS $$
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

-- What a school is called once everything that is written in many ways is gone: SMAN 1, SMA N 1 and SMA NEGERI 1.
--   level: sma, smk, ma …; state: n, s or nothing; numbers: the numbers of the name in order; core: the other words.
CREATE OR REPLACE FUNCTION school_name_parts(name text, city text, type_code text, OUT level text, OUT state text, OUT numbers text, OUT core text)
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  words text[];
  word text;
  bare text[] := '{}';
  rest text[];
  digits text[] := '{}';
  romans CONSTANT text[] := '{i,ii,iii,iv,v,vi,vii,viii,ix,x}';
  -- The city without what it is: `rokan hulu`, `jakarta selatan`.
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
  -- The name of the city tells nothing at the end of a name; in the middle it does: Kapuas Kuala is not Kuala Kapuas.
  length := cardinality(bare) - cardinality(place);
  rest := CASE WHEN length >= 0 AND bare[length + 1:] = place THEN bare[:length] ELSE bare END;
  core := array_to_string(CASE WHEN cardinality(rest) > 0 OR cardinality(digits) > 0 THEN rest ELSE bare END, ' ');
END $$;

-- The district and whether a school is verified count in the comparison too.
DROP TRIGGER schools_changed ON schools;
CREATE TRIGGER schools_changed AFTER UPDATE OF name, npsn, city_id, school_type_id, district_id, verified ON schools
  FOR EACH ROW WHEN ((OLD.name, OLD.npsn, OLD.city_id, OLD.school_type_id, OLD.district_id, OLD.verified)
    IS DISTINCT FROM (NEW.name, NEW.npsn, NEW.city_id, NEW.school_type_id, NEW.district_id, NEW.verified))
  EXECUTE FUNCTION schools_changed();

-- Whoever saves a profile with the school it has already need not wait for a merge of that school: the merge waits.
DROP TRIGGER applicants_follow_school ON applicants;
CREATE TRIGGER applicants_follow_school BEFORE INSERT ON applicants
  FOR EACH ROW WHEN (NEW.school_id IS NOT NULL) EXECUTE FUNCTION applicants_follow_school();
CREATE TRIGGER applicants_follow_changed_school BEFORE UPDATE OF school_id ON applicants
  FOR EACH ROW WHEN (NEW.school_id IS NOT NULL AND NEW.school_id IS DISTINCT FROM OLD.school_id)
  EXECUTE FUNCTION applicants_follow_school();

INSERT INTO school_waiting (school_id) SELECT id FROM schools ON CONFLICT DO NOTHING;
