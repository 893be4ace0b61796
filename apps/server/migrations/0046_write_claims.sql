-- Which request holds a key, and whether a transaction of that request has committed. A transaction sets `committed` itself,
-- as its last statement, so it cannot commit after another request has taken the key over. Status 0: carried out, no answer kept.
ALTER TABLE idempotency_keys
  ADD COLUMN claim uuid NOT NULL DEFAULT gen_random_uuid(),
  ADD COLUMN committed boolean NOT NULL DEFAULT false;
