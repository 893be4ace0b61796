-- Master data. Drafted by scripts/entity-sql.ts from packages/entities and edited here.
-- Codes are unique whatever the case of their letters; the index (text_pattern_ops) also serves the search by beginning.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

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
  kind text NOT NULL DEFAULT 'regular' CHECK (kind IN ('regular', 'achievement', 'scholarship', 'invitation', 'transfer')),
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

CREATE TABLE fee_components (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  code varchar(20) NOT NULL,
  name varchar(120) NOT NULL,
  recurrence text NOT NULL DEFAULT 'once' CHECK (recurrence IN ('once', 'per_semester', 'monthly', 'incidental')),
  refundable boolean NOT NULL DEFAULT false,
  allocation_priority integer NOT NULL DEFAULT 100 CHECK (allocation_priority BETWEEN 1 AND 999),
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid
);
CREATE UNIQUE INDEX fee_components_code_key ON fee_components (lower(code) text_pattern_ops);

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
  updated_by uuid
);
CREATE INDEX programme_details_programme_id ON programme_details (programme_id);
CREATE INDEX programme_details_wave_id ON programme_details (wave_id);
CREATE INDEX programme_details_class_programme_id ON programme_details (class_programme_id);
CREATE INDEX programme_details_entry_level_id ON programme_details (entry_level_id);
CREATE UNIQUE INDEX programme_details_one ON programme_details (programme_id, wave_id, class_programme_id, entry_level_id);

CREATE TABLE tuition_fees (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  programme_id uuid NOT NULL REFERENCES study_programmes (id) ON DELETE RESTRICT,
  wave_id uuid NOT NULL REFERENCES waves (id) ON DELETE RESTRICT,
  class_programme_id uuid NOT NULL REFERENCES class_programmes (id) ON DELETE RESTRICT,
  track_id uuid REFERENCES tracks (id) ON DELETE RESTRICT,
  fee_component_id uuid NOT NULL REFERENCES fee_components (id) ON DELETE RESTRICT,
  amount bigint NOT NULL CHECK (amount >= 0),
  installments_allowed boolean NOT NULL DEFAULT true,
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid
);
CREATE INDEX tuition_fees_programme_id ON tuition_fees (programme_id);
CREATE INDEX tuition_fees_wave_id ON tuition_fees (wave_id);
CREATE INDEX tuition_fees_class_programme_id ON tuition_fees (class_programme_id);
CREATE INDEX tuition_fees_track_id ON tuition_fees (track_id);
CREATE INDEX tuition_fees_fee_component_id ON tuition_fees (fee_component_id);
CREATE UNIQUE INDEX tuition_fees_one ON tuition_fees (programme_id, wave_id, class_programme_id, track_id, fee_component_id) NULLS NOT DISTINCT;

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
  updated_by uuid
);
CREATE INDEX track_files_track_id ON track_files (track_id);
CREATE INDEX track_files_template_file_id ON track_files (template_file_id);
CREATE UNIQUE INDEX track_files_one ON track_files (track_id, lower(name));

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
CREATE INDEX cities_name_search ON cities USING gin (name gin_trgm_ops);

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
CREATE INDEX districts_name_search ON districts USING gin (name gin_trgm_ops);

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
CREATE INDEX villages_name_search ON villages USING gin (name gin_trgm_ops);

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
  name varchar(150) NOT NULL,
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
CREATE INDEX schools_name_search ON schools USING gin (name gin_trgm_ops);
CREATE INDEX schools_school_type_id ON schools (school_type_id);
CREATE INDEX schools_city_id ON schools (city_id);
CREATE INDEX schools_district_id ON schools (district_id);
CREATE INDEX schools_proposed_by ON schools (proposed_by);

CREATE TABLE tests (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  code varchar(10) NOT NULL,
  name varchar(120) NOT NULL,
  kind text NOT NULL DEFAULT 'cbt' CHECK (kind IN ('cbt', 'interview', 'health', 'portfolio')),
  max_score numeric(12, 2) NOT NULL DEFAULT 100 CHECK (max_score BETWEEN 0 AND 1000),
  weight numeric(12, 2) NOT NULL DEFAULT 1 CHECK (weight BETWEEN 0 AND 100),
  passing_grade numeric(12, 2) CHECK (passing_grade BETWEEN 0 AND 1000),
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid
);
CREATE UNIQUE INDEX tests_code_key ON tests (lower(code) text_pattern_ops);

CREATE TABLE test_sessions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  wave_id uuid NOT NULL REFERENCES waves (id) ON DELETE RESTRICT,
  track_id uuid REFERENCES tracks (id) ON DELETE RESTRICT,
  name varchar(120) NOT NULL,
  date date NOT NULL,
  start_time time NOT NULL,
  end_time time NOT NULL,
  mode text NOT NULL DEFAULT 'onsite' CHECK (mode IN ('onsite', 'online')),
  location varchar(300) NOT NULL,
  capacity integer NOT NULL CHECK (capacity BETWEEN 0 AND 100000),
  booking_opens_at timestamptz,
  booking_closes_at timestamptz,
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid,
  CHECK (start_time < end_time),
  CHECK (booking_opens_at < booking_closes_at)
);
CREATE INDEX test_sessions_wave_id ON test_sessions (wave_id);
CREATE INDEX test_sessions_track_id ON test_sessions (track_id);
CREATE TABLE test_session_tests (
  test_session_id uuid NOT NULL REFERENCES test_sessions (id) ON DELETE CASCADE,
  test_id uuid NOT NULL REFERENCES tests (id) ON DELETE RESTRICT,
  PRIMARY KEY (test_session_id, test_id)
);
CREATE INDEX test_session_tests_test_id ON test_session_tests (test_id);

CREATE TABLE registration_fees (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  wave_id uuid NOT NULL REFERENCES waves (id) ON DELETE RESTRICT,
  track_id uuid REFERENCES tracks (id) ON DELETE RESTRICT,
  entry_level_id uuid REFERENCES entry_levels (id) ON DELETE RESTRICT,
  class_programme_id uuid REFERENCES class_programmes (id) ON DELETE RESTRICT,
  amount bigint NOT NULL CHECK (amount >= 0),
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid
);
CREATE INDEX registration_fees_wave_id ON registration_fees (wave_id);
CREATE INDEX registration_fees_track_id ON registration_fees (track_id);
CREATE INDEX registration_fees_entry_level_id ON registration_fees (entry_level_id);
CREATE INDEX registration_fees_class_programme_id ON registration_fees (class_programme_id);
CREATE UNIQUE INDEX registration_fees_one ON registration_fees (wave_id, track_id, entry_level_id, class_programme_id) NULLS NOT DISTINCT;

CREATE TABLE installment_plans (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  code varchar(20) NOT NULL,
  name varchar(120) NOT NULL,
  wave_id uuid REFERENCES waves (id) ON DELETE RESTRICT,
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid
);
CREATE UNIQUE INDEX installment_plans_code_key ON installment_plans (lower(code) text_pattern_ops);
CREATE INDEX installment_plans_wave_id ON installment_plans (wave_id);

CREATE TABLE installment_terms (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  plan_id uuid NOT NULL REFERENCES installment_plans (id) ON DELETE RESTRICT,
  sort_order integer NOT NULL DEFAULT 1 CHECK (sort_order BETWEEN 1 AND 60),
  share_bps integer CHECK (share_bps BETWEEN 1 AND 10000),
  amount bigint CHECK (amount >= 1),
  due_date date,
  due_days integer CHECK (due_days BETWEEN 0 AND 3650),
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid,
  CHECK (num_nonnulls(share_bps, amount) = 1),
  CHECK (num_nonnulls(due_date, due_days) = 1)
);
CREATE INDEX installment_terms_plan_id ON installment_terms (plan_id);
CREATE UNIQUE INDEX installment_terms_one ON installment_terms (plan_id, sort_order);

CREATE TABLE donations (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  wave_id uuid NOT NULL REFERENCES waves (id) ON DELETE RESTRICT,
  track_id uuid REFERENCES tracks (id) ON DELETE RESTRICT,
  programme_id uuid REFERENCES study_programmes (id) ON DELETE RESTRICT,
  required boolean NOT NULL DEFAULT false,
  minimum_amount bigint NOT NULL CHECK (minimum_amount >= 0),
  suggested_amounts bigint[],
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid
);
CREATE INDEX donations_wave_id ON donations (wave_id);
CREATE INDEX donations_track_id ON donations (track_id);
CREATE INDEX donations_programme_id ON donations (programme_id);
CREATE UNIQUE INDEX donations_one ON donations (wave_id, track_id, programme_id) NULLS NOT DISTINCT;

CREATE TABLE discounts (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  code varchar(20) NOT NULL,
  name varchar(120) NOT NULL,
  kind text NOT NULL DEFAULT 'percent' CHECK (kind IN ('percent', 'fixed')),
  value numeric(12, 2) NOT NULL CHECK (value BETWEEN 0 AND 1000000000),
  applies_to text NOT NULL DEFAULT 'fee_component' CHECK (applies_to IN ('registration_fee', 'fee_component')),
  fee_component_id uuid REFERENCES fee_components (id) ON DELETE RESTRICT,
  condition text NOT NULL DEFAULT 'manual' CHECK (condition IN ('manual', 'early', 'school_agreement', 'sibling', 'voucher')),
  valid_from date,
  valid_to date,
  max_uses integer CHECK (max_uses BETWEEN 1 AND 1000000),
  stackable boolean NOT NULL DEFAULT false,
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid,
  CHECK (valid_from <= valid_to)
);
CREATE UNIQUE INDEX discounts_code_key ON discounts (lower(code) text_pattern_ops);
CREATE INDEX discounts_fee_component_id ON discounts (fee_component_id);

CREATE TABLE affiliates (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  code varchar(20) NOT NULL,
  name varchar(120) NOT NULL,
  kind text NOT NULL DEFAULT 'alumni' CHECK (kind IN ('alumni', 'teacher', 'student', 'partner', 'staff')),
  phone varchar(20) NOT NULL,
  email varchar(254),
  bank_name varchar(60),
  bank_account varchar(30),
  bank_holder varchar(100),
  commission_kind text NOT NULL DEFAULT 'fixed' CHECK (commission_kind IN ('fixed', 'percent')),
  commission_value numeric(12, 2) NOT NULL DEFAULT 0 CHECK (commission_value BETWEEN 0 AND 1000000000),
  photo_file_id uuid REFERENCES files (id) ON DELETE RESTRICT,
  biography varchar(2000),
  public boolean NOT NULL DEFAULT false,
  account_id uuid REFERENCES accounts (id) ON DELETE RESTRICT,
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid
);
CREATE UNIQUE INDEX affiliates_code_key ON affiliates (lower(code) text_pattern_ops);
CREATE INDEX affiliates_photo_file_id ON affiliates (photo_file_id);
CREATE INDEX affiliates_account_id ON affiliates (account_id);

CREATE TABLE school_agreements (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  school_id uuid NOT NULL REFERENCES schools (id) ON DELETE RESTRICT,
  number varchar(60) NOT NULL,
  title varchar(200) NOT NULL,
  valid_from date,
  valid_to date NOT NULL,
  discount_id uuid REFERENCES discounts (id) ON DELETE RESTRICT,
  quota integer CHECK (quota BETWEEN 1 AND 100000),
  contact varchar(200),
  document_file_id uuid REFERENCES files (id) ON DELETE RESTRICT,
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid,
  CHECK (valid_from <= valid_to)
);
CREATE INDEX school_agreements_school_id ON school_agreements (school_id);
CREATE UNIQUE INDEX school_agreements_number_key ON school_agreements (lower(number) text_pattern_ops);
CREATE INDEX school_agreements_discount_id ON school_agreements (discount_id);
CREATE INDEX school_agreements_document_file_id ON school_agreements (document_file_id);

-- Pages of the whole list of schools, in the order of the list.
CREATE INDEX schools_by_name ON schools (name, id);
-- Provisional NPSN of schools that applicants propose: NP000001, NP000002 …
CREATE SEQUENCE school_provisional_numbers MAXVALUE 999999;

-- The shares of a plan may be entered one after the other, so less than the whole is allowed here; more never is.
CREATE FUNCTION installment_terms_check_shares() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Two terms of one plan entered at the same moment are added up one after the other.
  PERFORM 1 FROM installment_plans WHERE id = NEW.plan_id FOR NO KEY UPDATE;
  IF (SELECT sum(share_bps) FROM installment_terms WHERE plan_id = NEW.plan_id) > 10000 THEN
    RAISE EXCEPTION 'The shares of a plan add up to more than the whole'
      USING ERRCODE = 'check_violation', TABLE = 'installment_terms', CONSTRAINT = 'installment_terms_shares';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER installment_terms_shares AFTER INSERT OR UPDATE OF share_bps, plan_id ON installment_terms
  FOR EACH ROW EXECUTE FUNCTION installment_terms_check_shares();
