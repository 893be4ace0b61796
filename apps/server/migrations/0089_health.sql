-- Backups, restore tests and updates that have ended, one row each, written by the command that ran.
CREATE TABLE maintenance_runs (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  kind text NOT NULL CHECK (kind IN ('backup', 'restore_test', 'update')),
  started_at timestamptz NOT NULL,
  finished_at timestamptz NOT NULL CHECK (finished_at >= started_at),
  ok boolean NOT NULL,
  -- Facts of the kind: `archive` and `rows` of a backup; `problem` is a sentence where the run failed.
  detail jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(detail) = 'object'),
  -- Bytes written or read.
  size bigint CHECK (size >= 0)
);
CREATE INDEX maintenance_runs_newest ON maintenance_runs (kind, finished_at DESC);

-- Size of the database, the last measurement of each day (UTC).
CREATE TABLE database_sizes (
  day date PRIMARY KEY,
  bytes bigint NOT NULL CHECK (bytes >= 0)
);

-- State of each line of /settings/health as last watched; `server` is empty for lines that are the same on every server.
CREATE TABLE health_lines (
  name text NOT NULL,
  server text NOT NULL,
  state text NOT NULL CHECK (state IN ('ok', 'soon', 'red')),
  since timestamptz NOT NULL,
  seen_at timestamptz NOT NULL,
  -- When administrators were told that the line is red; emptied when they are told that it is well again.
  told_at timestamptz,
  PRIMARY KEY (name, server)
);
