-- Refusals before the verification were reverted to `verified`; these registrations wait for their documents again.
UPDATE registrations SET status = 'paid' WHERE status = 'verified' AND verified_at IS NULL;
UPDATE registrations SET closed_from = 'paid' WHERE closed_from = 'verified' AND verified_at IS NULL;

ALTER TABLE registrations ADD CONSTRAINT registrations_verified
  CHECK ((status <> 'verified' AND closed_from IS DISTINCT FROM 'verified') OR verified_at IS NOT NULL);
