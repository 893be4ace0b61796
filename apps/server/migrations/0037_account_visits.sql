-- When somebody signed in last stands beside their account: written into it, every sign-in would write all of its indexes anew.
CREATE TABLE account_visits (
  account_id uuid PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  -- Whoever never came stands before everybody else.
  last_signed_in_at timestamptz NOT NULL DEFAULT '-infinity'
);
INSERT INTO account_visits (account_id, last_signed_in_at) SELECT id, coalesce(last_signed_in_at, '-infinity') FROM accounts;
CREATE INDEX account_visits_latest ON account_visits (last_signed_in_at, account_id);

CREATE FUNCTION expect_visits() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO account_visits (account_id) SELECT id FROM made;
  RETURN NULL;
END $$;
CREATE TRIGGER accounts_visits AFTER INSERT ON accounts REFERENCING NEW TABLE AS made
  FOR EACH STATEMENT EXECUTE FUNCTION expect_visits();

DROP INDEX accounts_by_sign_in;
ALTER TABLE accounts DROP COLUMN last_signed_in_at;
