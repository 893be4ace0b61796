-- Money nobody knows yet is given back without a registration to name.
ALTER TABLE approval_requests ALTER COLUMN registration_id DROP NOT NULL;
CREATE INDEX payments_waiting_owner ON payments (waiting_owner, waiting_since, id) WHERE waiting_amount > 0;
CREATE INDEX payments_waiting_reason ON payments (waiting_reason, waiting_since, id) WHERE waiting_amount > 0;
CREATE INDEX payments_waiting_amount ON payments (waiting_amount, id) WHERE waiting_amount > 0;
