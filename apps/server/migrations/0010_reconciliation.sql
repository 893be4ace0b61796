-- Account statements of the university's own banks, and their daily comparison with the books. Statements keep the sen
-- that banks write, as whole numbers: 100 sen are one rupiah. Payments and reports are in rupiah.

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
  created_at timestamptz NOT NULL,
  -- The approved request that made the present values.
  approval_request_id uuid UNIQUE
);
CREATE UNIQUE INDEX bank_accounts_number ON bank_accounts (lower(bank), number);
CREATE UNIQUE INDEX bank_accounts_transfers ON bank_accounts (takes_transfers) WHERE takes_transfers;

-- The account on which the money of a bank's transfer numbers arrives.
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
  format text NOT NULL CHECK (format IN ('csv', 'mt940', 'xlsx')),
  sha256 bytea NOT NULL,
  -- The days that the statement covers, with or without lines.
  first_day date NOT NULL,
  last_day date NOT NULL CHECK (last_day >= first_day),
  lines integer NOT NULL CHECK (lines >= 0),
  lines_new integer NOT NULL CHECK (lines_new BETWEEN 0 AND lines),
  credits_sen bigint NOT NULL,
  debits_sen bigint NOT NULL,
  closing_balance_sen bigint,
  imported_by uuid NOT NULL REFERENCES accounts (id),
  imported_at timestamptz NOT NULL,
  -- Movements that the bank has not booked yet: counted, and no lines.
  pending integer NOT NULL DEFAULT 0 CHECK (pending >= 0)
);
-- A file is read once.
CREATE UNIQUE INDEX statement_imports_file ON statement_imports (bank_account_id, sha256);
CREATE INDEX statement_imports_newest ON statement_imports (imported_at, id);
CREATE INDEX statement_imports_days ON statement_imports (bank_account_id, first_day, last_day);

-- Every line of every statement, as the bank wrote it. Money that leaves is negative.
CREATE TABLE statement_lines (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  bank_account_id uuid NOT NULL REFERENCES bank_accounts (id),
  import_id uuid NOT NULL REFERENCES statement_imports (id),
  line_number integer NOT NULL,
  day date NOT NULL,
  amount_sen bigint NOT NULL CONSTRAINT statement_lines_amount_check CHECK (amount_sen <> 0),
  reference varchar(120) NOT NULL,
  description varchar(1000) NOT NULL,
  -- Numbers equal transfers of one day.
  occurrence integer NOT NULL CHECK (occurrence > 0),
  balance_sen bigint,
  -- The bank takes back what it credited or debited by mistake.
  reversal boolean NOT NULL DEFAULT false,
  raw text NOT NULL,
  state text NOT NULL DEFAULT 'new' CHECK (state IN ('new', 'held', 'same', 'matched', 'explained')),
  payment_id uuid REFERENCES payments (id),
  matched_by text CHECK (matched_by IN ('reference', 'number', 'hand', 'recorded')),
  explanation text CHECK (explanation IN ('fee', 'interest', 'own_transfer', 'other')),
  reason varchar(500),
  settled_by uuid REFERENCES accounts (id),
  settled_at timestamptz,
  -- An earlier line that this one looks like. The line is `held` and counts nowhere until a person says that both are
  -- true (`new`) or that they are one transfer (`same`).
  similar_to uuid REFERENCES statement_lines (id),
  released_by uuid REFERENCES accounts (id),
  released_at timestamptz,
  release_reason varchar(500),
  CHECK ((state = 'matched') = (payment_id IS NOT NULL)),
  CHECK ((state = 'matched') = (matched_by IS NOT NULL)),
  CHECK ((state = 'explained') = (explanation IS NOT NULL)),
  CONSTRAINT statement_lines_check4 CHECK (state <> 'matched' OR amount_sen > 0),
  CONSTRAINT statement_lines_check5 CHECK (state <> 'explained' OR (reason IS NOT NULL AND settled_by IS NOT NULL)),
  CONSTRAINT statement_lines_settled CHECK ((state IN ('new', 'held')) = (settled_at IS NULL)),
  CONSTRAINT statement_lines_similar CHECK (state NOT IN ('held', 'same') OR similar_to IS NOT NULL),
  CONSTRAINT statement_lines_same CHECK (state <> 'same' OR (reason IS NOT NULL AND settled_by IS NOT NULL)),
  CONSTRAINT statement_lines_released CHECK (
    (released_at IS NULL) = (released_by IS NULL) AND (released_at IS NULL) = (release_reason IS NULL)
    AND (similar_to IS NULL OR state IN ('held', 'same') OR released_at IS NOT NULL))
);
CREATE UNIQUE INDEX statement_lines_identity
  ON statement_lines (bank_account_id, day, amount_sen, reference, md5(description), occurrence);
-- A payment arrives once.
CREATE UNIQUE INDEX statement_lines_payment ON statement_lines (payment_id) WHERE payment_id IS NOT NULL;
CREATE INDEX statement_lines_newest ON statement_lines (day, id);
CREATE INDEX statement_lines_open ON statement_lines (bank_account_id, day) WHERE state = 'new';
CREATE INDEX statement_lines_import ON statement_lines (import_id);
CREATE INDEX statement_lines_amount ON statement_lines (amount_sen, id);
CREATE INDEX statement_lines_reference_key ON statement_lines (reference_key(reference)) WHERE amount_sen > 0;
CREATE INDEX statement_lines_held ON statement_lines (import_id) WHERE state = 'held';
CREATE INDEX statement_lines_similar_to ON statement_lines (similar_to) WHERE similar_to IS NOT NULL;
CREATE INDEX statement_lines_words
  ON statement_lines USING gin (search_key(reference || ' ' || description) gin_trgm_ops);

CREATE TRIGGER statement_lines_never_deleted BEFORE DELETE OR TRUNCATE ON statement_lines
  EXECUTE FUNCTION refuse_rewriting();
CREATE TRIGGER statement_lines_keep_what_arrived
  BEFORE UPDATE OF bank_account_id, import_id, line_number, day, amount_sen, reference, description, occurrence, balance_sen,
    reversal, raw, similar_to
  ON statement_lines FOR EACH ROW
  WHEN ((OLD.bank_account_id, OLD.import_id, OLD.line_number, OLD.day, OLD.amount_sen, OLD.reference, OLD.description,
      OLD.occurrence, OLD.balance_sen, OLD.reversal, OLD.raw, OLD.similar_to)
    IS DISTINCT FROM (NEW.bank_account_id, NEW.import_id, NEW.line_number, NEW.day, NEW.amount_sen, NEW.reference, NEW.description,
      NEW.occurrence, NEW.balance_sen, NEW.reversal, NEW.raw, NEW.similar_to))
  EXECUTE FUNCTION refuse_rewriting();

-- Lines of a file that is being read, so that a file of any length needs a few batches of memory. Emptied when the file
-- is done; a nightly job removes what an interrupted server left.
CREATE UNLOGGED TABLE statement_staging (
  upload_id uuid NOT NULL,
  line_number integer NOT NULL,
  day date NOT NULL,
  amount_sen bigint NOT NULL,
  reference text NOT NULL,
  description text NOT NULL,
  occurrence integer NOT NULL,
  balance_sen bigint,
  reversal boolean NOT NULL,
  raw text NOT NULL,
  similar_to uuid,
  staged_at timestamptz NOT NULL,
  PRIMARY KEY (upload_id, line_number)
);
CREATE INDEX statement_staging_sums ON statement_staging (upload_id, day, amount_sen);

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
  statement_total_sen bigint NOT NULL DEFAULT 0,
  explained_total_sen bigint NOT NULL DEFAULT 0,
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

-- Differences of a day. A row stays open until a person settles it, or the day agrees when it is computed again.
CREATE TABLE reconciliation_differences (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  reconciliation_day_id uuid NOT NULL REFERENCES reconciliation_days (id),
  kind text NOT NULL CHECK (kind IN ('not_in_ledger', 'not_in_statement', 'amount_differs',
    'reported_not_booked', 'report_contradicts', 'taken_back', 'line_held')),
  -- Identifies the difference, so that computing the day again does not list it twice.
  subject varchar(160) NOT NULL,
  payment_id uuid REFERENCES payments (id),
  statement_line_id uuid REFERENCES statement_lines (id),
  bank_report_id uuid REFERENCES bank_reports (id),
  label varchar(200) NOT NULL,
  ledger_amount bigint,
  reported_amount bigint,
  statement_amount_sen bigint,
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
CREATE INDEX reconciliation_differences_open ON reconciliation_differences (reconciliation_day_id)
  WHERE settled_at IS NULL;
CREATE INDEX reconciliation_differences_payment ON reconciliation_differences (payment_id);
CREATE INDEX reconciliation_differences_line ON reconciliation_differences (statement_line_id);
CREATE INDEX reconciliation_differences_kind ON reconciliation_differences (kind, found_at, id);
