-- Every time the books were derived again, and what did not follow from the rest.
CREATE TABLE invariant_runs (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  started_at timestamptz NOT NULL,
  finished_at timestamptz NOT NULL,
  found integer NOT NULL CHECK (found >= 0),
  -- Empty for the nightly run.
  started_by uuid REFERENCES accounts (id) ON DELETE SET NULL
);
CREATE INDEX invariant_runs_newest ON invariant_runs (finished_at DESC);
CREATE INDEX invariant_runs_started_by ON invariant_runs (started_by);

CREATE TABLE invariant_findings (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  check_name varchar(40) NOT NULL,
  subject_type varchar(40) NOT NULL,
  subject_id varchar(80) NOT NULL,
  label text NOT NULL,
  stored text,
  derived text,
  path text,
  first_seen_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  -- The first run that no longer found it.
  gone_at timestamptz
);
CREATE UNIQUE INDEX invariant_findings_one ON invariant_findings (check_name, subject_type, subject_id) WHERE gone_at IS NULL;
CREATE INDEX invariant_findings_newest ON invariant_findings (first_seen_at DESC, id DESC);

-- Money that was once written down: an allocation is only added to, a payment is never taken out or made larger, and the
-- bytes a bank sent stay as they came. The role of the running server may not either; these stop the owner as well.
CREATE TRIGGER allocations_never_emptied BEFORE TRUNCATE ON allocations EXECUTE FUNCTION refuse_change();

CREATE FUNCTION refuse_rewriting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% keeps what was written', TG_TABLE_NAME;
END $$;
CREATE TRIGGER payments_never_deleted BEFORE DELETE OR TRUNCATE ON payments EXECUTE FUNCTION refuse_rewriting();
CREATE TRIGGER payments_keep_what_arrived BEFORE UPDATE OF provider, provider_reference, amount ON payments FOR EACH ROW
  WHEN ((OLD.provider, OLD.provider_reference, OLD.amount) IS DISTINCT FROM (NEW.provider, NEW.provider_reference, NEW.amount))
  EXECUTE FUNCTION refuse_rewriting();
CREATE TRIGGER bank_reports_never_deleted BEFORE DELETE OR TRUNCATE ON bank_reports EXECUTE FUNCTION refuse_rewriting();
CREATE TRIGGER bank_reports_keep_what_arrived BEFORE UPDATE OF provider, body, headers, received_at ON bank_reports FOR EACH ROW
  WHEN ((OLD.provider, OLD.body, OLD.headers, OLD.received_at) IS DISTINCT FROM (NEW.provider, NEW.body, NEW.headers, NEW.received_at))
  EXECUTE FUNCTION refuse_rewriting();

-- Receipts of invented applicants had numbers of their own; now they come from the counter of their year like all others.
CREATE TEMP TABLE demo_receipts ON COMMIT DROP AS
SELECT p.id, y.year, coalesce(c.value, 0) + row_number() OVER (PARTITION BY y.year ORDER BY p.received_at, p.id) AS seq
FROM payments p CROSS JOIN LATERAL to_char(p.received_at AT TIME ZONE 'Asia/Jakarta', 'YYYY') AS y (year)
LEFT JOIN number_counters c ON c.kind = 'receipt' AND c.scope = y.year
WHERE p.receipt_number LIKE 'KW-DEMO-%';
UPDATE payments p SET receipt_number = 'KW-' || d.year || '-' || lpad(d.seq::text, greatest(6, length(d.seq::text)), '0')
FROM demo_receipts d WHERE d.id = p.id;
INSERT INTO number_counters (kind, scope, value) SELECT 'receipt', year, max(seq) FROM demo_receipts GROUP BY year
ON CONFLICT (kind, scope) DO UPDATE SET value = EXCLUDED.value;
