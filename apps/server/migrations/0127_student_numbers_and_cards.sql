-- The counter and the running number behind a student number; NULL for numbers that came from elsewhere.
ALTER TABLE students
  ADD COLUMN number_scope text,
  ADD COLUMN number_value bigint CHECK (number_value > 0),
  ADD CHECK ((number_scope IS NULL) = (number_value IS NULL));

-- Numbers issued so far: the counter with the longest text around the running number.
UPDATE students s SET number_scope = f.scope, number_value = f.running::bigint
FROM (
  SELECT DISTINCT ON (s.id) s.id, c.scope, substr(s.npm, length(around[1]) + 1, length(s.npm) - length(around[1]) - length(around[2])) AS running
  FROM students s JOIN number_counters c ON c.kind = 'student', LATERAL string_to_array(c.scope, '#') around
  WHERE cardinality(around) = 2 AND starts_with(s.npm, around[1]) AND right(s.npm, length(around[2])) = around[2]
    AND substr(s.npm, length(around[1]) + 1, length(s.npm) - length(around[1]) - length(around[2])) ~ '^\d{1,18}$'
    AND substr(s.npm, length(around[1]) + 1, length(s.npm) - length(around[1]) - length(around[2]))::bigint BETWEEN 1 AND c.value
  ORDER BY s.id, length(c.scope) DESC) f
WHERE f.id = s.id;
CREATE UNIQUE INDEX students_number_value ON students (number_scope, number_value);

-- A number taken back stays here for ever, so that it belongs to nobody else.
CREATE TABLE withdrawn_student_numbers (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  npm varchar(30) NOT NULL UNIQUE,
  registration_id uuid NOT NULL REFERENCES registrations (id),
  programme_id uuid NOT NULL REFERENCES study_programmes (id),
  number_scope text,
  number_value bigint,
  issued_at timestamptz NOT NULL,
  issued_by uuid REFERENCES accounts (id),
  withdrawn_at timestamptz NOT NULL,
  withdrawn_by uuid NOT NULL REFERENCES accounts (id),
  reason varchar(500) NOT NULL CHECK (length(reason) >= 3),
  CHECK (withdrawn_at >= issued_at)
);
CREATE UNIQUE INDEX withdrawn_student_numbers_value ON withdrawn_student_numbers (number_scope, number_value);
CREATE INDEX withdrawn_student_numbers_registration_id ON withdrawn_student_numbers (registration_id, withdrawn_at);
CREATE INDEX withdrawn_student_numbers_programme_id ON withdrawn_student_numbers (programme_id);
CREATE INDEX withdrawn_student_numbers_newest ON withdrawn_student_numbers (withdrawn_at DESC, id DESC);
CREATE TRIGGER withdrawn_student_numbers_append_only BEFORE UPDATE OR DELETE ON withdrawn_student_numbers
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER withdrawn_student_numbers_never_emptied BEFORE TRUNCATE ON withdrawn_student_numbers
  EXECUTE FUNCTION refuse_change();

-- Every student number ever issued.
CREATE VIEW every_student_number AS
  SELECT npm, registration_id, programme_id, number_scope, number_value, issued_at FROM students
  UNION ALL
  SELECT npm, registration_id, programme_id, number_scope, number_value, issued_at FROM withdrawn_student_numbers;

-- After the row: a withdrawal that was still open when the number was inserted has been committed by then.
CREATE FUNCTION refuse_withdrawn_number() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM withdrawn_student_numbers WHERE npm = NEW.npm) THEN
    RAISE EXCEPTION 'student number % was withdrawn', NEW.npm USING ERRCODE = 'unique_violation', TABLE = 'students';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER students_never_withdrawn AFTER INSERT OR UPDATE OF npm ON students
  FOR EACH ROW EXECUTE FUNCTION refuse_withdrawn_number();

-- One printing: single cards with crop marks, or sheets of ten. It can be downloaded again.
CREATE TABLE student_card_prints (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  layout text NOT NULL CHECK (layout IN ('card', 'sheet')),
  reason varchar(500),
  printed_at timestamptz NOT NULL,
  printed_by uuid NOT NULL REFERENCES accounts (id)
);

-- Every printed card; the copy with the highest number is the valid one.
CREATE TABLE student_cards (
  npm varchar(30) NOT NULL,
  copy integer NOT NULL CHECK (copy > 0),
  registration_id uuid NOT NULL REFERENCES registrations (id),
  print_id uuid NOT NULL REFERENCES student_card_prints (id),
  PRIMARY KEY (npm, copy)
);
CREATE INDEX student_cards_registration_id ON student_cards (registration_id);
CREATE INDEX student_cards_print_id ON student_cards (print_id, npm);
CREATE TRIGGER student_cards_append_only BEFORE UPDATE OR DELETE ON student_cards
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- A card printed again says why.
CREATE FUNCTION refuse_copy_without_reason() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.copy > 1 AND NOT EXISTS (SELECT FROM student_card_prints WHERE id = NEW.print_id AND reason IS NOT NULL) THEN
    RAISE EXCEPTION 'copy % of card % needs a reason', NEW.copy, NEW.npm USING ERRCODE = 'check_violation', TABLE = 'student_cards';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER student_cards_reason BEFORE INSERT ON student_cards
  FOR EACH ROW EXECUTE FUNCTION refuse_copy_without_reason();
