-- Uploaded workbooks of the settings a university needs before it opens registration.
CREATE TABLE workbook_imports (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL,
  account_name text NOT NULL,
  language text NOT NULL CHECK (language IN ('en', 'id')),
  -- Role and address of the last request, as the audit log records them.
  acting jsonb NOT NULL,
  file_id uuid REFERENCES files (id) ON DELETE SET NULL,
  file_name text NOT NULL,
  bytes bigint NOT NULL,
  status text NOT NULL DEFAULT 'checking'
    CHECK (status IN ('checking', 'checked', 'running', 'done', 'undone', 'failed')),
  failure text,
  -- Numbers of rows by sheet: [{slug, new, changed, unchanged, wrong, waiting}].
  sheets jsonb NOT NULL DEFAULT '[]',
  problems integer NOT NULL DEFAULT 0,
  -- Set while a job works on it; NULL while it waits for its turn.
  heartbeat_at timestamptz,
  created_at timestamptz NOT NULL,
  finished_at timestamptz,
  undone_at timestamptz,
  undone_by text
);
CREATE INDEX workbook_imports_created ON workbook_imports (created_at DESC, id);
CREATE INDEX workbook_imports_file ON workbook_imports (file_id);

CREATE TABLE workbook_problems (
  import_id uuid NOT NULL REFERENCES workbook_imports (id) ON DELETE CASCADE,
  number integer NOT NULL,
  sheet text NOT NULL,
  row integer,
  letter text,
  header text,
  value text,
  reason_en text NOT NULL,
  reason_id text NOT NULL,
  PRIMARY KEY (import_id, number)
);

-- Rows a workbook wrote, to take it back: `before` is NULL for an added row.
CREATE TABLE workbook_rows (
  import_id uuid NOT NULL REFERENCES workbook_imports (id) ON DELETE CASCADE,
  entity text NOT NULL,
  row_id uuid NOT NULL,
  version integer NOT NULL,
  before jsonb,
  PRIMARY KEY (import_id, row_id)
);
