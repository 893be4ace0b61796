-- Certificates (PKCS#12) with which the university signs letters. File and passphrase are sealed with the key of the
-- installation and forgotten when the certificate is removed.
CREATE TABLE letter_certificates (
  id uuid PRIMARY KEY,
  sealed_file text,
  sealed_passphrase text,
  holder varchar(300) NOT NULL,
  issuer varchar(300) NOT NULL,
  serial_number varchar(100) NOT NULL,
  -- SHA-256 of the certificate, in hexadecimal.
  fingerprint text NOT NULL CHECK (fingerprint ~ '^[0-9a-f]{64}$'),
  valid_from timestamptz NOT NULL,
  valid_until timestamptz NOT NULL CHECK (valid_until > valid_from),
  added_at timestamptz NOT NULL,
  added_by uuid REFERENCES accounts (id),
  removed_at timestamptz,
  CHECK ((removed_at IS NULL) = (sealed_file IS NOT NULL)),
  CHECK ((removed_at IS NULL) = (sealed_passphrase IS NOT NULL))
);
CREATE UNIQUE INDEX letter_certificates_one ON letter_certificates ((true)) WHERE removed_at IS NULL;
CREATE INDEX letter_certificates_added_by ON letter_certificates (added_by);

-- The certificate that signed the file; NULL: the file is not signed.
ALTER TABLE letters ADD COLUMN letter_certificate_id uuid REFERENCES letter_certificates (id) ON DELETE RESTRICT,
  ADD CONSTRAINT letters_signed_file CHECK (letter_certificate_id IS NULL OR file_id IS NOT NULL);
CREATE INDEX letters_letter_certificate_id ON letters (letter_certificate_id);

-- As before, and the signature comes with the file.
CREATE OR REPLACE FUNCTION letters_stay() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changing constant text[] := ARRAY['state', 'withdrawn_at', 'withdrawn_by', 'withdrawn_reason', 'file_id',
    'letter_certificate_id'];
BEGIN
  IF (to_jsonb(NEW) - changing) IS DISTINCT FROM (to_jsonb(OLD) - changing)
    OR (OLD.file_id IS NOT NULL
      AND (NEW.file_id, NEW.letter_certificate_id) IS DISTINCT FROM (OLD.file_id, OLD.letter_certificate_id))
    OR (OLD.state <> 'valid' AND NEW.state <> OLD.state) THEN
    RAISE EXCEPTION 'a letter that was given out does not change' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
