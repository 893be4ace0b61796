-- Applicants and what they say about themselves.

-- One row per account of role Mahasiswa.
CREATE TABLE applicants (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL UNIQUE REFERENCES accounts (id) ON DELETE RESTRICT,
  full_name varchar(100) NOT NULL CHECK (full_name !~ '[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]'),
  birth_place varchar(60),
  birth_date date,
  gender text CHECK (gender IN ('male', 'female')),
  nik varchar(16) CHECK (nik ~ '^[0-9]{16}$'),
  nisn varchar(10) CHECK (nisn ~ '^[0-9]{10}$'),
  citizenship varchar(2) NOT NULL DEFAULT 'ID',
  religion_id uuid REFERENCES religions (id),
  ethnic_group_id uuid REFERENCES ethnic_groups (id),
  phone varchar(20) CHECK (phone ~ '^\+[1-9][0-9]{7,14}$'),
  mother_name varchar(100),
  father_name varchar(100),
  guardian_name varchar(100),
  guardian_phone varchar(20) CHECK (guardian_phone ~ '^\+[1-9][0-9]{7,14}$'),
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
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- What a person needs at a test. Shown only to staff who arrange tests, and to the person.
  special_needs varchar(500)
);
CREATE UNIQUE INDEX applicants_nik ON applicants (nik);
CREATE INDEX applicants_school ON applicants (school_id);
-- For deleting hundreds of rows of master data: finds the rows that keep them.
CREATE INDEX applicants_city_id ON applicants (city_id);
CREATE INDEX applicants_district_id ON applicants (district_id);
CREATE INDEX applicants_village_id ON applicants (village_id);
-- For the search over everything: people remember the end of a number.
CREATE INDEX applicants_nik_end ON applicants (reverse(nik) text_pattern_ops);
-- For deleting files, which looks for their users.
CREATE INDEX applicants_photo_file_id ON applicants (photo_file_id) WHERE photo_file_id IS NOT NULL;
-- For leads: one with the birth date and name of an applicant may be that person.
CREATE INDEX applicants_birth_date ON applicants (birth_date);

-- Only a new or changed school waits for a merge; a profile saved with its present school does not.
CREATE TRIGGER applicants_follow_school BEFORE INSERT ON applicants
  FOR EACH ROW WHEN (NEW.school_id IS NOT NULL) EXECUTE FUNCTION applicants_follow_school();
CREATE TRIGGER applicants_follow_changed_school BEFORE UPDATE OF school_id ON applicants
  FOR EACH ROW WHEN (NEW.school_id IS NOT NULL AND NEW.school_id IS DISTINCT FROM OLD.school_id)
  EXECUTE FUNCTION applicants_follow_school();

-- Driving licence (SIM); `drives` is false for "I do not drive".
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

-- Short questionnaire: why this university, by which criteria, and where they heard of it.
CREATE TABLE questionnaires (
  account_id uuid PRIMARY KEY REFERENCES accounts (id),
  reasons text[] NOT NULL,
  criteria text[] NOT NULL,
  sources text[] NOT NULL,
  other varchar(300),
  answered_at timestamptz NOT NULL,
  version integer NOT NULL DEFAULT 1
);

-- What a visitor picked on a public page before signing up.
CREATE TABLE study_intents (
  account_id uuid PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  wave_id uuid REFERENCES waves (id),
  track_id uuid REFERENCES tracks (id),
  class_programme_id uuid REFERENCES class_programmes (id),
  programme_ids uuid[] NOT NULL DEFAULT '{}',
  updated_at timestamptz NOT NULL DEFAULT now()
);
