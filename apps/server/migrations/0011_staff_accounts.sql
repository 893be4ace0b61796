-- Second factor, invitations, looking at the product as somebody else, and a list of all accounts that stays quick.

ALTER TABLE accounts
  ADD COLUMN require_totp boolean NOT NULL DEFAULT false,
  ADD COLUMN totp_enabled_at timestamptz,
  -- A secret that was shown but not yet confirmed with a code.
  ADD COLUMN totp_pending text,
  ADD COLUMN totp_pending_at timestamptz,
  -- Time step of the last code that was taken: a code works once.
  ADD COLUMN totp_last_step bigint,
  ADD COLUMN invited_at timestamptz,
  ADD COLUMN invited_by uuid;

CREATE TABLE totp_recovery_codes (
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  code_hash bytea NOT NULL,
  created_at timestamptz NOT NULL,
  used_at timestamptz,
  PRIMARY KEY (account_id, code_hash)
);

-- A session in which somebody looks at the product as the account, and the session it was opened from.
ALTER TABLE sessions
  ADD COLUMN impersonator_id uuid REFERENCES accounts (id) ON DELETE CASCADE,
  ADD COLUMN parent_id uuid REFERENCES sessions (id) ON DELETE CASCADE,
  ADD CHECK (num_nonnulls(impersonator_id, parent_id) IN (0, 2));
CREATE INDEX sessions_impersonator ON sessions (impersonator_id) WHERE impersonator_id IS NOT NULL;
CREATE INDEX sessions_parent ON sessions (parent_id) WHERE parent_id IS NOT NULL;

-- The actor of an entry is who really sat there; this is whom they saw the product as.
ALTER TABLE audit_log ADD COLUMN acting_as_id uuid, ADD COLUMN acting_as_name text;
CREATE INDEX audit_log_acting_as ON audit_log (acting_as_id, at DESC, id DESC) WHERE acting_as_id IS NOT NULL;

ALTER TABLE one_time_tokens DROP CONSTRAINT one_time_tokens_purpose_check;
ALTER TABLE one_time_tokens ADD CONSTRAINT one_time_tokens_purpose_check
  CHECK (purpose IN ('verify-email', 'reset-password', 'change-email', 'invitation'));

CREATE OR REPLACE TRIGGER accounts_access_changed AFTER UPDATE ON accounts
  FOR EACH ROW WHEN (
    (OLD.role_id, OLD.active, OLD.password_hash, OLD.email, OLD.email_verified_at, OLD.name, OLD.language,
      OLD.totp_secret, OLD.require_totp)
    IS DISTINCT FROM
    (NEW.role_id, NEW.active, NEW.password_hash, NEW.email, NEW.email_verified_at, NEW.name, NEW.language,
      NEW.totp_secret, NEW.require_totp)
  ) EXECUTE FUNCTION notify_account_changed();

-- A deleted account leaves the sessions kept in memory as well.
CREATE TRIGGER accounts_deleted AFTER DELETE ON accounts FOR EACH ROW EXECUTE FUNCTION notify_account_changed();

-- The list in each of its orders, for each role, and what is rare and asked for.
CREATE INDEX accounts_by_name ON accounts (name, id);
CREATE INDEX accounts_by_email ON accounts (email_lower, id);
CREATE INDEX accounts_by_sign_in ON accounts ((coalesce(last_signed_in_at, '-infinity'::timestamptz)), id);
CREATE INDEX accounts_by_role ON accounts (role_id, name, id);
CREATE INDEX accounts_inactive ON accounts (name, id) WHERE NOT active;
CREATE INDEX accounts_unverified ON accounts (name, id) WHERE email_verified_at IS NULL;
CREATE INDEX accounts_with_totp ON accounts (name, id) WHERE totp_secret IS NOT NULL;
CREATE INDEX accounts_locked ON accounts (locked_until, id) WHERE locked_until IS NOT NULL;
CREATE INDEX accounts_invited ON accounts (invited_at, id) WHERE invited_at IS NOT NULL AND password_hash IS NULL;
CREATE INDEX accounts_email_search ON accounts USING gin (email_lower gin_trgm_ops);
CREATE INDEX accounts_phone_search ON accounts USING gin (phone gin_trgm_ops);
