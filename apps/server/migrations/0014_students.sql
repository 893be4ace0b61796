-- Student numbers, cards, jackets and photos.

-- Registrations with a student number (NPM).
CREATE TABLE students (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  registration_id uuid NOT NULL UNIQUE REFERENCES registrations (id),
  account_id uuid NOT NULL REFERENCES accounts (id),
  programme_id uuid NOT NULL REFERENCES study_programmes (id),
  npm varchar(30) NOT NULL UNIQUE,
  issued_at timestamptz NOT NULL,
  issued_by uuid REFERENCES accounts (id),
  -- The rule that allowed issuing the number; the setting may have changed since. NULL if it was not recorded.
  unlock_rule text CHECK (unlock_rule IN ('none', 'first-instalment', 'share', 'promise')),
  -- Percent of the re-registration bill.
  unlock_share integer CHECK (unlock_share BETWEEN 1 AND 100),
  -- Counter and running number behind the student number; NULL for numbers from elsewhere.
  number_scope text,
  number_value bigint CHECK (number_value > 0),
  CHECK ((unlock_rule IS NOT DISTINCT FROM 'share') = (unlock_share IS NOT NULL)),
  CHECK ((number_scope IS NULL) = (number_value IS NULL))
);
CREATE INDEX students_programme ON students (programme_id, npm);
CREATE INDEX students_npm_start ON students (lower(npm) text_pattern_ops);
CREATE UNIQUE INDEX students_number_value ON students (number_scope, number_value);

-- Numbers taken back. Kept for ever, so that they are never issued again.
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

-- Every student number ever issued.
CREATE VIEW every_student_number AS
  SELECT npm, registration_id, programme_id, number_scope, number_value, issued_at FROM students
  UNION ALL
  SELECT npm, registration_id, programme_id, number_scope, number_value, issued_at FROM withdrawn_student_numbers;

-- AFTER: a withdrawal that was still open when the number was inserted has been committed by then.
CREATE FUNCTION refuse_withdrawn_number() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM withdrawn_student_numbers WHERE npm = NEW.npm) THEN
    RAISE EXCEPTION 'student number % was withdrawn', NEW.npm USING ERRCODE = 'unique_violation', TABLE = 'students';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER students_never_withdrawn AFTER INSERT OR UPDATE OF npm ON students
  FOR EACH ROW EXECUTE FUNCTION refuse_withdrawn_number();

CREATE TRIGGER withdrawn_student_numbers_append_only BEFORE UPDATE OR DELETE ON withdrawn_student_numbers
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER withdrawn_student_numbers_never_emptied BEFORE TRUNCATE ON withdrawn_student_numbers
  EXECUTE FUNCTION refuse_change();

-- Printings: single cards with crop marks, or sheets of ten. A printing can be downloaded again.
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

-- A second copy needs a reason.
CREATE FUNCTION refuse_copy_without_reason() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.copy > 1 AND NOT EXISTS (SELECT FROM student_card_prints WHERE id = NEW.print_id AND reason IS NOT NULL) THEN
    RAISE EXCEPTION 'copy % of card % needs a reason', NEW.copy, NEW.npm USING ERRCODE = 'check_violation', TABLE = 'student_cards';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER student_cards_reason BEFORE INSERT ON student_cards
  FOR EACH ROW EXECUTE FUNCTION refuse_copy_without_reason();

CREATE TRIGGER student_cards_append_only BEFORE UPDATE OR DELETE ON student_cards
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Jackets in stock. The stock of a size is the sum of its movements, kept under a row lock and never below zero.
CREATE TABLE jacket_stock (
  size text PRIMARY KEY CHECK (size IN ('XS', 'S', 'M', 'L', 'XL', 'XXL', 'XXXL')),
  position integer NOT NULL UNIQUE,
  on_hand integer NOT NULL DEFAULT 0 CONSTRAINT jacket_stock_not_negative CHECK (on_hand >= 0)
);
INSERT INTO jacket_stock (size, position)
  VALUES ('XS', 1), ('S', 2), ('M', 3), ('L', 4), ('XL', 5), ('XXL', 6), ('XXXL', 7);

CREATE TABLE jacket_deliveries (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  supplier varchar(100) NOT NULL,
  -- Number of the supplier's delivery note.
  reference varchar(60) NOT NULL,
  received_on date NOT NULL,
  created_at timestamptz NOT NULL,
  created_by uuid REFERENCES accounts (id),
  -- By the calendar of the university, which is at most a day ahead of UTC.
  CONSTRAINT jacket_deliveries_not_in_future CHECK (received_on <= (created_at AT TIME ZONE 'UTC')::date + 1)
);
-- A delivery note is entered once.
CREATE UNIQUE INDEX jacket_deliveries_reference ON jacket_deliveries (lower(supplier), lower(reference));
CREATE INDEX jacket_deliveries_created_by ON jacket_deliveries (created_by);

-- Jackets that students hold or held.
CREATE TABLE jacket_hand_outs (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  registration_id uuid NOT NULL REFERENCES registrations (id) ON DELETE RESTRICT,
  size text NOT NULL CHECK (size IN ('XS', 'S', 'M', 'L', 'XL', 'XXL', 'XXXL')) REFERENCES jacket_stock (size),
  handed_at timestamptz NOT NULL,
  handed_by uuid REFERENCES accounts (id),
  -- Path of an SVG of 600 × 200 units that the student drew.
  signature varchar(20000),
  note varchar(300),
  ended_at timestamptz,
  ended_by uuid REFERENCES accounts (id),
  ended_as text CHECK (ended_as IN ('exchanged', 'returned')),
  ended_reason varchar(300),
  -- Whether the jacket went back to the stock.
  usable boolean,
  CHECK (signature IS NOT NULL OR note IS NOT NULL),
  CHECK ((ended_at IS NULL) = (ended_as IS NULL) AND (ended_at IS NULL) = (usable IS NULL)
    AND (ended_at IS NULL) = (ended_reason IS NULL))
);
CREATE UNIQUE INDEX jacket_hand_outs_one ON jacket_hand_outs (registration_id) WHERE ended_at IS NULL;
CREATE INDEX jacket_hand_outs_registration_id ON jacket_hand_outs (registration_id, handed_at DESC);
CREATE INDEX jacket_hand_outs_size ON jacket_hand_outs (size) WHERE ended_at IS NULL;
CREATE INDEX jacket_hand_outs_handed_by ON jacket_hand_outs (handed_by);
CREATE INDEX jacket_hand_outs_ended_by ON jacket_hand_outs (ended_by);

-- Ledger of the stock; a mistake is corrected by a further movement.
CREATE TABLE jacket_movements (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('delivery', 'hand_out', 'exchange', 'return', 'correction')),
  size text NOT NULL CHECK (size IN ('XS', 'S', 'M', 'L', 'XL', 'XXL', 'XXXL')) REFERENCES jacket_stock (size),
  quantity integer NOT NULL,
  delivery_id uuid REFERENCES jacket_deliveries (id),
  hand_out_id uuid REFERENCES jacket_hand_outs (id),
  reason varchar(300),
  at timestamptz NOT NULL,
  by_account_id uuid REFERENCES accounts (id),
  CHECK ((kind = 'delivery') = (delivery_id IS NOT NULL)),
  CHECK (kind NOT IN ('hand_out', 'exchange', 'return') OR hand_out_id IS NOT NULL),
  CHECK (kind <> 'correction' OR reason IS NOT NULL),
  CHECK (CASE kind WHEN 'delivery' THEN quantity > 0 WHEN 'hand_out' THEN quantity = -1
    WHEN 'return' THEN quantity = 1 WHEN 'exchange' THEN quantity IN (-1, 1) ELSE quantity <> 0 END)
);
CREATE INDEX jacket_movements_size ON jacket_movements (size);
CREATE INDEX jacket_movements_delivery_id ON jacket_movements (delivery_id);
CREATE INDEX jacket_movements_hand_out_id ON jacket_movements (hand_out_id);
CREATE INDEX jacket_movements_by_account_id ON jacket_movements (by_account_id);

CREATE FUNCTION jacket_movements_move_stock() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE jacket_stock SET on_hand = on_hand + NEW.quantity WHERE size = NEW.size;
  RETURN NULL;
END $$;
CREATE TRIGGER jacket_movements_move_stock AFTER INSERT ON jacket_movements
  FOR EACH ROW EXECUTE FUNCTION jacket_movements_move_stock();

CREATE TRIGGER jacket_movements_append_only BEFORE UPDATE OR DELETE ON jacket_movements
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Colour behind the head of a portrait, measured once for each file.
CREATE TABLE photo_checks (
  file_id uuid PRIMARY KEY REFERENCES files (id) ON DELETE CASCADE,
  background text NOT NULL CHECK (background IN ('red', 'blue', 'white', 'other', 'uneven', 'unreadable')),
  checked_at timestamptz NOT NULL
);

-- Downloads of many photos: who took which, and the progress of the file.
CREATE TABLE photo_downloads (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL REFERENCES accounts (id),
  kind text NOT NULL CHECK (kind IN ('zip', 'sheet')),
  file_name varchar(200) NOT NULL,
  -- Pixels of each photo.
  width integer NOT NULL CHECK (width BETWEEN 16 AND 2400),
  height integer NOT NULL CHECK (height BETWEEN 16 AND 2400),
  template varchar(100) NOT NULL,
  registration_ids uuid[] NOT NULL CHECK (cardinality(registration_ids) > 0),
  done integer NOT NULL DEFAULT 0 CHECK (done BETWEEN 0 AND cardinality(registration_ids)),
  -- Photos left out because they could not be read.
  failed integer NOT NULL DEFAULT 0 CHECK (failed BETWEEN 0 AND done),
  status text NOT NULL DEFAULT 'ready' CHECK (status IN ('ready', 'running', 'done', 'stopped')),
  created_at timestamptz NOT NULL,
  finished_at timestamptz,
  CHECK ((status IN ('done', 'stopped')) = (finished_at IS NOT NULL))
);
CREATE INDEX photo_downloads_account_id ON photo_downloads (account_id, created_at DESC);
