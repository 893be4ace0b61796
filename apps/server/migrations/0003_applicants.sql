-- The applicant's own record: one row per account of role Mahasiswa.
CREATE TABLE applicants (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL UNIQUE REFERENCES accounts (id) ON DELETE RESTRICT,
  full_name varchar(100) NOT NULL,
  birth_place varchar(60),
  birth_date date,
  gender text CHECK (gender IN ('male', 'female')),
  nik varchar(16) CHECK (nik ~ '^[0-9]{16}$'),
  nisn varchar(10) CHECK (nisn ~ '^[0-9]{10}$'),
  citizenship varchar(2) NOT NULL DEFAULT 'ID',
  religion_id uuid REFERENCES religions (id),
  ethnic_group_id uuid REFERENCES ethnic_groups (id),
  phone varchar(20),
  mother_name varchar(100),
  father_name varchar(100),
  guardian_name varchar(100),
  guardian_phone varchar(20),
  province_id uuid REFERENCES provinces (id),
  city_id uuid REFERENCES cities (id),
  district_id uuid REFERENCES districts (id),
  village_id uuid REFERENCES villages (id),
  address varchar(200),
  rt varchar(3),
  rw varchar(3),
  postal_code varchar(5) CHECK (postal_code ~ '^[0-9]{5}$'),
  last_education text CHECK (last_education IN ('sma', 'smk', 'ma', 'paket_c', 'd3', 's1', 's2', 'other')),
  school_id uuid REFERENCES schools (id),
  school_type_id uuid REFERENCES school_types (id),
  school_major_id uuid REFERENCES school_majors (id),
  graduation_year integer CHECK (graduation_year BETWEEN 1950 AND 2100),
  photo_file_id uuid REFERENCES files (id),
  clothes_size text CHECK (clothes_size IN ('XS', 'S', 'M', 'L', 'XL', 'XXL', 'XXXL')),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX applicants_nik ON applicants (nik);
CREATE INDEX applicants_school ON applicants (school_id);

-- Driving licence (SIM): "I do not drive" is an answer too.
CREATE TABLE driving_licences (
  account_id uuid PRIMARY KEY REFERENCES accounts (id),
  drives boolean NOT NULL,
  class text CHECK (class IN ('A', 'A Umum', 'B1', 'B2', 'C', 'C1', 'C2', 'D')),
  number varchar(20),
  expires_on date,
  file_id uuid REFERENCES files (id),
  status text NOT NULL DEFAULT 'uploaded' CHECK (status IN ('uploaded', 'approved', 'rejected')),
  reject_reason varchar(300),
  reviewed_by uuid REFERENCES accounts (id),
  reviewed_at timestamptz,
  version integer NOT NULL DEFAULT 1,
  updated_at timestamptz NOT NULL DEFAULT now(),
  CHECK (NOT drives OR (class IS NOT NULL AND number IS NOT NULL AND expires_on IS NOT NULL))
);

-- Short questionnaire: why here, by which criteria, heard of us where.
CREATE TABLE questionnaires (
  account_id uuid PRIMARY KEY REFERENCES accounts (id),
  reasons text[] NOT NULL,
  criteria text[] NOT NULL,
  sources text[] NOT NULL,
  other varchar(300),
  answered_at timestamptz NOT NULL,
  version integer NOT NULL DEFAULT 1
);

-- What somebody picked on a public page before having an account.
CREATE TABLE study_intents (
  account_id uuid PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  wave_id uuid REFERENCES waves (id),
  track_id uuid REFERENCES tracks (id),
  class_programme_id uuid REFERENCES class_programmes (id),
  programme_ids uuid[] NOT NULL DEFAULT '{}',
  updated_at timestamptz NOT NULL DEFAULT now()
);

-- What schools are found by: name, NPSN and city as plain words, with SMAN and SMA NEGERI both written out.
CREATE TABLE school_search (
  school_id uuid PRIMARY KEY REFERENCES schools (id) ON DELETE CASCADE,
  words text NOT NULL
);
CREATE INDEX school_search_words ON school_search USING gin (words gin_trgm_ops);

CREATE FUNCTION school_words(name text, npsn text, city text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT ' ' || concat_ws(' ', plain, lower(npsn), substring(plain FROM '^(sma|smk|ma)n ') || ' negeri',
    substring(plain FROM '^(sma|smk|ma) negeri ') || 'n', btrim(regexp_replace(lower(city), '[^a-z0-9]+', ' ', 'g'))) || ' '
  FROM (SELECT btrim(regexp_replace(regexp_replace(lower(name), '([a-z])([0-9])', '\1 \2', 'g'), '[^a-z0-9]+', ' ', 'g')) || ' '
    AS plain) AS spelled
$$;
CREATE FUNCTION schools_fill_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO school_search (school_id, words)
  VALUES (NEW.id, school_words(NEW.name, NEW.npsn, (SELECT c.name FROM cities c WHERE c.id = NEW.city_id)))
  ON CONFLICT (school_id) DO UPDATE SET words = excluded.words;
  RETURN NULL;
END $$;
CREATE TRIGGER schools_fill_search AFTER INSERT OR UPDATE OF name, npsn, city_id ON schools
  FOR EACH ROW EXECUTE FUNCTION schools_fill_search();

CREATE FUNCTION cities_refresh_school_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE school_search f SET words = school_words(s.name, s.npsn, NEW.name)
  FROM schools s WHERE s.city_id = NEW.id AND f.school_id = s.id;
  RETURN NULL;
END $$;
CREATE TRIGGER cities_refresh_school_search AFTER UPDATE OF name ON cities
  FOR EACH ROW WHEN (OLD.name IS DISTINCT FROM NEW.name) EXECUTE FUNCTION cities_refresh_school_search();
