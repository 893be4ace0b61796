-- A paper is on one receipt that counts. Copies received twice before stay as they were written: the first one counts.
ALTER TABLE paper_receipt_lines ADD COLUMN counts boolean NOT NULL DEFAULT true;
UPDATE paper_receipt_lines l SET counts = false FROM paper_receipts p
WHERE p.id = l.receipt_id AND (p.voided_at IS NOT NULL OR EXISTS (
  SELECT FROM paper_receipt_lines other JOIN paper_receipts o ON o.id = other.receipt_id
  WHERE other.document_id = l.document_id AND o.voided_at IS NULL AND (o.received_at, o.id) < (p.received_at, p.id)));
CREATE UNIQUE INDEX paper_receipt_lines_once ON paper_receipt_lines (document_id) WHERE counts;

CREATE FUNCTION paper_receipts_free_papers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE paper_receipt_lines SET counts = false WHERE receipt_id = NEW.id AND counts;
  RETURN NULL;
END $$;
CREATE TRIGGER paper_receipts_free_papers AFTER UPDATE OF voided_at ON paper_receipts
  FOR EACH ROW WHEN (OLD.voided_at IS NULL AND NEW.voided_at IS NOT NULL) EXECUTE FUNCTION paper_receipts_free_papers();
