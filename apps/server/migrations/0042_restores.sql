-- A restored backup: which moment the books are of, which numbers may have been given since, and what banks said about it.
CREATE TABLE restores (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- Nothing later than this is in the books.
  backup_at timestamptz NOT NULL,
  restored_at timestamptz NOT NULL,
  -- When the banks had answered about the last number.
  asked_at timestamptz,
  -- When a person said that everything lost is entered again.
  ended_at timestamptz,
  ended_by uuid REFERENCES accounts (id),
  note varchar(500),
  CHECK ((ended_at IS NULL) = (ended_by IS NULL) AND (ended_at IS NULL) = (note IS NULL))
);
CREATE INDEX restores_open ON restores (backup_at) WHERE ended_at IS NULL;
CREATE INDEX restores_ended_by ON restores (ended_by);

-- Numbers no counter gives any more, because they may have been given between a backup and its restore.
CREATE TABLE number_gaps (
  restore_id uuid NOT NULL REFERENCES restores (id),
  kind text NOT NULL,
  -- Scope of the counter; * for every scope that has no counter yet while the restore is not ended.
  scope text NOT NULL,
  first_number bigint NOT NULL,
  last_number bigint NOT NULL,
  -- How many should have been left out: more than were where too few digits are left.
  wanted bigint NOT NULL,
  lost_at timestamptz NOT NULL,
  PRIMARY KEY (kind, scope, restore_id),
  CHECK (first_number >= 1 AND last_number >= first_number - 1)
);
CREATE INDEX number_gaps_restore ON number_gaps (restore_id);
CREATE TRIGGER number_gaps_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON number_gaps EXECUTE FUNCTION refuse_change();

-- Every transfer number a bank is asked about after a restore: those of the books, and those of the gaps.
CREATE TABLE restore_questions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  restore_id uuid NOT NULL REFERENCES restores (id),
  provider varchar(20) NOT NULL,
  bank varchar(20) NOT NULL,
  -- Empty where the gateway has not given it yet.
  number varchar(28),
  -- Empty for a number of a gap.
  virtual_account_id uuid REFERENCES virtual_accounts (id),
  ask_at timestamptz NOT NULL,
  answer text CHECK (answer IN ('answered', 'refused', 'not_askable')),
  answered_at timestamptz,
  payments_found integer NOT NULL DEFAULT 0,
  CHECK ((answer IS NULL) = (answered_at IS NULL))
);
CREATE INDEX restore_questions_restore ON restore_questions (restore_id);
CREATE INDEX restore_questions_account ON restore_questions (virtual_account_id);
CREATE INDEX restore_questions_due ON restore_questions (ask_at) WHERE answer IS NULL;

-- Where a payment of a bank comes from: its report, or our own question. Those that have neither so far came by a question.
ALTER TABLE payments DISABLE TRIGGER USER, ADD COLUMN found_by_asking boolean NOT NULL DEFAULT false;
UPDATE payments SET found_by_asking = true WHERE bank_report_id IS NULL AND provider NOT IN ('manual', 'statement');
ALTER TABLE payments ENABLE TRIGGER USER, ADD CHECK (NOT found_by_asking OR bank_report_id IS NULL);

-- What a bill asked for when it was issued; of older bills, today. Lines are written once: later ones only take off.
ALTER TABLE bills DISABLE TRIGGER USER, ADD COLUMN issued_total bigint;
UPDATE bills SET issued_total = total;
ALTER TABLE bills ENABLE TRIGGER USER;
ALTER TABLE bill_lines ADD COLUMN added_later boolean NOT NULL DEFAULT false;
ALTER TABLE bill_lines ADD CHECK (NOT added_later OR (amount < 0 AND discount_id IS NULL));
CREATE FUNCTION bills_keep_issued_total() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.issued_total := CASE TG_OP WHEN 'INSERT' THEN NEW.total ELSE OLD.issued_total END;
  RETURN NEW;
END $$;
CREATE TRIGGER bills_keep_issued_total BEFORE INSERT OR UPDATE OF issued_total ON bills
  FOR EACH ROW EXECUTE FUNCTION bills_keep_issued_total();
CREATE FUNCTION refuse_taking_lines_out() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Lines go with their bill and not without it.
  IF EXISTS (SELECT FROM bills WHERE id = OLD.bill_id) THEN RAISE EXCEPTION 'bill_lines keeps what was written'; END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER bill_lines_stay BEFORE DELETE ON bill_lines FOR EACH ROW EXECUTE FUNCTION refuse_taking_lines_out();
CREATE TRIGGER bill_lines_keep_what_was_asked BEFORE UPDATE ON bill_lines FOR EACH ROW
  WHEN (OLD IS DISTINCT FROM NEW) EXECUTE FUNCTION refuse_rewriting();

-- A number pays into one bill as long as it lives.
CREATE TRIGGER virtual_accounts_keep_their_bill BEFORE UPDATE OF bill_id, number ON virtual_accounts FOR EACH ROW
  WHEN (OLD.bill_id <> NEW.bill_id OR (OLD.number IS NOT NULL AND OLD.number IS DISTINCT FROM NEW.number))
  EXECUTE FUNCTION refuse_rewriting();

-- Up to how many rupiah whoever decided was allowed to at that moment; empty for any sum, unknown for older decisions.
ALTER TABLE approval_requests
  ADD COLUMN decider_limit bigint,
  ADD COLUMN decider_limit_known boolean NOT NULL DEFAULT false;
