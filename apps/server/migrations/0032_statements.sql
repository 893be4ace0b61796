-- What the university's own banks say on their account statements, and the daily comparison with the books.

-- An account of the university at a bank. The mapping says how its CSV files are read.
CREATE TABLE bank_accounts (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name varchar(80) NOT NULL,
  bank varchar(60) NOT NULL,
  number varchar(34) NOT NULL,
  holder varchar(120) NOT NULL,
  -- Transfers entered by hand arrive here, unless a statement says otherwise; on one account at most.
  takes_transfers boolean NOT NULL DEFAULT false,
  mapping jsonb,
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX bank_accounts_number ON bank_accounts (lower(bank), number);
CREATE UNIQUE INDEX bank_accounts_transfers ON bank_accounts (takes_transfers) WHERE takes_transfers;

-- Money of a bank's transfer numbers arrives on one account.
CREATE TABLE bank_account_sources (
  bank varchar(20) PRIMARY KEY,
  bank_account_id uuid NOT NULL REFERENCES bank_accounts (id)
);
CREATE INDEX bank_account_sources_account ON bank_account_sources (bank_account_id);

CREATE TABLE statement_imports (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  bank_account_id uuid NOT NULL REFERENCES bank_accounts (id),
  file_id uuid NOT NULL REFERENCES files (id),
  file_name varchar(120) NOT NULL,
  format text NOT NULL CHECK (format IN ('csv', 'mt940')),
  sha256 bytea NOT NULL,
  -- The days the bank tells about, with or without lines.
  first_day date NOT NULL,
  last_day date NOT NULL CHECK (last_day >= first_day),
  lines integer NOT NULL CHECK (lines >= 0),
  lines_new integer NOT NULL CHECK (lines_new BETWEEN 0 AND lines),
  credits bigint NOT NULL,
  debits bigint NOT NULL,
  closing_balance bigint,
  imported_by uuid NOT NULL REFERENCES accounts (id),
  imported_at timestamptz NOT NULL
);
-- The same file is read once.
CREATE UNIQUE INDEX statement_imports_file ON statement_imports (bank_account_id, sha256);
CREATE INDEX statement_imports_newest ON statement_imports (imported_at, id);
CREATE INDEX statement_imports_days ON statement_imports (bank_account_id, first_day, last_day);

-- Every line of every statement, as the bank wrote it. Whole rupiah; money that leaves is negative.
CREATE TABLE statement_lines (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  bank_account_id uuid NOT NULL REFERENCES bank_accounts (id),
  import_id uuid NOT NULL REFERENCES statement_imports (id),
  line_number integer NOT NULL,
  day date NOT NULL,
  amount bigint NOT NULL CHECK (amount <> 0),
  reference varchar(120) NOT NULL,
  description varchar(1000) NOT NULL,
  -- Two equal transfers on one day are the first and the second.
  occurrence integer NOT NULL CHECK (occurrence > 0),
  balance bigint,
  -- The bank takes back what it had credited (or debited) by mistake.
  reversal boolean NOT NULL DEFAULT false,
  raw text NOT NULL,
  state text NOT NULL DEFAULT 'new' CHECK (state IN ('new', 'matched', 'explained')),
  payment_id uuid REFERENCES payments (id),
  matched_by text CHECK (matched_by IN ('reference', 'number', 'hand', 'recorded')),
  explanation text CHECK (explanation IN ('fee', 'interest', 'own_transfer', 'other')),
  reason varchar(500),
  settled_by uuid REFERENCES accounts (id),
  settled_at timestamptz,
  CHECK ((state = 'matched') = (payment_id IS NOT NULL)),
  CHECK ((state = 'matched') = (matched_by IS NOT NULL)),
  CHECK ((state = 'explained') = (explanation IS NOT NULL)),
  CHECK ((state = 'new') = (settled_at IS NULL)),
  CHECK (state <> 'matched' OR amount > 0),
  CHECK (state <> 'explained' OR (reason IS NOT NULL AND settled_by IS NOT NULL))
);
CREATE UNIQUE INDEX statement_lines_identity ON statement_lines (bank_account_id, day, amount, reference, md5(description), occurrence);
-- A payment arrived once.
CREATE UNIQUE INDEX statement_lines_payment ON statement_lines (payment_id) WHERE payment_id IS NOT NULL;
CREATE INDEX statement_lines_newest ON statement_lines (day, id);
CREATE INDEX statement_lines_open ON statement_lines (bank_account_id, day) WHERE state = 'new';
CREATE INDEX statement_lines_import ON statement_lines (import_id);
CREATE INDEX statement_lines_amount ON statement_lines (amount, id);

CREATE TRIGGER statement_lines_never_deleted BEFORE DELETE OR TRUNCATE ON statement_lines EXECUTE FUNCTION refuse_rewriting();
CREATE TRIGGER statement_lines_keep_what_arrived
  BEFORE UPDATE OF bank_account_id, import_id, line_number, day, amount, reference, description, occurrence, balance, reversal, raw
  ON statement_lines FOR EACH ROW
  WHEN ((OLD.bank_account_id, OLD.import_id, OLD.line_number, OLD.day, OLD.amount, OLD.reference, OLD.description, OLD.occurrence, OLD.balance, OLD.reversal, OLD.raw)
    IS DISTINCT FROM (NEW.bank_account_id, NEW.import_id, NEW.line_number, NEW.day, NEW.amount, NEW.reference, NEW.description, NEW.occurrence, NEW.balance, NEW.reversal, NEW.raw))
  EXECUTE FUNCTION refuse_rewriting();

-- What a report told, for one that could not be booked.
ALTER TABLE bank_reports ADD COLUMN number text, ADD COLUMN amount bigint;

CREATE INDEX payments_paid ON payments (paid_at);
CREATE INDEX payments_reference_lower ON payments (lower(reference)) WHERE reference IS NOT NULL;
CREATE INDEX payments_provider_reference ON payments (lower(provider_reference));

-- One day of one account: what the books, the provider and the statement say.
CREATE TABLE reconciliation_days (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  bank_account_id uuid NOT NULL REFERENCES bank_accounts (id),
  day date NOT NULL,
  ledger_count integer NOT NULL DEFAULT 0,
  ledger_total bigint NOT NULL DEFAULT 0,
  reported_count integer NOT NULL DEFAULT 0,
  reported_total bigint NOT NULL DEFAULT 0,
  statement_count integer NOT NULL DEFAULT 0,
  statement_total bigint NOT NULL DEFAULT 0,
  explained_total bigint NOT NULL DEFAULT 0,
  has_statement boolean NOT NULL DEFAULT false,
  differences integer NOT NULL DEFAULT 0,
  open_differences integer NOT NULL DEFAULT 0,
  state text NOT NULL GENERATED ALWAYS AS (
    CASE WHEN open_differences > 0 THEN 'open' WHEN NOT has_statement THEN 'no_statement' ELSE 'balanced' END) STORED,
  computed_at timestamptz NOT NULL,
  UNIQUE (bank_account_id, day)
);
CREATE INDEX reconciliation_days_newest ON reconciliation_days (day, id);
CREATE INDEX reconciliation_days_open ON reconciliation_days (day) WHERE open_differences > 0;

-- What does not agree. A row stays until somebody settles it, or the day agrees when it is computed again.
CREATE TABLE reconciliation_differences (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  reconciliation_day_id uuid NOT NULL REFERENCES reconciliation_days (id),
  kind text NOT NULL CHECK (kind IN ('not_in_ledger', 'not_in_statement', 'amount_differs', 'reported_not_booked', 'report_contradicts', 'taken_back')),
  -- What it is about, so that it is found again and not listed twice.
  subject varchar(160) NOT NULL,
  payment_id uuid REFERENCES payments (id),
  statement_line_id uuid REFERENCES statement_lines (id),
  bank_report_id uuid REFERENCES bank_reports (id),
  label varchar(200) NOT NULL,
  ledger_amount bigint,
  reported_amount bigint,
  statement_amount bigint,
  found_at timestamptz NOT NULL,
  settled_at timestamptz,
  settled_by uuid REFERENCES accounts (id),
  settled_how text CHECK (settled_how IN ('reason', 'agrees')),
  reason varchar(500),
  CHECK ((settled_at IS NULL) = (settled_how IS NULL)),
  CHECK (settled_how <> 'reason' OR (reason IS NOT NULL AND settled_by IS NOT NULL)),
  UNIQUE (reconciliation_day_id, kind, subject)
);
CREATE INDEX reconciliation_differences_newest ON reconciliation_differences (found_at, id);
CREATE INDEX reconciliation_differences_open ON reconciliation_differences (reconciliation_day_id) WHERE settled_at IS NULL;
CREATE INDEX reconciliation_differences_payment ON reconciliation_differences (payment_id);
CREATE INDEX reconciliation_differences_line ON reconciliation_differences (statement_line_id);
