-- Surveys: a draft that staff edit, versions that never change, links that take answers, and what was answered.

CREATE TABLE surveys (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name varchar(150) NOT NULL CHECK (btrim(name) <> ''),
  status text NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'open', 'closed')),
  draft jsonb NOT NULL,
  -- Number of the newest version.
  published integer,
  closed_at timestamptz,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  created_by uuid REFERENCES accounts (id) ON DELETE SET NULL,
  CHECK ((status = 'draft') = (published IS NULL)),
  CHECK ((status = 'closed') = (closed_at IS NOT NULL))
);
CREATE INDEX surveys_newest ON surveys (updated_at DESC, id);
CREATE INDEX surveys_created_by ON surveys (created_by);
CREATE INDEX surveys_name_search ON surveys USING gin (search_key(name) gin_trgm_ops);

CREATE TABLE survey_versions (
  survey_id uuid NOT NULL REFERENCES surveys (id),
  number integer NOT NULL CHECK (number >= 1),
  definition jsonb NOT NULL,
  published_at timestamptz NOT NULL,
  published_by uuid,
  PRIMARY KEY (survey_id, number)
);

CREATE TRIGGER survey_versions_keep BEFORE UPDATE OR DELETE ON survey_versions
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER survey_versions_never_emptied BEFORE TRUNCATE ON survey_versions EXECUTE FUNCTION refuse_change();

-- Columns of tables above that lead to this one.
ALTER TABLE surveys ADD CONSTRAINT surveys_published
  FOREIGN KEY (id, published)
  REFERENCES survey_versions (survey_id, number) DEFERRABLE INITIALLY DEFERRED;

-- Public addresses of a survey. Senders lock the row, so that `taken` never passes `budget`.
CREATE TABLE survey_links (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  survey_id uuid NOT NULL REFERENCES surveys (id) ON DELETE CASCADE,
  name varchar(150) NOT NULL CHECK (btrim(name) <> ''),
  slug varchar(60) NOT NULL UNIQUE CHECK (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  school_id uuid REFERENCES schools (id) ON DELETE RESTRICT,
  event_id uuid,
  affiliate_id uuid REFERENCES affiliates (id) ON DELETE RESTRICT,
  budget integer CHECK (budget >= 1),
  taken integer NOT NULL DEFAULT 0 CHECK (taken >= 0),
  ends_at timestamptz,
  closed_at timestamptz,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  created_by uuid REFERENCES accounts (id) ON DELETE SET NULL,
  CONSTRAINT survey_links_budget CHECK (taken <= budget),
  UNIQUE (id, survey_id),
  CONSTRAINT survey_links_event_id_fkey FOREIGN KEY (event_id) REFERENCES events (id) ON DELETE SET NULL
);
CREATE INDEX survey_links_survey ON survey_links (survey_id, lower(name));
CREATE INDEX survey_links_school ON survey_links (school_id);
CREATE INDEX survey_links_event ON survey_links (event_id);
CREATE INDEX survey_links_affiliate ON survey_links (affiliate_id);
CREATE INDEX survey_links_created_by ON survey_links (created_by);

CREATE TRIGGER survey_links_follow_school BEFORE INSERT OR UPDATE OF school_id ON survey_links
  FOR EACH ROW WHEN (NEW.school_id IS NOT NULL) EXECUTE FUNCTION applicants_follow_school();

CREATE TABLE survey_responses (
  -- Made on the device: the same response sent again is the same row.
  id uuid PRIMARY KEY,
  survey_id uuid NOT NULL,
  version integer NOT NULL,
  link_id uuid NOT NULL,
  language text NOT NULL CHECK (language IN ('en', 'id')),
  -- By the clock of the device, corrected by `clock_offset_ms`: how far the server's clock was ahead when it sent.
  started_at timestamptz NOT NULL,
  finished_at timestamptz NOT NULL,
  clock_offset_ms bigint NOT NULL,
  received_at timestamptz NOT NULL,
  -- Day of the end in the calendar of the university.
  day date NOT NULL,
  -- The school that was answered, else the one of the link.
  school_id uuid REFERENCES schools (id) ON DELETE RESTRICT,
  answers jsonb NOT NULL,
  -- SHA-256 of the request, to tell a repeat from another response with the same id.
  digest bytea NOT NULL,
  -- When contact and photos were erased.
  erased_at timestamptz,
  -- The lead of a response with a contact. Deleting the lead erases contact and photos of its responses.
  lead_id uuid REFERENCES leads (id) ON DELETE SET NULL,
  FOREIGN KEY (survey_id, version) REFERENCES survey_versions (survey_id, number),
  FOREIGN KEY (link_id, survey_id) REFERENCES survey_links (id, survey_id)
);
CREATE INDEX survey_responses_newest ON survey_responses (survey_id, finished_at DESC, id);
CREATE INDEX survey_responses_received ON survey_responses (survey_id, received_at DESC, id);
CREATE INDEX survey_responses_version ON survey_responses (survey_id, version);
CREATE INDEX survey_responses_link ON survey_responses (link_id, survey_id);
CREATE INDEX survey_responses_school ON survey_responses (school_id, survey_id);
CREATE INDEX survey_responses_lead ON survey_responses (lead_id);
CREATE INDEX survey_responses_leads ON survey_responses (survey_id) WHERE lead_id IS NOT NULL;

-- A response stays as the device sent it: only erasing, and links to schools and leads, change it.
CREATE TRIGGER survey_responses_keep BEFORE UPDATE OF id, survey_id, version, link_id, language, started_at, finished_at,
  received_at, day, digest ON survey_responses
  FOR EACH ROW WHEN ((OLD.id, OLD.survey_id, OLD.version, OLD.link_id, OLD.language, OLD.started_at, OLD.finished_at,
    OLD.received_at, OLD.day, OLD.digest) IS DISTINCT FROM (NEW.id, NEW.survey_id, NEW.version, NEW.link_id, NEW.language,
    NEW.started_at, NEW.finished_at, NEW.received_at, NEW.day, NEW.digest))
  EXECUTE FUNCTION refuse_rewriting();
-- A device may name a school that has been merged into another one.
CREATE TRIGGER survey_responses_follow_school BEFORE INSERT OR UPDATE OF school_id ON survey_responses
  FOR EACH ROW WHEN (NEW.school_id IS NOT NULL) EXECUTE FUNCTION applicants_follow_school();

-- Answers for charts and searches. `value` is an option, a number, a day or the id of a school, and empty for the rest;
-- several options have a row each, and an empty one that says the question was answered.
CREATE TABLE survey_answers (
  response_id uuid NOT NULL REFERENCES survey_responses (id) ON DELETE CASCADE,
  survey_id uuid NOT NULL,
  question varchar(40) NOT NULL,
  value varchar(40) NOT NULL,
  -- Words of the answer, or the name of a school that is not in the list.
  text varchar(2000),
  PRIMARY KEY (response_id, question, value)
);
CREATE INDEX survey_answers_values ON survey_answers (survey_id, question, value, response_id);
CREATE INDEX survey_answers_words ON survey_answers USING gin (search_key(text) gin_trgm_ops) WHERE text IS NOT NULL;

-- Rows to count: every response under the empty question, and every answer.
CREATE VIEW survey_counted AS
  SELECT r.id AS response_id, r.survey_id, r.link_id, r.version, r.day, r.language, r.school_id, '' AS question, '' AS value
  FROM survey_responses r
  UNION ALL
  SELECT r.id, r.survey_id, r.link_id, r.version, r.day, r.language, r.school_id, a.question, a.value
  FROM survey_responses r JOIN survey_answers a ON a.response_id = r.id;

CREATE TABLE survey_photos (
  response_id uuid NOT NULL REFERENCES survey_responses (id) ON DELETE CASCADE,
  photo_id uuid NOT NULL,
  question varchar(40) NOT NULL,
  file_id uuid NOT NULL REFERENCES files (id) ON DELETE RESTRICT,
  PRIMARY KEY (response_id, photo_id)
);
CREATE INDEX survey_photos_file ON survey_photos (file_id);

CREATE FUNCTION erase_survey_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE files SET deleted_at = now() WHERE deleted_at IS NULL AND id IN (SELECT p.file_id FROM survey_photos p
    JOIN survey_responses r ON r.id = p.response_id WHERE r.lead_id = OLD.id);
  DELETE FROM survey_photos p USING survey_responses r WHERE r.id = p.response_id AND r.lead_id = OLD.id;
  UPDATE survey_responses r SET erased_at = now(), answers = r.answers - ARRAY(
    SELECT question ->> 'key' FROM survey_versions v, jsonb_array_elements(v.definition -> 'questions') question
    WHERE v.survey_id = r.survey_id AND v.number = r.version AND question ->> 'kind' IN ('contact', 'photo'))
  WHERE r.lead_id = OLD.id;
  RETURN OLD;
END $$;
CREATE TRIGGER leads_erase_surveys BEFORE DELETE ON leads FOR EACH ROW EXECUTE FUNCTION erase_survey_contacts();

-- Ids of deleted responses: a device that sends one again gets the answer that it is known.
CREATE TABLE survey_removals (
  response_id uuid PRIMARY KEY,
  survey_id uuid NOT NULL REFERENCES surveys (id) ON DELETE CASCADE,
  reason varchar(500) NOT NULL,
  removed_at timestamptz NOT NULL,
  removed_by uuid REFERENCES accounts (id) ON DELETE SET NULL
);
CREATE INDEX survey_removals_survey ON survey_removals (survey_id);
CREATE INDEX survey_removals_by ON survey_removals (removed_by);

-- Kept counts, so that a summary of hundreds of thousands of answers reads one row per different answer.
CREATE TABLE survey_counts (
  survey_id uuid NOT NULL REFERENCES surveys (id) ON DELETE CASCADE,
  link_id uuid NOT NULL REFERENCES survey_links (id) ON DELETE CASCADE,
  version integer NOT NULL,
  day date NOT NULL,
  language text NOT NULL,
  question varchar(40) NOT NULL,
  value varchar(40) NOT NULL,
  count integer NOT NULL CHECK (count >= 0),
  PRIMARY KEY (survey_id, link_id, version, day, language, question, value)
);
CREATE INDEX survey_counts_link ON survey_counts (link_id);

-- Adds responses to the kept counts, or subtracts them with -1. In the order of the key, so that two writers cannot
-- deadlock.
CREATE FUNCTION count_survey_responses(ids uuid[], sign integer) RETURNS void LANGUAGE sql AS $$
  INSERT INTO survey_counts AS kept (survey_id, link_id, version, day, language, question, value, count)
  SELECT survey_id, link_id, version, day, language, question, value, count(*) FROM survey_counted
  WHERE sign > 0 AND response_id = ANY (ids)
  GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 1, 2, 3, 4, 5, 6, 7
  ON CONFLICT (survey_id, link_id, version, day, language, question, value) DO UPDATE SET count = kept.count + excluded.count;
  UPDATE survey_counts kept SET count = kept.count - gone.count
  FROM (SELECT survey_id, link_id, version, day, language, question, value, count(*) AS count FROM survey_counted
    WHERE sign < 0 AND response_id = ANY (ids) GROUP BY 1, 2, 3, 4, 5, 6, 7) gone
  WHERE (kept.survey_id, kept.link_id, kept.version, kept.day, kept.language, kept.question, kept.value)
    = (gone.survey_id, gone.link_id, gone.version, gone.day, gone.language, gone.question, gone.value)
$$;

-- A deleted response leaves the counts and frees its place in the budget. The link is locked first, as senders do.
CREATE FUNCTION forget_survey_response() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE survey_links SET taken = taken - 1 WHERE id = OLD.link_id;
  PERFORM count_survey_responses(ARRAY[OLD.id], -1);
  RETURN OLD;
END $$;
CREATE TRIGGER survey_responses_forget BEFORE DELETE ON survey_responses
  FOR EACH ROW EXECUTE FUNCTION forget_survey_response();
