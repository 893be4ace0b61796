-- A text as searches compare it, without case, accents and apostrophes; searchKeyOf in packages/domain gives the same for
-- what somebody types.
CREATE FUNCTION search_key(words text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT lower(regexp_replace(normalize(translate(words, '''‘’‛′`´ʹʻʼʽʾʿ＇', ''), NFKD), '[\u0300-\u036f]', '', 'g'))
$$;

CREATE OR REPLACE FUNCTION registrations_fill_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT search_key(concat_ws(' ', a.full_name, NEW.code)), coalesce(a.phone, '') INTO NEW.search_text, NEW.search_phone
  FROM applicants a WHERE a.id = NEW.applicant_id;
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION applicants_refresh_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE registrations r
  SET search_text = search_key(concat_ws(' ', NEW.full_name, r.code)), search_phone = coalesce(NEW.phone, '')
  WHERE r.applicant_id = NEW.id;
  RETURN NEW;
END $$;

UPDATE registrations SET search_text = search_key(search_text) WHERE search_text <> search_key(search_text);

CREATE OR REPLACE FUNCTION school_words(name text, npsn text, city text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT ' ' || concat_ws(' ', plain, lower(npsn), substring(plain FROM '^(sma|smk|ma)n ') || ' negeri',
    substring(plain FROM '^(sma|smk|ma) negeri ') || 'n', btrim(regexp_replace(search_key(city), '[^a-z0-9]+', ' ', 'g'))) || ' '
  FROM (SELECT btrim(regexp_replace(regexp_replace(search_key(name), '([a-z])([0-9])', '\1 \2', 'g'), '[^a-z0-9]+', ' ', 'g')) || ' '
    AS plain) AS spelled
$$;

SELECT refresh_school_search(array_agg(s.id)) FROM schools s JOIN cities c ON c.id = s.city_id
WHERE search_key(s.name) <> lower(s.name) OR search_key(c.name) <> lower(c.name);

-- nameKeyOf made a space of these signs.
UPDATE leads SET name_key = left(btrim(regexp_replace(replace(search_key(name), '.', ''), '[^[:alnum:]]+', ' ', 'g')), 200)
WHERE name ~ '[‘‛′´ʹʻʼʽʾʿ＇]';

DROP INDEX accounts_name, accounts_name_start, cities_name_search, districts_name_search, villages_name_search,
  schools_name_search, affiliates_name_start, affiliates_name_search, surveys_name_search, survey_answers_words,
  campaigns_name, conversations_name, statement_lines_words;
CREATE INDEX accounts_name ON accounts USING gin (search_key(name) gin_trgm_ops);
CREATE INDEX accounts_name_start ON accounts (search_key(name) text_pattern_ops);
CREATE INDEX cities_name_search ON cities USING gin (search_key(name) gin_trgm_ops);
CREATE INDEX districts_name_search ON districts USING gin (search_key(name) gin_trgm_ops);
CREATE INDEX villages_name_search ON villages USING gin (search_key(name) gin_trgm_ops);
CREATE INDEX schools_name_search ON schools USING gin (search_key(name) gin_trgm_ops);
CREATE INDEX affiliates_name_start ON affiliates (search_key(name) text_pattern_ops);
CREATE INDEX affiliates_name_search ON affiliates USING gin (search_key(name) gin_trgm_ops);
CREATE INDEX surveys_name_search ON surveys USING gin (search_key(name) gin_trgm_ops);
CREATE INDEX survey_answers_words ON survey_answers USING gin (search_key(text) gin_trgm_ops) WHERE text IS NOT NULL;
CREATE INDEX campaigns_name ON campaigns USING gin (search_key(name) gin_trgm_ops);
CREATE INDEX conversations_name ON conversations USING gin (search_key(name) gin_trgm_ops);
CREATE INDEX statement_lines_words ON statement_lines USING gin (search_key(reference || ' ' || description) gin_trgm_ops);
