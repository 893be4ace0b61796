-- Why an answered proof waits again; null once it has an answer.
ALTER TABLE transfer_proofs
  ADD returned_at timestamptz,
  ADD returned_because text
    CHECK (returned_because IN ('answer_taken_back', 'payment_reversed', 'payment_moved', 'line_changed')),
  ADD CONSTRAINT transfer_proofs_returned
    CHECK ((returned_at IS NULL) = (returned_because IS NULL) AND (returned_at IS NULL OR state = 'open'));

-- A line whose text has the number of the payment's bill.
ALTER TABLE statement_lines DROP CONSTRAINT statement_lines_matched_by_check,
  ADD CONSTRAINT statement_lines_matched_by_check
    CHECK (matched_by IN ('reference', 'number', 'bill', 'hand', 'recorded'));

-- Finds earlier lines of the same sender: the bank's words without numbers.
CREATE INDEX statement_lines_sender ON statement_lines (md5(lower(regexp_replace(description, '[0-9]+', '', 'g'))))
  WHERE payment_id IS NOT NULL;
