-- A report that its owner has sent by mail, again and again.
CREATE TABLE report_mails (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  owner_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name varchar(120) NOT NULL CHECK (name = btrim(name) AND name <> ''),
  report varchar(60) NOT NULL,
  -- The question as the address of the page holds it, without `?`: filters, groups, figure and comparison.
  question varchar(1000) NOT NULL,
  -- Empty: every column.
  columns text[] NOT NULL,
  -- Whole days before the day of sending; they replace from and to of the question.
  last_days smallint CHECK (last_days BETWEEN 1 AND 366),
  rhythm text NOT NULL CHECK (rhythm IN ('daily', 'weekly', 'monthly')),
  -- 1 is Monday.
  weekday smallint CHECK (weekday BETWEEN 1 AND 7),
  -- The last day of a month that has no such day.
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

-- A message may carry one file.
ALTER TABLE messages ADD COLUMN file_id uuid REFERENCES files (id) ON DELETE SET NULL;
CREATE INDEX messages_file_id ON messages (file_id) WHERE file_id IS NOT NULL;

-- One report for one recipient. A moment is sent to nobody twice: neither by two servers nor after a crash.
CREATE TABLE report_mail_runs (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  mail_id uuid NOT NULL REFERENCES report_mails (id) ON DELETE CASCADE,
  due_at timestamptz NOT NULL,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- By the button, not by the rhythm.
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
