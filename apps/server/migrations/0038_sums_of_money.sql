-- Deferred to the commit, because one payment moves four rows and the sums hold only after the last of them. Every
-- transaction that changes a sum also updates the row that states it, so the row lock makes two such transactions follow
-- each other, and the later one reads what the earlier one committed. SQLSTATE PMB01: the server answers 409 books_refused.

-- Of a payment, allocated + waiting + given back = amount; of a reversed one nothing is left.
CREATE FUNCTION require_payment_sum(payment uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE p record;
BEGIN
  SELECT q.status, q.amount, q.waiting_amount, q.refunded_amount,
    (SELECT coalesce(sum(a.amount), 0) FROM allocations a WHERE a.payment_id = q.id) AS allocated
  INTO p FROM payments q WHERE q.id = payment;
  IF FOUND AND (p.allocated < 0 OR p.allocated + p.waiting_amount + p.refunded_amount
      <> CASE p.status WHEN 'reversed' THEN 0 ELSE p.amount END) THEN
    RAISE EXCEPTION 'payment %: allocated % + waiting % + refunded % is not its amount % (%)',
      payment, p.allocated, p.waiting_amount, p.refunded_amount, p.amount, p.status USING ERRCODE = 'PMB01';
  END IF;
END $$;

-- Of a bill, paid = sum of its allocations = sum over its instalments, and each instalment has what was allocated to it.
-- That paid never exceeds the total is a CHECK of both tables.
CREATE FUNCTION require_bill_sum(bill uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE b record;
BEGIN
  SELECT q.paid, (SELECT coalesce(sum(a.amount), 0) FROM allocations a WHERE a.bill_id = q.id) AS allocated,
    (SELECT sum(i.paid) FROM installments i WHERE i.bill_id = q.id) AS in_parts
  INTO b FROM bills q WHERE q.id = bill;
  IF NOT FOUND THEN RETURN; END IF;
  IF b.paid <> b.allocated OR b.paid <> coalesce(b.in_parts, b.paid) THEN
    RAISE EXCEPTION 'bill %: paid % is not its allocations % or instalments %', bill, b.paid, b.allocated, b.in_parts
      USING ERRCODE = 'PMB01';
  END IF;
  IF b.in_parts IS NOT NULL AND EXISTS (SELECT FROM installments i WHERE i.bill_id = bill AND i.paid <>
      (SELECT coalesce(sum(a.amount), 0) FROM allocations a WHERE a.bill_id = bill AND a.installment_id = i.id)) THEN
    RAISE EXCEPTION 'bill %: an instalment is not paid by its allocations', bill USING ERRCODE = 'PMB01';
  END IF;
END $$;

CREATE FUNCTION payments_hold_sum() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM require_payment_sum(NEW.id);
  RETURN NULL;
END $$;
CREATE FUNCTION bills_hold_sum() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM require_bill_sum(NEW.id);
  RETURN NULL;
END $$;
CREATE FUNCTION installments_hold_sum() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN PERFORM require_bill_sum(OLD.bill_id); END IF;
  IF TG_OP = 'INSERT' OR TG_OP = 'UPDATE' AND NEW.bill_id <> OLD.bill_id THEN PERFORM require_bill_sum(NEW.bill_id); END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION allocations_hold_sum() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM require_payment_sum(NEW.payment_id);
  PERFORM require_bill_sum(NEW.bill_id);
  RETURN NULL;
END $$;

-- An update that leaves the sums alone (a receipt number, a due date) queues nothing. A bill nobody has paid on when it is
-- issued has no allocation to compare with, except by the rows that bring their own trigger.
CREATE CONSTRAINT TRIGGER payments_sum_new AFTER INSERT ON payments
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION payments_hold_sum();
CREATE CONSTRAINT TRIGGER payments_sum_changed AFTER UPDATE ON payments
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.status, OLD.amount, OLD.waiting_amount, OLD.refunded_amount)
    IS DISTINCT FROM (NEW.status, NEW.amount, NEW.waiting_amount, NEW.refunded_amount))
  EXECUTE FUNCTION payments_hold_sum();
CREATE CONSTRAINT TRIGGER bills_sum_new AFTER INSERT ON bills
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.paid <> 0) EXECUTE FUNCTION bills_hold_sum();
CREATE CONSTRAINT TRIGGER bills_sum_changed AFTER UPDATE ON bills
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (OLD.paid <> NEW.paid) EXECUTE FUNCTION bills_hold_sum();
CREATE CONSTRAINT TRIGGER installments_sum_new AFTER INSERT ON installments
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION installments_hold_sum();
CREATE CONSTRAINT TRIGGER installments_sum_changed AFTER UPDATE ON installments
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((OLD.bill_id, OLD.paid) IS DISTINCT FROM (NEW.bill_id, NEW.paid))
  EXECUTE FUNCTION installments_hold_sum();
CREATE CONSTRAINT TRIGGER installments_sum_gone AFTER DELETE ON installments
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (OLD.paid <> 0) EXECUTE FUNCTION installments_hold_sum();
CREATE CONSTRAINT TRIGGER allocations_sum AFTER INSERT ON allocations
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION allocations_hold_sum();
