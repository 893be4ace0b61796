-- Master data that staff edit: study programmes, waves, tracks, capacities and regions. New tables are drafted by
-- scripts/entity-sql.ts from packages/entities. Codes are unique whatever the case of their letters; their index
-- (text_pattern_ops) also serves the search by beginning.

CREATE TABLE faculties (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  code varchar(10) NOT NULL,
  name varchar(120) NOT NULL,
  name_en varchar(120),
  dean varchar(120),
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid
);
CREATE UNIQUE INDEX faculties_code_key ON faculties (lower(code) text_pattern_ops);

-- RESTRICT: a role limited to a deleted faculty or programme must not become a role without limits.
ALTER TABLE role_scopes ADD CONSTRAINT role_scopes_faculty_id_fkey
  FOREIGN KEY (faculty_id) REFERENCES faculties (id) ON DELETE RESTRICT;

CREATE TABLE degree_levels (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  code varchar(10) NOT NULL,
  name varchar(60) NOT NULL,
  pddikti_code varchar(3),
  sort_order integer NOT NULL DEFAULT 0 CHECK (sort_order BETWEEN 0 AND 999),
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid
);
CREATE UNIQUE INDEX degree_levels_code_key ON degree_levels (lower(code) text_pattern_ops);

CREATE TABLE entry_levels (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  code varchar(20) NOT NULL,
  name varchar(120) NOT NULL,
  degree_level_id uuid NOT NULL REFERENCES degree_levels (id) ON DELETE RESTRICT,
  minimum_education text NOT NULL DEFAULT 'sma' CHECK (minimum_education IN ('sma', 'd3', 's1', 's2')),
  pddikti_registration_kind text CHECK (pddikti_registration_kind IN ('1', '2', '8', '11', '12', '13')),
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid
);
CREATE UNIQUE INDEX entry_levels_code_key ON entry_levels (lower(code) text_pattern_ops);
CREATE INDEX entry_levels_degree_level_id ON entry_levels (degree_level_id);

CREATE TABLE class_programmes (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  code varchar(10) NOT NULL,
  name varchar(120) NOT NULL,
  description varchar(2000),
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid
);
CREATE UNIQUE INDEX class_programmes_code_key ON class_programmes (lower(code) text_pattern_ops);

CREATE TABLE study_programmes (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  code varchar(10) NOT NULL,
  name varchar(120) NOT NULL,
  name_en varchar(120),
  faculty_id uuid NOT NULL REFERENCES faculties (id) ON DELETE RESTRICT,
  degree_level_id uuid NOT NULL REFERENCES degree_levels (id) ON DELETE RESTRICT,
  accreditation text CHECK (accreditation IN ('unggul', 'baik_sekali', 'baik', 'a', 'b', 'c', 'provisional')),
  npm_code varchar(10) NOT NULL,
  pddikti_id varchar(36),
  description varchar(2000),
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid
);
CREATE UNIQUE INDEX study_programmes_code_key ON study_programmes (lower(code) text_pattern_ops);
CREATE INDEX study_programmes_faculty_id ON study_programmes (faculty_id);
CREATE INDEX study_programmes_degree_level_id ON study_programmes (degree_level_id);

-- Servers remember which study programmes a role limited to faculties may see. A new or moved programme makes them
-- forget, so that the role sees the programmes that join its faculty.
CREATE TRIGGER study_programmes_scope_changed AFTER INSERT OR DELETE OR UPDATE OF faculty_id ON study_programmes
  FOR EACH STATEMENT EXECUTE FUNCTION notify_roles_changed();
CREATE TRIGGER study_programmes_moved AFTER INSERT OR DELETE OR UPDATE OF faculty_id ON study_programmes
  FOR EACH STATEMENT EXECUTE FUNCTION notify_roles_changed();
ALTER TABLE role_scopes ADD CONSTRAINT role_scopes_programme_id_fkey
  FOREIGN KEY (programme_id) REFERENCES study_programmes (id) ON DELETE RESTRICT;

CREATE TABLE waves (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  code varchar(10) NOT NULL,
  academic_year varchar(9) NOT NULL,
  name varchar(60) NOT NULL,
  semester_code varchar(5) NOT NULL,
  opens_at timestamptz NOT NULL,
  closes_at timestamptz NOT NULL,
  results_at timestamptz,
  confirmation_due_at timestamptz,
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid,
  CHECK (opens_at < closes_at),
  CHECK (opens_at < results_at),
  CHECK (results_at < confirmation_due_at)
);
CREATE UNIQUE INDEX waves_code_key ON waves (lower(code) text_pattern_ops);

CREATE TABLE tracks (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  code varchar(10) NOT NULL,
  name varchar(120) NOT NULL,
  kind text NOT NULL DEFAULT 'regular'
    CHECK (kind IN ('regular', 'achievement', 'scholarship', 'invitation', 'transfer')),
  description varchar(2000),
  has_test boolean NOT NULL DEFAULT true,
  free_of_fee boolean NOT NULL DEFAULT false,
  max_choices integer NOT NULL DEFAULT 2 CHECK (max_choices BETWEEN 1 AND 5),
  asks_donation boolean NOT NULL DEFAULT false,
  pddikti_track_code text CHECK (pddikti_track_code IN ('3', '4', '9', '11', '12', '13', '14', '15')),
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid
);
CREATE UNIQUE INDEX tracks_code_key ON tracks (lower(code) text_pattern_ops);

CREATE TABLE track_details (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  track_id uuid NOT NULL REFERENCES tracks (id) ON DELETE RESTRICT,
  wave_id uuid NOT NULL REFERENCES waves (id) ON DELETE RESTRICT,
  entry_level_id uuid NOT NULL REFERENCES entry_levels (id) ON DELETE RESTRICT,
  opens_at timestamptz NOT NULL,
  closes_at timestamptz NOT NULL,
  payment_due_at timestamptz,
  results_at timestamptz,
  confirmation_due_at timestamptz,
  quota integer CHECK (quota BETWEEN 0 AND 100000),
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid,
  CHECK (opens_at < closes_at),
  CHECK (opens_at < payment_due_at),
  CHECK (opens_at < results_at),
  CHECK (results_at < confirmation_due_at)
);
CREATE INDEX track_details_track_id ON track_details (track_id);
CREATE INDEX track_details_wave_id ON track_details (wave_id);
CREATE INDEX track_details_entry_level_id ON track_details (entry_level_id);
CREATE UNIQUE INDEX track_details_one ON track_details (track_id, wave_id, entry_level_id);

CREATE TABLE track_files (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  track_id uuid NOT NULL REFERENCES tracks (id) ON DELETE RESTRICT,
  name varchar(120) NOT NULL,
  required boolean NOT NULL DEFAULT true,
  accepted_types text[] NOT NULL CHECK (accepted_types <@ ARRAY['pdf', 'jpg', 'png', 'webp']),
  max_mb integer NOT NULL DEFAULT 5 CHECK (max_mb BETWEEN 1 AND 20),
  template_file_id uuid REFERENCES files (id) ON DELETE RESTRICT,
  may_defer boolean NOT NULL DEFAULT false,
  sort_order integer NOT NULL DEFAULT 0 CHECK (sort_order BETWEEN 0 AND 999),
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid,
  -- `enrolment`: asked for once the place is confirmed.
  stage text NOT NULL DEFAULT 'registration' CHECK (stage IN ('registration', 'enrolment'))
);
CREATE INDEX track_files_track_id ON track_files (track_id);
CREATE INDEX track_files_template_file_id ON track_files (template_file_id);
CREATE UNIQUE INDEX track_files_one ON track_files (track_id, lower(name));

CREATE TABLE programme_details (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  programme_id uuid NOT NULL REFERENCES study_programmes (id) ON DELETE RESTRICT,
  wave_id uuid NOT NULL REFERENCES waves (id) ON DELETE RESTRICT,
  class_programme_id uuid NOT NULL REFERENCES class_programmes (id) ON DELETE RESTRICT,
  entry_level_id uuid NOT NULL REFERENCES entry_levels (id) ON DELETE RESTRICT,
  capacity integer NOT NULL CHECK (capacity BETWEEN 0 AND 100000),
  passing_grade numeric(12, 2) CHECK (passing_grade BETWEEN 0 AND 1000),
  open boolean NOT NULL DEFAULT true,
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid,
  -- Places offered above the capacity, because some accepted applicants never confirm.
  over_offer integer NOT NULL DEFAULT 0 CHECK (over_offer BETWEEN 0 AND 100000)
);
CREATE INDEX programme_details_programme_id ON programme_details (programme_id);
CREATE INDEX programme_details_wave_id ON programme_details (wave_id);
CREATE INDEX programme_details_class_programme_id ON programme_details (class_programme_id);
CREATE INDEX programme_details_entry_level_id ON programme_details (entry_level_id);
CREATE UNIQUE INDEX programme_details_one
  ON programme_details (programme_id, wave_id, class_programme_id, entry_level_id);

-- The capacity of a programme divided by track. A programme without rows has one pool for all tracks; in a divided
-- programme a track without a row has no places. The quota in track_details limits submissions, not places.
CREATE TABLE track_quotas (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  programme_detail_id uuid NOT NULL REFERENCES programme_details (id) ON DELETE CASCADE,
  track_id uuid NOT NULL REFERENCES tracks (id) ON DELETE RESTRICT,
  places integer NOT NULL CHECK (places BETWEEN 0 AND 100000),
  -- Turn at places that other tracks leave empty, smallest first; NULL: the track never exceeds its own places.
  spill_turn integer CHECK (spill_turn BETWEEN 1 AND 100),
  UNIQUE (programme_detail_id, track_id),
  UNIQUE (programme_detail_id, spill_turn) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX track_quotas_track_id ON track_quotas (track_id);

-- Programmes and their tracks, as the board of quotas lists them.
CREATE VIEW quota_board AS
SELECT k.*, w.name || ' ' || w.academic_year AS wave, w.opens_at, p.name AS programme, c.name AS class_programme,
  e.name AS entry_level, t.name AS track,
  -- A programme comes before its tracks.
  lower(concat_ws(' ', p.name, c.name, e.name, w.name, w.academic_year, k.turn, t.name)) AS sort_text
FROM (
  SELECT d.id, d.id AS programme_detail_id, d.wave_id, d.programme_id, d.class_programme_id, d.entry_level_id,
    NULL::uuid AS track_id, d.capacity AS places, d.over_offer, NULL::integer AS spill_turn, 0 AS turn
  FROM programme_details d WHERE d.active
  UNION ALL
  SELECT q.id, d.id, d.wave_id, d.programme_id, d.class_programme_id, d.entry_level_id, q.track_id, q.places, NULL,
    q.spill_turn, 1
  FROM track_quotas q JOIN programme_details d ON d.id = q.programme_detail_id AND d.active
) k
JOIN waves w ON w.id = k.wave_id
JOIN study_programmes p ON p.id = k.programme_id
JOIN class_programmes c ON c.id = k.class_programme_id
JOIN entry_levels e ON e.id = k.entry_level_id
LEFT JOIN tracks t ON t.id = k.track_id;

-- Tracks together never have more places than the programme. Checked at the end of the transaction under the lock of
-- the row with the capacity, so that two accounts changing different tracks cannot both pass.
CREATE FUNCTION refuse_quotas_above_capacity() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  detail uuid;
  whole integer;
BEGIN
  IF TG_TABLE_NAME = 'programme_details' THEN
    detail := NEW.id;
  ELSE
    detail := NEW.programme_detail_id;
  END IF;
  SELECT capacity INTO whole FROM programme_details WHERE id = detail FOR NO KEY UPDATE;
  IF (SELECT sum(places) FROM track_quotas WHERE programme_detail_id = detail) > whole THEN
    RAISE EXCEPTION 'the tracks of a programme have more places than its capacity'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'track_quotas_within_capacity';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER track_quotas_within_capacity AFTER INSERT OR UPDATE ON track_quotas
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse_quotas_above_capacity();
CREATE CONSTRAINT TRIGGER programme_details_hold_quotas AFTER UPDATE OF capacity ON programme_details
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.capacity < OLD.capacity)
  EXECUTE FUNCTION refuse_quotas_above_capacity();

-- Whether applicants may sign up and apply. Without a row the university has never opened.
CREATE TABLE registration_opening (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  opened_at timestamptz NOT NULL,
  -- NULL in a demo, and for universities that opened before the product recorded who did.
  opened_by uuid REFERENCES accounts (id) ON DELETE RESTRICT,
  closed_at timestamptz,
  closed_by uuid REFERENCES accounts (id) ON DELETE RESTRICT,
  closed_reason varchar(500),
  CHECK (num_nulls(closed_at, closed_by, closed_reason) IN (0, 3))
);
CREATE INDEX registration_opening_opened_by ON registration_opening (opened_by);
CREATE INDEX registration_opening_closed_by ON registration_opening (closed_by);

-- Optional lines of the opening checklist that the university has decided to do without.
CREATE TABLE opening_waivers (
  line varchar(40) PRIMARY KEY,
  reason varchar(500) NOT NULL,
  waived_at timestamptz NOT NULL,
  waived_by uuid NOT NULL REFERENCES accounts (id) ON DELETE RESTRICT
);
CREATE INDEX opening_waivers_waived_by ON opening_waivers (waived_by);

CREATE TABLE religions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  code varchar(3) NOT NULL,
  name varchar(60) NOT NULL,
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid
);
CREATE UNIQUE INDEX religions_code_key ON religions (lower(code) text_pattern_ops);

CREATE TABLE ethnic_groups (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name varchar(80) NOT NULL,
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid
);
CREATE UNIQUE INDEX ethnic_groups_name_key ON ethnic_groups (lower(name) text_pattern_ops);

CREATE TABLE provinces (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  code varchar(2) NOT NULL,
  name varchar(100) NOT NULL,
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid
);
CREATE UNIQUE INDEX provinces_code_key ON provinces (lower(code) text_pattern_ops);

CREATE TABLE cities (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  province_id uuid NOT NULL REFERENCES provinces (id) ON DELETE RESTRICT,
  code varchar(5) NOT NULL,
  name varchar(100) NOT NULL,
  kind text NOT NULL DEFAULT 'kabupaten' CHECK (kind IN ('kota', 'kabupaten')),
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid
);
CREATE INDEX cities_province_id ON cities (province_id);
CREATE UNIQUE INDEX cities_code_key ON cities (lower(code) text_pattern_ops);
-- Pages in the order of the list, however deep, without reading the whole table. Districts, villages and schools have
-- them too.
CREATE INDEX cities_by_code ON cities (code, id);
CREATE INDEX cities_by_name ON cities (name, id);
CREATE INDEX cities_name_search ON cities USING gin (search_key(name) gin_trgm_ops);

CREATE TABLE districts (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  city_id uuid NOT NULL REFERENCES cities (id) ON DELETE RESTRICT,
  code varchar(8) NOT NULL,
  name varchar(100) NOT NULL,
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid
);
CREATE INDEX districts_city_id ON districts (city_id);
CREATE UNIQUE INDEX districts_code_key ON districts (lower(code) text_pattern_ops);
CREATE INDEX districts_by_code ON districts (code, id);
CREATE INDEX districts_by_name ON districts (name, id);
-- Rare rows that a filter asks for.
CREATE INDEX districts_inactive ON districts (code, id) WHERE NOT active;
CREATE INDEX districts_name_search ON districts USING gin (search_key(name) gin_trgm_ops);

CREATE TABLE villages (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  district_id uuid NOT NULL REFERENCES districts (id) ON DELETE RESTRICT,
  code varchar(13) NOT NULL,
  name varchar(100) NOT NULL,
  postal_code varchar(5),
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid
);
CREATE INDEX villages_district_id ON villages (district_id);
CREATE UNIQUE INDEX villages_code_key ON villages (lower(code) text_pattern_ops);
CREATE INDEX villages_by_code ON villages (code, id);
CREATE INDEX villages_by_name ON villages (name, id);
CREATE INDEX villages_inactive ON villages (code, id) WHERE NOT active;
CREATE INDEX villages_name_search ON villages USING gin (search_key(name) gin_trgm_ops);
