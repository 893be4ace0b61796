-- Failed sign-ins by address, known or not, so that the wait tells nobody whether an account exists.
CREATE TABLE sign_in_attempts (
  email_hash bytea PRIMARY KEY,
  failures integer NOT NULL,
  last_at timestamptz NOT NULL,
  blocked_until timestamptz
);
CREATE INDEX sign_in_attempts_last ON sign_in_attempts (last_at);

-- What a browser brings back from a sign-in at another provider: used once, within a minute, by the browser that began.
CREATE TABLE sign_in_exchanges (
  code_hash bytea PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  browser_hash bytea NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX sign_in_exchanges_account ON sign_in_exchanges (account_id);
CREATE INDEX sign_in_exchanges_expiry ON sign_in_exchanges (expires_at);
