-- Who took data out and who brought it in.

-- One row per export, written before the first byte leaves. No foreign key to accounts: the register outlives the person.
CREATE TABLE exports (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL,
  account_name text NOT NULL,
  role_name text NOT NULL,
  list text NOT NULL,
  title text NOT NULL,
  format text NOT NULL CHECK (format IN ('xlsx', 'csv', 'pdf')),
  columns text[] NOT NULL,
  -- As the address asked for it, and in words for people.
  filter jsonb NOT NULL,
  filter_words text NOT NULL,
  status text NOT NULL DEFAULT 'running' CHECK (status IN ('running', 'done', 'stopped', 'failed')),
  rows bigint NOT NULL DEFAULT 0,
  bytes bigint NOT NULL DEFAULT 0,
  ip text,
  request_id text,
  started_at timestamptz NOT NULL,
  finished_at timestamptz
);
CREATE INDEX exports_started ON exports (started_at DESC, id);
CREATE INDEX exports_account ON exports (account_id, started_at DESC);
CREATE INDEX exports_list ON exports (list, started_at DESC);

CREATE TABLE imports (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  entity text NOT NULL,
  parent_id uuid,
  account_id uuid NOT NULL,
  account_name text NOT NULL,
  language text NOT NULL CHECK (language IN ('en', 'id')),
  file_id uuid REFERENCES files (id) ON DELETE SET NULL,
  file_name text NOT NULL,
  format text NOT NULL CHECK (format IN ('xlsx', 'csv')),
  bytes bigint NOT NULL,
  profile text,
  -- As whom the work is done: role, row scope and where the last request came from.
  acting jsonb NOT NULL,
  status text NOT NULL DEFAULT 'checking'
    CHECK (status IN ('checking', 'checked', 'running', 'done', 'failed', 'cancelled')),
  -- The reason of a failure, one of the codes of import failures.
  failure text,
  cancel_requested boolean NOT NULL DEFAULT false,
  -- Which of the file's columns were understood as what.
  columns jsonb NOT NULL DEFAULT '{"found": [], "unknown": [], "missing": []}',
  percent smallint NOT NULL DEFAULT 0 CHECK (percent BETWEEN 0 AND 100),
  rows_total bigint,
  rows_done bigint NOT NULL DEFAULT 0,
  rows_new bigint NOT NULL DEFAULT 0,
  rows_changed bigint NOT NULL DEFAULT 0,
  rows_unchanged bigint NOT NULL DEFAULT 0,
  rows_wrong bigint NOT NULL DEFAULT 0,
  problems bigint NOT NULL DEFAULT 0,
  -- Moved on by whoever works on it; empty while it waits for its turn. Work that stands still is dead.
  heartbeat_at timestamptz,
  created_at timestamptz NOT NULL,
  checked_at timestamptz,
  started_at timestamptz,
  finished_at timestamptz
);
CREATE INDEX imports_account ON imports (account_id, created_at DESC);
CREATE INDEX imports_created ON imports (created_at DESC, id);
CREATE INDEX imports_entity ON imports (entity, created_at DESC);
CREATE INDEX imports_working ON imports (heartbeat_at) WHERE status IN ('checking', 'running');
CREATE INDEX imports_file ON imports (file_id);

CREATE TABLE import_problems (
  import_id uuid NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
  number integer NOT NULL,
  -- As the reader's sheet counts it: the header is usually row 1.
  row integer NOT NULL,
  field text,
  header text,
  value text,
  reason_en text NOT NULL,
  reason_id text NOT NULL,
  PRIMARY KEY (import_id, number)
);
CREATE INDEX import_problems_row ON import_problems (import_id, row);
