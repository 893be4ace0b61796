-- Phones are in E.164, of any country: a plus and 8 to 15 digits. Rows from before are taken as they are.
ALTER TABLE accounts ADD CHECK (phone ~ '^\+[1-9][0-9]{7,14}$') NOT VALID;
ALTER TABLE applicants
  ADD CHECK (phone ~ '^\+[1-9][0-9]{7,14}$') NOT VALID,
  ADD CHECK (guardian_phone ~ '^\+[1-9][0-9]{7,14}$') NOT VALID;
ALTER TABLE affiliates ADD CHECK (phone ~ '^\+[1-9][0-9]{7,14}$') NOT VALID;
