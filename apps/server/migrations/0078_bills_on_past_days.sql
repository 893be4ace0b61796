-- What was owed on a past day follows from what has changed since: payments (allocations), parts let off (bill lines added
-- later) and bills that nothing is asked for any more.
ALTER TABLE bills
  -- Since when nothing is asked for it: cancelled or guaranteed.
  ADD COLUMN closed_at timestamptz;
UPDATE bills b SET closed_at = coalesce((SELECT max(l.at) FROM audit_log l WHERE l.subject_type = 'bill' AND l.subject_id = b.id::text
    AND l.action IN ('bill.cancel', 'bill.reissue', 'bill.guarantee')), b.issued_at)
  WHERE b.status IN ('cancelled', 'guaranteed', 'waived');

ALTER TABLE bill_lines
  -- When a line was added to a bill that was issued without it.
  ADD COLUMN added_at timestamptz;
UPDATE bill_lines l SET added_at = b.issued_at FROM bills b WHERE b.id = l.bill_id AND l.added_later;
CREATE INDEX bill_lines_added ON bill_lines (added_at) WHERE added_at IS NOT NULL;

-- Allocations are only added to, so their order on the disk is their order in time.
CREATE INDEX allocations_created ON allocations USING brin (created_at);
