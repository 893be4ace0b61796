-- The last result of each check of a connection, started by an administrator.
CREATE TABLE connection_checks (
  name text PRIMARY KEY,
  state text NOT NULL CHECK (state IN ('ok', 'soon', 'red')),
  results jsonb NOT NULL CHECK (jsonb_typeof(results) = 'array'),
  checked_at timestamptz NOT NULL,
  checked_by uuid REFERENCES accounts (id) ON DELETE SET NULL
);
CREATE INDEX connection_checks_checked_by ON connection_checks (checked_by);

-- The last call to each bank, which the page of health reads every few seconds while somebody waits for it.
CREATE INDEX bank_calls_provider ON bank_calls (provider, called_at DESC);
