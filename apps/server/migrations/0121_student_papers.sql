-- Receipts of legalised paper copies that a student handed in, each line a document of the same registration.
ALTER TABLE documents ADD CONSTRAINT documents_of_registration UNIQUE (id, registration_id);

CREATE TABLE paper_receipts (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  registration_id uuid NOT NULL REFERENCES registrations (id) ON DELETE CASCADE,
  number varchar(40) NOT NULL UNIQUE,
  brought_by varchar(100) NOT NULL,
  note varchar(300),
  received_at timestamptz NOT NULL,
  received_by uuid NOT NULL REFERENCES accounts (id),
  voided_at timestamptz,
  voided_by uuid REFERENCES accounts (id),
  void_reason varchar(300),
  CHECK ((voided_at IS NULL) = (void_reason IS NULL) AND (voided_at IS NULL) = (voided_by IS NULL)),
  UNIQUE (id, registration_id)
);
CREATE INDEX paper_receipts_registration_id ON paper_receipts (registration_id, received_at DESC);

CREATE TABLE paper_receipt_lines (
  receipt_id uuid NOT NULL,
  document_id uuid NOT NULL,
  registration_id uuid NOT NULL,
  copies integer NOT NULL CHECK (copies BETWEEN 1 AND 20),
  legalised boolean NOT NULL,
  PRIMARY KEY (receipt_id, document_id),
  FOREIGN KEY (receipt_id, registration_id) REFERENCES paper_receipts (id, registration_id) ON DELETE CASCADE,
  FOREIGN KEY (document_id, registration_id) REFERENCES documents (id, registration_id) ON DELETE CASCADE
);
CREATE INDEX paper_receipt_lines_document_id ON paper_receipt_lines (document_id);

-- A file that a track asks for to enrol is asked of those who have confirmed and have no student number yet.
CREATE FUNCTION ask_confirmed_for_file() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO documents (registration_id, track_file_id, name, stage, required, accepted_types, max_mb, may_defer, sort_order)
  SELECT r.id, NEW.id, NEW.name, NEW.stage, NEW.required, NEW.accepted_types, NEW.max_mb, NEW.may_defer, NEW.sort_order
  FROM registrations r WHERE r.track_id = NEW.track_id AND r.status = 'confirmed'
  ON CONFLICT (registration_id, track_file_id) DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER ask_confirmed_for_file AFTER INSERT OR UPDATE OF stage, active ON track_files
  FOR EACH ROW WHEN (NEW.stage = 'enrolment' AND NEW.active) EXECUTE FUNCTION ask_confirmed_for_file();
