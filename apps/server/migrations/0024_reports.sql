-- Exports, imports, the history of seasons, reports by mail, and kept answers of dashboards.

-- One row per export, written before the first byte leaves. No foreign key to accounts: the register outlives them.
CREATE TABLE exports (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL,
  account_name text NOT NULL,
  role_name text NOT NULL,
  list text NOT NULL,
  title text NOT NULL,
  format text NOT NULL CHECK (format IN ('xlsx', 'csv', 'pdf')),
  columns text[] NOT NULL,
  -- From the address of the request, and in words.
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
  -- On whose behalf the job works: role, row scope, and the address of the last request.
  acting jsonb NOT NULL,
  status text NOT NULL DEFAULT 'checking'
    CHECK (status IN ('checking', 'checked', 'running', 'done', 'failed', 'cancelled')),
  -- Code of the failure.
  failure text,
  cancel_requested boolean NOT NULL DEFAULT false,
  -- How the columns of the file were understood.
  columns jsonb NOT NULL DEFAULT '{"found": [], "unknown": [], "missing": []}',
  percent smallint NOT NULL DEFAULT 0 CHECK (percent BETWEEN 0 AND 100),
  rows_total bigint,
  rows_done bigint NOT NULL DEFAULT 0,
  rows_new bigint NOT NULL DEFAULT 0,
  rows_changed bigint NOT NULL DEFAULT 0,
  rows_unchanged bigint NOT NULL DEFAULT 0,
  rows_wrong bigint NOT NULL DEFAULT 0,
  problems bigint NOT NULL DEFAULT 0,
  -- Moved on by the job that works on it; NULL while it waits for its turn. A job that stops moving it counts as dead.
  heartbeat_at timestamptz,
  created_at timestamptz NOT NULL,
  checked_at timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  warnings integer NOT NULL DEFAULT 0
);
CREATE INDEX imports_account ON imports (account_id, created_at DESC);
CREATE INDEX imports_created ON imports (created_at DESC, id);
CREATE INDEX imports_entity ON imports (entity, created_at DESC);
CREATE INDEX imports_working ON imports (heartbeat_at) WHERE status IN ('checking', 'running');
CREATE INDEX imports_file ON imports (file_id);

CREATE TABLE import_problems (
  import_id uuid NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
  number integer NOT NULL,
  -- Number in the spreadsheet: the header is usually row 1.
  row integer NOT NULL,
  field text,
  header text,
  value text,
  reason_en text NOT NULL,
  reason_id text NOT NULL,
  -- A warning does not stop the row; a number may have lost leading zeros, for example.
  level text NOT NULL DEFAULT 'problem' CHECK (level IN ('problem', 'warning')),
  PRIMARY KEY (import_id, number)
);
CREATE INDEX import_problems_row ON import_problems (import_id, row);

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
  undone_by text,
  warnings integer NOT NULL DEFAULT 0
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
  level text NOT NULL DEFAULT 'problem' CHECK (level IN ('problem', 'warning')),
  PRIMARY KEY (import_id, number)
);

-- Rows that a workbook wrote, for undoing it; `before` is NULL for an added row.
CREATE TABLE workbook_rows (
  import_id uuid NOT NULL REFERENCES workbook_imports (id) ON DELETE CASCADE,
  entity text NOT NULL,
  row_id uuid NOT NULL,
  version integer NOT NULL,
  before jsonb,
  PRIMARY KEY (import_id, row_id)
);

-- Days whose history is kept in season_daily and season_sums.
CREATE TABLE season_days (
  day date PRIMARY KEY,
  -- First moment after the day, in the time zone of the university when it was kept.
  ends_at timestamptz NOT NULL,
  -- The newest registration_steps.id that the rows count.
  last_step bigint NOT NULL,
  kept_at timestamptz NOT NULL CHECK (kept_at >= ends_at)
);

CREATE TRIGGER season_days_keep BEFORE UPDATE OR DELETE ON season_days FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER season_days_never_emptied BEFORE TRUNCATE ON season_days EXECUTE FUNCTION refuse_change();

-- The history of every season, day by day: registrations that reached or left a stage, and money booked on bills. A row
-- says what took effect on `day`; a step undone later has a row of its own with a minus, and `step_day` is the day of
-- the step, so that a minus finds its period. The sum of the rows up to a day is the state at the end of that day.
CREATE TABLE season_daily (
  -- The day under which the row was written; later than `day` if a step or its programme became known later.
  kept_on date NOT NULL REFERENCES season_days (day),
  day date NOT NULL CHECK (day <= kept_on),
  step_day date NOT NULL CHECK (step_day <= day),
  academic_year varchar(9) NOT NULL,
  wave_id uuid NOT NULL REFERENCES waves (id),
  -- Days from `day` to the close of the wave as it stood when the row was written; negative after it.
  days_to_close integer NOT NULL,
  programme_id uuid REFERENCES study_programmes (id),
  track_id uuid NOT NULL REFERENCES tracks (id),
  class_programme_id uuid NOT NULL REFERENCES class_programmes (id),
  -- Province of the applicant's school.
  province_id uuid REFERENCES provinces (id),
  stage text NOT NULL CHECK (stage IN ('started', 'submitted', 'paid', 'verified', 'tested', 'accepted', 'not_accepted',
    'confirmed', 'enrolled', 'withdrawn', 'cancelled', 'expired', 'received')),
  count integer NOT NULL,
  rupiah bigint NOT NULL,
  CHECK (count <> 0 OR rupiah <> 0),
  CHECK (stage = 'received' OR rupiah = 0)
);
CREATE INDEX season_daily_stage ON season_daily (academic_year, stage, day);

CREATE TRIGGER season_daily_keep BEFORE UPDATE OR DELETE ON season_daily FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER season_daily_never_emptied BEFORE TRUNCATE ON season_daily EXECUTE FUNCTION refuse_change();

-- The same without track, class programme and province: few rows, for dashboards and forecasts.
CREATE TABLE season_sums (
  kept_on date NOT NULL REFERENCES season_days (day),
  day date NOT NULL,
  step_day date NOT NULL,
  academic_year varchar(9) NOT NULL,
  wave_id uuid NOT NULL REFERENCES waves (id),
  programme_id uuid REFERENCES study_programmes (id),
  stage text NOT NULL,
  count integer NOT NULL,
  rupiah bigint NOT NULL,
  CHECK (count <> 0 OR rupiah <> 0)
);
CREATE INDEX season_sums_stage ON season_sums (academic_year, stage, day)
  INCLUDE (step_day, wave_id, programme_id, count);

CREATE TRIGGER season_sums_keep BEFORE UPDATE OR DELETE ON season_sums FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER season_sums_never_emptied BEFORE TRUNCATE ON season_sums EXECUTE FUNCTION refuse_change();

-- Reports that are sent by mail at intervals.
CREATE TABLE report_mails (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  owner_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name varchar(120) NOT NULL CHECK (name = btrim(name) AND name <> ''),
  report varchar(60) NOT NULL,
  -- Filters, groups, figure and comparison as in the address of the page, without `?`.
  question varchar(1000) NOT NULL,
  -- Empty: every column.
  columns text[] NOT NULL,
  -- Whole days before the day of sending, which replace from and to of the question.
  last_days smallint CHECK (last_days BETWEEN 1 AND 366),
  rhythm text NOT NULL CHECK (rhythm IN ('daily', 'weekly', 'monthly')),
  -- 1 is Monday.
  weekday smallint CHECK (weekday BETWEEN 1 AND 7),
  -- Months without this day use their last day.
  month_day smallint CHECK (month_day BETWEEN 1 AND 31),
  hour smallint NOT NULL CHECK (hour BETWEEN 0 AND 23),
  format text NOT NULL CHECK (format IN ('xlsx', 'csv', 'pdf')),
  skips_empty boolean NOT NULL,
  active boolean NOT NULL DEFAULT true,
  next_due_at timestamptz NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CHECK ((rhythm = 'weekly') = (weekday IS NOT NULL)),
  CHECK ((rhythm = 'monthly') = (month_day IS NOT NULL))
);
CREATE INDEX report_mails_owner_id ON report_mails (owner_id, created_at DESC);
CREATE INDEX report_mails_due ON report_mails (next_due_at) WHERE active;

CREATE TABLE report_mail_recipients (
  mail_id uuid NOT NULL REFERENCES report_mails (id) ON DELETE CASCADE,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  PRIMARY KEY (mail_id, account_id)
);
CREATE INDEX report_mail_recipients_account_id ON report_mail_recipients (account_id);

-- One report for one recipient. The unique key keeps two servers, or a server after a crash, from sending it twice.
CREATE TABLE report_mail_runs (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  mail_id uuid NOT NULL REFERENCES report_mails (id) ON DELETE CASCADE,
  due_at timestamptz NOT NULL,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- Sent by the button, not by the rhythm.
  by_hand boolean NOT NULL,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'handed', 'empty', 'refused', 'failed')),
  reason varchar(40),
  error varchar(300),
  attempts integer NOT NULL DEFAULT 0,
  rows integer CHECK (rows >= 0),
  message_id uuid REFERENCES messages (id) ON DELETE SET NULL,
  export_id uuid REFERENCES exports (id) ON DELETE SET NULL,
  created_at timestamptz NOT NULL,
  finished_at timestamptz,
  UNIQUE (mail_id, due_at, account_id),
  CHECK ((state = 'refused') = (reason IS NOT NULL)),
  CHECK (state <> 'failed' OR error IS NOT NULL),
  CHECK ((state = 'waiting') = (finished_at IS NULL))
);
CREATE INDEX report_mail_runs_account_id ON report_mail_runs (account_id);
CREATE UNIQUE INDEX report_mail_runs_message_id ON report_mail_runs (message_id) WHERE message_id IS NOT NULL;
CREATE INDEX report_mail_runs_export_id ON report_mail_runs (export_id) WHERE export_id IS NOT NULL;
CREATE INDEX report_mail_runs_state ON report_mail_runs (mail_id, state);
-- For the check every five minutes for runs whose job is gone.
CREATE INDEX report_mail_runs_waiting ON report_mail_runs (created_at) WHERE state = 'waiting';

-- Kept answers of dashboard cards and queue counts, so that a dashboard reads a few rows however many registrations
-- there are. `key` is a hash of the card with everything that limits its reader: row scope, permissions and, for cards
-- about a person, the account. Unlogged: after a crash the answers are computed again.
CREATE UNLOGGED TABLE kept_cards (
  key text PRIMARY KEY CHECK (key ~ '^[0-9a-f]{64}$'),
  card text NOT NULL,
  answer jsonb,
  computed_at timestamptz,
  -- Slow answers are computed again less often.
  took_ms integer NOT NULL DEFAULT 0 CHECK (took_ms >= 0),
  -- Until then a process computes the answer; others wait for it or show the earlier answer.
  claimed_until timestamptz NOT NULL,
  CHECK ((answer IS NULL) = (computed_at IS NULL))
);
CREATE INDEX kept_cards_computed_at ON kept_cards (computed_at);
