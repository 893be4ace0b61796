-- When the applicant was last reminded by somebody.
ALTER TABLE bills ADD COLUMN reminded_at timestamptz;
