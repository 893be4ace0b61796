-- Narrow rows that reports count: one per registration, per paid place, per payment, and per movement of money and fee
-- component.
-- Triggers keep them in the transaction that writes the registration or the money; the check of the books compares them
-- with the views derived_*, from which rebuild_report_facts() makes them again.
--
-- Whoever writes a row of facts holds the lock of the row it comes from: a registration writes its own row, a bill its
-- own movements, and an UPDATE of a profile, which holds the profile's row, locks its registrations by id before it writes
-- their facts. So no transaction waits for facts in another order than for registrations and bills.

-- For what a profile says about its registrations: their facts and their search text.
CREATE INDEX registrations_applicant ON registrations (applicant_id);

-- Columns have the names that they have in `registrations`, so that a report counts from either table.
CREATE TABLE registration_facts (
  id uuid PRIMARY KEY,
  wave_id uuid NOT NULL,
  track_id uuid NOT NULL,
  class_programme_id uuid NOT NULL,
  programme_id uuid,
  -- From the profile.
  school_id uuid,
  ethnic_group_id uuid,
  created_at timestamptz NOT NULL,
  submitted_at timestamptz,
  paid_at timestamptz,
  verified_at timestamptz,
  tested_at timestamptz,
  decided_at timestamptz,
  confirmed_at timestamptz,
  enrolled_at timestamptz,
  closed_at timestamptz,
  -- Issue of the student number.
  numbered_at timestamptz,
  published_after smallint,
  status text NOT NULL,
  decision text,
  closed_from text,
  documents_state text NOT NULL,
  gender text,
  clothes_size text
) WITH (fillfactor = 85);
CREATE INDEX registration_facts_wave ON registration_facts (wave_id);

CREATE VIEW derived_registration_facts AS
SELECT r.id, r.wave_id, r.track_id, r.class_programme_id, r.programme_id, a.school_id, a.ethnic_group_id, r.created_at,
  r.submitted_at, r.paid_at, r.verified_at, r.tested_at, r.decided_at, r.confirmed_at, r.enrolled_at, r.closed_at,
  s.issued_at AS numbered_at, r.published_after, r.status, r.decision, r.closed_from, r.documents_state, a.gender,
  a.clothes_size
FROM registrations r LEFT JOIN applicants a ON a.id = r.applicant_id LEFT JOIN students s ON s.registration_id = r.id;

-- When the first instalment of a standing re-registration bill was paid, or the whole bill if it has none.
CREATE TABLE paid_places (
  bill_id uuid PRIMARY KEY,
  registration_id uuid NOT NULL,
  paid_at timestamptz NOT NULL
);
CREATE INDEX paid_places_registration ON paid_places (registration_id);

CREATE VIEW derived_paid_places AS
SELECT b.id AS bill_id, b.registration_id, CASE WHEN i.id IS NULL THEN b.paid_at ELSE i.paid_at END AS paid_at
FROM bills b LEFT JOIN installments i ON i.bill_id = b.id AND i.position = 1
WHERE b.kind = 're_registration' AND b.status <> 'cancelled'
  AND CASE WHEN i.id IS NULL THEN b.paid_at ELSE i.paid_at END IS NOT NULL;

-- Columns have the names that they have in `payments`. A payment without a bill has no registration.
CREATE TABLE payment_facts (
  id uuid PRIMARY KEY,
  registration_id uuid,
  wave_id uuid,
  received_at timestamptz NOT NULL,
  reversed_at timestamptz,
  amount bigint NOT NULL,
  waiting_amount bigint NOT NULL,
  refunded_amount bigint NOT NULL,
  bill_kind text,
  channel text,
  provider text NOT NULL
) WITH (fillfactor = 85);
CREATE INDEX payment_facts_wave ON payment_facts (wave_id);

CREATE VIEW derived_payment_facts AS
SELECT y.id, b.registration_id, r.wave_id, y.received_at, y.reversed_at, y.amount, y.waiting_amount, y.refunded_amount,
  b.kind AS bill_kind, y.channel::text AS channel, y.provider::text AS provider
FROM payments y LEFT JOIN bills b ON b.id = y.bill_id LEFT JOIN registrations r ON r.id = b.registration_id;

CREATE TABLE money_facts (
  -- NULL for a refund of money that never had a bill.
  bill_id uuid,
  registration_id uuid NOT NULL,
  wave_id uuid NOT NULL,
  fee_component_id uuid,
  -- For `refunded`, the payment given back.
  payment_id uuid,
  at timestamptz NOT NULL,
  amount bigint NOT NULL,
  kind text NOT NULL CHECK (kind IN ('billed', 'discount', 'let_off', 'received', 'cancelled', 'refunded')),
  bill_kind text,
  -- The part of a movement that no component takes. Reports by component leave it out.
  beyond boolean NOT NULL
);
CREATE INDEX money_facts_bill ON money_facts (bill_id);
CREATE INDEX money_facts_wave ON money_facts (wave_id);
CREATE INDEX money_facts_payment ON money_facts (payment_id) WHERE payment_id IS NOT NULL;
-- Without a key, a publisher of logical replication could delete no row.
ALTER TABLE money_facts REPLICA IDENTITY FULL;

-- Fee components with another order than the stored movements of some bills. The job `divide-money` divides these again;
-- reports by component count from the tables meanwhile.
CREATE TABLE redivisions (
  fee_component_id uuid PRIMARY KEY REFERENCES fee_components (id) ON DELETE CASCADE,
  asked_at timestamptz NOT NULL
);

-- Movements on bills by fee component. A bill's components are stacked in the order in which they are paid, less their
-- own discounts. Money fills the stack from below, what is taken back at the same moment comes after it; other
-- reductions and the rest of a cancelled bill take from above. PostgreSQL computes one bill alone if the query names it.
CREATE VIEW derived_bill_movements AS
WITH own AS NOT MATERIALIZED (
  SELECT l.bill_id, l.fee_component_id, min(l.sort_order) AS position, sum(l.amount)::bigint AS net
  FROM bill_lines l WHERE NOT l.added_later AND (l.amount > 0 OR l.fee_component_id IS NOT NULL)
  GROUP BY l.bill_id, l.fee_component_id
), stack AS NOT MATERIALIZED (
  SELECT o.bill_id, o.fee_component_id, sum(o.net) OVER s - o.net AS bottom, sum(o.net) OVER s AS top,
    sum(o.net) OVER (PARTITION BY o.bill_id) AS height
  FROM own o LEFT JOIN fee_components k ON k.id = o.fee_component_id
  WINDOW s AS (PARTITION BY o.bill_id ORDER BY coalesce(k.allocation_priority, 100), o.position, o.fee_component_id)
), filled AS NOT MATERIALIZED (
  SELECT al.id, al.bill_id, al.created_at AS at, 'received' AS kind, al.amount AS moved,
    sum(al.amount) OVER (PARTITION BY al.bill_id ORDER BY al.created_at, al.amount < 0, al.amount, al.id) AS upto, false AS from_above
  FROM allocations al
  UNION ALL
  SELECT l.id, l.bill_id, coalesce(l.added_at, b.issued_at), CASE WHEN l.added_later THEN 'let_off' ELSE 'discount' END,
    -l.amount, sum(-l.amount) OVER (PARTITION BY l.bill_id ORDER BY l.added_at NULLS FIRST, l.sort_order, l.amount, l.id), true
  FROM bill_lines l JOIN bills b ON b.id = l.bill_id
  WHERE l.amount < 0 AND (l.added_later OR l.fee_component_id IS NULL)
  UNION ALL
  SELECT b.id, b.id, coalesce(b.closed_at, b.issued_at), 'cancelled', b.total - b.paid, b.total, false
  FROM bills b WHERE b.status = 'cancelled'
), spread AS NOT MATERIALIZED (
  SELECT p.bill_id, p.at, p.kind, p.fee_component_id, p.share,
    p.moved - sum(p.share) OVER (PARTITION BY p.bill_id, p.kind, p.id) AS rest,
    row_number() OVER (PARTITION BY p.bill_id, p.kind, p.id) AS number
  FROM (
    SELECT m.bill_id, m.id, m.at, m.kind, m.moved, k.fee_component_id, coalesce(sign(m.moved)::bigint * greatest(0,
      least(CASE WHEN m.from_above THEN k.height - least(m.upto, m.upto - m.moved) ELSE greatest(m.upto, m.upto - m.moved) END, k.top)
        - greatest(CASE WHEN m.from_above THEN k.height - greatest(m.upto, m.upto - m.moved)
            ELSE least(m.upto, m.upto - m.moved) END, k.bottom))::bigint, 0) AS share
    FROM filled m LEFT JOIN stack k ON k.bill_id = m.bill_id
  ) p
)
SELECT n.bill_id, b.registration_id, r.wave_id, n.fee_component_id, n.at, n.amount, n.kind, b.kind AS bill_kind, n.beyond
FROM (
  SELECT l.bill_id, l.fee_component_id, coalesce(l.added_at, o.issued_at) AS at,
    CASE WHEN l.amount > 0 THEN 'billed' ELSE 'discount' END AS kind, abs(l.amount)::bigint AS amount, false AS beyond
  FROM bill_lines l JOIN bills o ON o.id = l.bill_id
  WHERE NOT l.added_later AND (l.amount > 0 OR l.fee_component_id IS NOT NULL) AND l.amount <> 0
  UNION ALL
  SELECT s.bill_id, v.fee_component_id, s.at, s.kind, v.amount::bigint, v.beyond
  FROM spread s CROSS JOIN LATERAL (VALUES (s.fee_component_id, s.share::numeric, false),
    (NULL, CASE WHEN s.number = 1 THEN s.rest ELSE 0 END, true)) v (fee_component_id, amount, beyond)
  WHERE v.amount <> 0
) n JOIN bills b ON b.id = n.bill_id JOIN registrations r ON r.id = b.registration_id;

CREATE VIEW derived_refund_facts AS
SELECT f.payment_id, b.id AS bill_id, r.id AS registration_id, r.wave_id, f.created_at AS at, f.amount,
  b.kind AS bill_kind
FROM refunds f JOIN approval_requests q ON q.id = f.approval_request_id JOIN payments y ON y.id = f.payment_id
LEFT JOIN bills b ON b.id = coalesce(q.bill_id, y.bill_id)
JOIN registrations r ON r.id = coalesce(q.registration_id, b.registration_id);

CREATE VIEW derived_money_facts AS
SELECT bill_id, registration_id, wave_id, fee_component_id, NULL::uuid AS payment_id, at, amount, kind, bill_kind, beyond
FROM derived_bill_movements
UNION ALL
SELECT bill_id, registration_id, wave_id, NULL, payment_id, at, amount, 'refunded', bill_kind, true FROM derived_refund_facts;

-- Adds the facts of registrations, bills, payments and refunds that have none, after a fill without triggers.
CREATE FUNCTION fill_report_facts() RETURNS void LANGUAGE sql AS $$
  INSERT INTO registration_facts SELECT d.* FROM derived_registration_facts d
    WHERE NOT EXISTS (SELECT FROM registration_facts f WHERE f.id = d.id) ORDER BY d.wave_id, d.created_at;
  INSERT INTO paid_places SELECT d.* FROM derived_paid_places d
    WHERE NOT EXISTS (SELECT FROM paid_places f WHERE f.bill_id = d.bill_id);
  INSERT INTO payment_facts SELECT d.* FROM derived_payment_facts d
    WHERE NOT EXISTS (SELECT FROM payment_facts f WHERE f.id = d.id) ORDER BY d.wave_id, d.received_at;
  INSERT INTO money_facts SELECT d.* FROM derived_money_facts d
    WHERE NOT EXISTS (SELECT FROM money_facts f WHERE f.payment_id = d.payment_id)
      AND (d.payment_id IS NOT NULL OR NOT EXISTS (SELECT FROM money_facts f WHERE f.bill_id = d.bill_id AND f.payment_id IS NULL))
    ORDER BY d.wave_id, d.bill_id;
$$;

-- Makes all facts again. Whoever writes what they come from waits until the end of the transaction.
CREATE FUNCTION rebuild_report_facts() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  LOCK TABLE registrations, applicants, students, bills, bill_lines, installments, fee_components, payments, allocations,
    refunds, approval_requests IN SHARE MODE;
  -- TRUNCATE would show an empty table to backups and checks, which read an earlier snapshot.
  DELETE FROM registration_facts;
  DELETE FROM paid_places;
  DELETE FROM payment_facts;
  DELETE FROM money_facts;
  DELETE FROM redivisions;
  PERFORM fill_report_facts();
  ANALYZE registration_facts, paid_places, payment_facts, money_facts;
END $$;

-- Facts of registrations.

CREATE FUNCTION registrations_keep_facts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  profile record;
  bill uuid;
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM registration_facts WHERE id = OLD.id;
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' OR NEW.applicant_id <> OLD.applicant_id THEN
    -- A change of either profile at the same moment waits for the lock, and then finds this registration.
    PERFORM FROM applicants WHERE id IN (OLD.applicant_id, NEW.applicant_id) ORDER BY id FOR SHARE;
    SELECT school_id, ethnic_group_id, gender, clothes_size INTO profile FROM applicants WHERE id = NEW.applicant_id;
  END IF;
  IF TG_OP = 'INSERT' THEN
    INSERT INTO registration_facts VALUES (NEW.id, NEW.wave_id, NEW.track_id, NEW.class_programme_id, NEW.programme_id,
      profile.school_id, profile.ethnic_group_id, NEW.created_at, NEW.submitted_at, NEW.paid_at, NEW.verified_at,
      NEW.tested_at, NEW.decided_at, NEW.confirmed_at, NEW.enrolled_at, NEW.closed_at, NULL, NEW.published_after, NEW.status,
      NEW.decision, NEW.closed_from, NEW.documents_state, profile.gender, profile.clothes_size);
    RETURN NULL;
  END IF;
  UPDATE registration_facts SET wave_id = NEW.wave_id, track_id = NEW.track_id,
    class_programme_id = NEW.class_programme_id, programme_id = NEW.programme_id, created_at = NEW.created_at,
    submitted_at = NEW.submitted_at, paid_at = NEW.paid_at, verified_at = NEW.verified_at, tested_at = NEW.tested_at,
    decided_at = NEW.decided_at, confirmed_at = NEW.confirmed_at, enrolled_at = NEW.enrolled_at,
    closed_at = NEW.closed_at, published_after = NEW.published_after, status = NEW.status, decision = NEW.decision,
    closed_from = NEW.closed_from, documents_state = NEW.documents_state
  WHERE id = NEW.id;
  IF NEW.applicant_id <> OLD.applicant_id THEN
    UPDATE registration_facts SET school_id = profile.school_id, ethnic_group_id = profile.ethnic_group_id,
      gender = profile.gender, clothes_size = profile.clothes_size WHERE id = NEW.id;
  END IF;
  IF NEW.wave_id <> OLD.wave_id THEN
    FOR bill IN SELECT id FROM bills WHERE registration_id = NEW.id ORDER BY id FOR NO KEY UPDATE LOOP
      UPDATE money_facts SET wave_id = NEW.wave_id WHERE bill_id = bill;
      UPDATE payment_facts SET wave_id = NEW.wave_id WHERE id IN (SELECT y.id FROM payments y WHERE y.bill_id = bill);
    END LOOP;
    UPDATE money_facts SET wave_id = NEW.wave_id WHERE payment_id IN (
      SELECT f.payment_id FROM derived_refund_facts f WHERE f.registration_id = NEW.id);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER registrations_new_facts AFTER INSERT OR DELETE ON registrations
  FOR EACH ROW EXECUTE FUNCTION registrations_keep_facts();
CREATE TRIGGER registrations_keep_facts AFTER UPDATE OF applicant_id, wave_id, track_id, class_programme_id, programme_id,
    created_at, submitted_at, paid_at, verified_at, tested_at, decided_at, confirmed_at, enrolled_at, closed_at,
    published_after, status, decision, closed_from, documents_state ON registrations
  FOR EACH ROW WHEN ((OLD.applicant_id, OLD.wave_id, OLD.track_id, OLD.class_programme_id, OLD.programme_id, OLD.created_at,
      OLD.submitted_at, OLD.paid_at, OLD.verified_at, OLD.tested_at, OLD.decided_at, OLD.confirmed_at, OLD.enrolled_at,
      OLD.closed_at, OLD.published_after, OLD.status, OLD.decision, OLD.closed_from, OLD.documents_state)
    IS DISTINCT FROM (NEW.applicant_id, NEW.wave_id, NEW.track_id, NEW.class_programme_id, NEW.programme_id, NEW.created_at,
      NEW.submitted_at, NEW.paid_at, NEW.verified_at, NEW.tested_at, NEW.decided_at, NEW.confirmed_at, NEW.enrolled_at,
      NEW.closed_at, NEW.published_after, NEW.status, NEW.decision, NEW.closed_from, NEW.documents_state))
  EXECUTE FUNCTION registrations_keep_facts();

-- A merge of schools writes thousands of profiles: registrations are locked in the order of ids, as steps of many
-- registrations do.
CREATE FUNCTION applicants_keep_facts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed_ids uuid[] := ARRAY(SELECT n.id FROM changed n JOIN former o USING (id)
    WHERE (o.school_id, o.ethnic_group_id, o.gender, o.clothes_size)
      IS DISTINCT FROM (n.school_id, n.ethnic_group_id, n.gender, n.clothes_size));
BEGIN
  IF changed_ids = '{}' THEN
    RETURN NULL;
  END IF;
  PERFORM FROM registrations WHERE applicant_id = ANY (changed_ids) ORDER BY id FOR NO KEY UPDATE;
  UPDATE registration_facts f SET school_id = a.school_id, ethnic_group_id = a.ethnic_group_id, gender = a.gender,
    clothes_size = a.clothes_size
  FROM registrations r JOIN applicants a ON a.id = r.applicant_id
  WHERE r.applicant_id = ANY (changed_ids) AND f.id = r.id;
  RETURN NULL;
END $$;
CREATE TRIGGER applicants_keep_facts AFTER UPDATE ON applicants REFERENCING OLD TABLE AS former NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION applicants_keep_facts();

CREATE FUNCTION students_keep_facts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    UPDATE registration_facts SET numbered_at = NULL WHERE id = OLD.registration_id;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    UPDATE registration_facts SET numbered_at = NEW.issued_at WHERE id = NEW.registration_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER students_keep_facts AFTER INSERT OR DELETE OR UPDATE OF registration_id, issued_at ON students
  FOR EACH ROW EXECUTE FUNCTION students_keep_facts();

-- Facts of bills.

-- The lock makes two transactions on a bill follow each other; the later one reads what the earlier one committed.
-- One general plan per connection: by default PostgreSQL would plan the view, which takes milliseconds, for the first five
-- bills of a connection too.
CREATE FUNCTION keep_bill_movements(bill uuid) RETURNS void LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  PERFORM FROM bills WHERE id = bill FOR NO KEY UPDATE;
  DELETE FROM money_facts WHERE bill_id = bill AND payment_id IS NULL;
  INSERT INTO money_facts (bill_id, registration_id, wave_id, fee_component_id, at, amount, kind, bill_kind, beyond)
    SELECT bill_id, registration_id, wave_id, fee_component_id, at, amount, kind, bill_kind, beyond
    FROM derived_bill_movements WHERE bill_id = bill;
END $$;

CREATE FUNCTION keep_paid_place(bill uuid) RETURNS void LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  PERFORM FROM bills WHERE id = bill FOR NO KEY UPDATE;
  DELETE FROM paid_places WHERE bill_id = bill;
  INSERT INTO paid_places SELECT * FROM derived_paid_places WHERE bill_id = bill;
END $$;

CREATE FUNCTION keep_refund_facts(payment uuid) RETURNS void LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  PERFORM FROM payments WHERE id = payment FOR NO KEY UPDATE;
  DELETE FROM money_facts WHERE payment_id = payment;
  INSERT INTO money_facts (bill_id, registration_id, wave_id, payment_id, at, amount, kind, bill_kind, beyond)
    SELECT bill_id, registration_id, wave_id, payment_id, at, amount, 'refunded', bill_kind, true
    FROM derived_refund_facts WHERE payment_id = payment;
END $$;

CREATE FUNCTION keep_payment_facts(payment uuid) RETURNS void LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  DELETE FROM payment_facts WHERE id = payment;
  INSERT INTO payment_facts SELECT * FROM derived_payment_facts WHERE id = payment;
END $$;

CREATE FUNCTION bills_keep_facts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM money_facts WHERE bill_id = OLD.id AND payment_id IS NULL;
    DELETE FROM paid_places WHERE bill_id = OLD.id;
    RETURN NULL;
  END IF;
  IF NEW.status = 'cancelled' OR TG_OP = 'UPDATE' AND (OLD.status = 'cancelled'
      OR (OLD.registration_id, OLD.kind, OLD.issued_at) <> (NEW.registration_id, NEW.kind, NEW.issued_at)) THEN
    PERFORM keep_bill_movements(NEW.id);
  END IF;
  IF TG_OP = 'UPDATE' AND (OLD.registration_id, OLD.kind) <> (NEW.registration_id, NEW.kind) THEN
    PERFORM keep_refund_facts(y) FROM (SELECT DISTINCT payment_id FROM derived_refund_facts WHERE bill_id = NEW.id ORDER BY 1) k (y);
    PERFORM keep_payment_facts(y.id) FROM (SELECT id FROM payments WHERE bill_id = NEW.id ORDER BY id) y;
  END IF;
  IF 're_registration' IN (OLD.kind, NEW.kind) AND (NEW.paid_at IS NOT NULL OR TG_OP = 'UPDATE') THEN
    PERFORM keep_paid_place(NEW.id);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER bills_new_facts AFTER INSERT ON bills
  FOR EACH ROW WHEN (NEW.paid_at IS NOT NULL OR NEW.status = 'cancelled') EXECUTE FUNCTION bills_keep_facts();
CREATE TRIGGER bills_keep_facts AFTER UPDATE OF registration_id, kind, status, total, paid, issued_at, paid_at, closed_at ON bills
  FOR EACH ROW WHEN ((OLD.registration_id, OLD.kind, OLD.status = 'cancelled', OLD.issued_at, OLD.paid_at)
      IS DISTINCT FROM (NEW.registration_id, NEW.kind, NEW.status = 'cancelled', NEW.issued_at, NEW.paid_at)
    OR NEW.status = 'cancelled' AND (OLD.total, OLD.paid, OLD.closed_at) IS DISTINCT FROM (NEW.total, NEW.paid, NEW.closed_at))
  EXECUTE FUNCTION bills_keep_facts();
CREATE TRIGGER bills_gone_facts AFTER DELETE ON bills FOR EACH ROW EXECUTE FUNCTION bills_keep_facts();

CREATE FUNCTION installments_keep_facts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN PERFORM keep_paid_place(OLD.bill_id); END IF;
  IF TG_OP = 'INSERT' OR TG_OP = 'UPDATE' AND NEW.bill_id <> OLD.bill_id THEN PERFORM keep_paid_place(NEW.bill_id); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER installments_new_facts AFTER INSERT ON installments
  FOR EACH ROW WHEN (NEW.position = 1) EXECUTE FUNCTION installments_keep_facts();
CREATE TRIGGER installments_keep_facts AFTER UPDATE OF bill_id, position, paid_at ON installments
  FOR EACH ROW WHEN ((OLD.position = 1 OR NEW.position = 1)
    AND (OLD.bill_id, OLD.position, OLD.paid_at) IS DISTINCT FROM (NEW.bill_id, NEW.position, NEW.paid_at))
  EXECUTE FUNCTION installments_keep_facts();
CREATE TRIGGER installments_gone_facts AFTER DELETE ON installments
  FOR EACH ROW WHEN (OLD.position = 1) EXECUTE FUNCTION installments_keep_facts();

-- Once for all lines or allocations that a statement writes.
CREATE FUNCTION movements_keep_facts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  bill uuid;
BEGIN
  FOR bill IN SELECT DISTINCT bill_id FROM changed ORDER BY bill_id LOOP
    PERFORM keep_bill_movements(bill);
  END LOOP;
  RETURN NULL;
END $$;
CREATE FUNCTION changed_movements_keep_facts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  bill uuid;
BEGIN
  FOR bill IN SELECT bill_id FROM former UNION SELECT bill_id FROM changed ORDER BY bill_id LOOP
    PERFORM keep_bill_movements(bill);
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER bill_lines_keep_facts AFTER INSERT ON bill_lines REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION movements_keep_facts();
CREATE TRIGGER bill_lines_changed_facts AFTER UPDATE ON bill_lines REFERENCING OLD TABLE AS former NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION changed_movements_keep_facts();
CREATE TRIGGER bill_lines_gone_facts AFTER DELETE ON bill_lines REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION movements_keep_facts();
CREATE TRIGGER allocations_keep_facts AFTER INSERT ON allocations REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION movements_keep_facts();
CREATE TRIGGER allocations_changed_facts AFTER UPDATE ON allocations REFERENCING OLD TABLE AS former NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION changed_movements_keep_facts();
CREATE TRIGGER allocations_gone_facts AFTER DELETE ON allocations REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION movements_keep_facts();

-- Another order of components divides the money of every bill that has the component again. A bill being issued holds
-- FOR KEY SHARE on its components: the change waits for it, and a bill issued later waits for the change.
CREATE FUNCTION fee_components_wait_for_bills() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM fee_components WHERE id = NEW.id FOR UPDATE;
  RETURN NEW;
END $$;
CREATE TRIGGER fee_components_wait_for_bills BEFORE UPDATE OF allocation_priority ON fee_components
  FOR EACH ROW WHEN (OLD.allocation_priority IS DISTINCT FROM NEW.allocation_priority)
  EXECUTE FUNCTION fee_components_wait_for_bills();

CREATE FUNCTION fee_components_keep_facts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO redivisions VALUES (NEW.id, clock_timestamp())
    ON CONFLICT (fee_component_id) DO UPDATE SET asked_at = excluded.asked_at;
  RETURN NULL;
END $$;
CREATE TRIGGER fee_components_keep_facts AFTER UPDATE OF allocation_priority ON fee_components
  FOR EACH ROW WHEN (OLD.allocation_priority IS DISTINCT FROM NEW.allocation_priority)
  EXECUTE FUNCTION fee_components_keep_facts();

CREATE FUNCTION refunds_keep_facts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN PERFORM keep_refund_facts(OLD.payment_id); END IF;
  IF TG_OP <> 'DELETE' THEN PERFORM keep_refund_facts(NEW.payment_id); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER refunds_keep_facts AFTER INSERT OR DELETE OR UPDATE OF payment_id, amount, created_at ON refunds
  FOR EACH ROW EXECUTE FUNCTION refunds_keep_facts();

CREATE FUNCTION payments_keep_facts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM keep_payment_facts(NEW.id);
  ELSIF OLD.bill_id IS NOT DISTINCT FROM NEW.bill_id THEN
    UPDATE payment_facts SET received_at = NEW.received_at, reversed_at = NEW.reversed_at, amount = NEW.amount,
      waiting_amount = NEW.waiting_amount, refunded_amount = NEW.refunded_amount, channel = NEW.channel,
      provider = NEW.provider WHERE id = NEW.id;
  ELSE
    PERFORM keep_payment_facts(NEW.id);
    PERFORM keep_refund_facts(NEW.id);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER payments_new_facts AFTER INSERT ON payments FOR EACH ROW EXECUTE FUNCTION payments_keep_facts();
CREATE TRIGGER payments_keep_facts AFTER UPDATE OF bill_id, received_at, reversed_at, amount, waiting_amount, refunded_amount,
    channel, provider ON payments
  FOR EACH ROW WHEN ((OLD.bill_id, OLD.received_at, OLD.reversed_at, OLD.amount, OLD.waiting_amount, OLD.refunded_amount,
      OLD.channel, OLD.provider)
    IS DISTINCT FROM (NEW.bill_id, NEW.received_at, NEW.reversed_at, NEW.amount, NEW.waiting_amount, NEW.refunded_amount,
      NEW.channel, NEW.provider))
  EXECUTE FUNCTION payments_keep_facts();

SELECT rebuild_report_facts();
