-- Roles, menus, accounts, sign-in and sessions; also the audit log and uploaded files.

CREATE TABLE permissions (
  slug text PRIMARY KEY,
  name_en text NOT NULL,
  name_id text NOT NULL,
  group_name text NOT NULL,
  built_in boolean NOT NULL DEFAULT false
);

CREATE TABLE roles (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name text NOT NULL UNIQUE,
  description text,
  built_in boolean NOT NULL DEFAULT false,
  require_totp boolean NOT NULL DEFAULT false,
  session_hours integer NOT NULL DEFAULT 12 CHECK (session_hours BETWEEN 1 AND 8760),
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid
);
CREATE UNIQUE INDEX roles_name_lower_key ON roles (lower(name));

CREATE TABLE role_permissions (
  role_id uuid NOT NULL REFERENCES roles (id) ON DELETE CASCADE,
  permission text NOT NULL REFERENCES permissions (slug) ON DELETE CASCADE,
  PRIMARY KEY (role_id, permission)
);
CREATE INDEX role_permissions_permission ON role_permissions (permission);

CREATE TABLE menus (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  code text NOT NULL UNIQUE,
  name_en text NOT NULL,
  name_id text NOT NULL,
  path text,
  icon text,
  parent_id uuid REFERENCES menus (id) ON DELETE CASCADE,
  sort_order integer NOT NULL DEFAULT 0,
  permission text REFERENCES permissions (slug),
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid,
  -- The names that the product seeded; NULL for a menu that an administrator added. An update renames menus whose name
  -- is still the seeded one.
  seeded_name_en text,
  seeded_name_id text
);
CREATE INDEX menus_parent ON menus (parent_id, sort_order);
CREATE INDEX menus_permission ON menus (permission);

CREATE TABLE role_menus (
  role_id uuid NOT NULL REFERENCES roles (id) ON DELETE CASCADE,
  menu_id uuid NOT NULL REFERENCES menus (id) ON DELETE CASCADE,
  PRIMARY KEY (role_id, menu_id)
);
CREATE INDEX role_menus_menu ON role_menus (menu_id);

-- Faculties and study programmes that a role is limited to; a role without rows sees all of them. 0003_master_data.sql
-- adds the foreign keys.
CREATE TABLE role_scopes (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  role_id uuid NOT NULL REFERENCES roles (id) ON DELETE CASCADE,
  faculty_id uuid,
  programme_id uuid,
  CHECK (num_nonnulls(faculty_id, programme_id) = 1)
);
CREATE UNIQUE INDEX role_scopes_once ON role_scopes (role_id, faculty_id, programme_id) NULLS NOT DISTINCT;
CREATE INDEX role_scopes_faculty ON role_scopes (faculty_id);
CREATE INDEX role_scopes_programme ON role_scopes (programme_id);

-- Servers keep sessions and permissions in memory. Notices on `access_changed` make them forget what has changed.
CREATE FUNCTION notify_roles_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('access_changed', 'all');
  RETURN NULL;
END $$;
CREATE TRIGGER roles_changed AFTER UPDATE OR DELETE ON roles
  FOR EACH STATEMENT EXECUTE FUNCTION notify_roles_changed();
CREATE TRIGGER role_permissions_changed AFTER INSERT OR UPDATE OR DELETE ON role_permissions
  FOR EACH STATEMENT EXECUTE FUNCTION notify_roles_changed();
CREATE TRIGGER role_scopes_changed AFTER INSERT OR UPDATE OR DELETE ON role_scopes
  FOR EACH STATEMENT EXECUTE FUNCTION notify_roles_changed();
CREATE TRIGGER permissions_changed AFTER UPDATE OR DELETE ON permissions
  FOR EACH STATEMENT EXECUTE FUNCTION notify_roles_changed();
CREATE TRIGGER menus_changed AFTER INSERT OR UPDATE OR DELETE ON menus
  FOR EACH STATEMENT EXECUTE FUNCTION notify_roles_changed();
CREATE TRIGGER role_menus_changed AFTER INSERT OR UPDATE OR DELETE ON role_menus
  FOR EACH STATEMENT EXECUTE FUNCTION notify_roles_changed();

CREATE TABLE accounts (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- No invisible characters: one that changes the direction turns the line around in which the name is shown, and a
  -- space without width makes a second name that looks the same. Other names of people and schools have the same check.
  name text NOT NULL CHECK (name !~ '[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]'),
  email text NOT NULL,
  email_lower text NOT NULL GENERATED ALWAYS AS (lower(email)) STORED UNIQUE,
  email_verified_at timestamptz,
  -- E.164, of any country: a plus and 8 to 15 digits.
  phone text CHECK (phone ~ '^\+[1-9][0-9]{7,14}$'),
  password_hash text,
  role_id uuid NOT NULL REFERENCES roles (id),
  language text NOT NULL DEFAULT 'en' CHECK (language IN ('en', 'id')),
  theme text NOT NULL DEFAULT 'system' CHECK (theme IN ('light', 'dark', 'system')),
  active boolean NOT NULL DEFAULT true,
  failed_sign_ins integer NOT NULL DEFAULT 0,
  locked_until timestamptz,
  totp_secret text,
  consent_version text,
  consent_at timestamptz,
  guardian_name text,
  guardian_consent_at timestamptz,
  referral_code text,
  -- Answers given in the sign-up wizard, and the step where it stopped.
  sign_up_progress jsonb,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  require_totp boolean NOT NULL DEFAULT false,
  totp_enabled_at timestamptz,
  -- A secret that was shown and is not confirmed with a code yet.
  totp_pending text,
  totp_pending_at timestamptz,
  -- Time step of the last accepted code: a code works once.
  totp_last_step bigint,
  invited_at timestamptz,
  invited_by uuid,
  -- False: no WhatsApp messages; e-mail and inbox stay.
  whatsapp boolean NOT NULL DEFAULT true
);
CREATE INDEX accounts_role ON accounts (role_id, active);
CREATE INDEX accounts_phone ON accounts (phone);
CREATE INDEX accounts_created ON accounts (created_at DESC, id);
-- The list in each of its orders, for each role, and its rare states.
CREATE INDEX accounts_by_name ON accounts (name, id);
CREATE INDEX accounts_by_email ON accounts (email_lower, id);
CREATE INDEX accounts_by_role ON accounts (role_id, name, id);
CREATE INDEX accounts_inactive ON accounts (name, id) WHERE NOT active;
CREATE INDEX accounts_unverified ON accounts (name, id) WHERE email_verified_at IS NULL;
CREATE INDEX accounts_with_totp ON accounts (name, id) WHERE totp_secret IS NOT NULL;
CREATE INDEX accounts_locked ON accounts (locked_until, id) WHERE locked_until IS NOT NULL;
CREATE INDEX accounts_invited ON accounts (invited_at, id) WHERE invited_at IS NOT NULL AND password_hash IS NULL;
CREATE INDEX accounts_email_search ON accounts USING gin (email_lower gin_trgm_ops);
CREATE INDEX accounts_phone_search ON accounts USING gin (phone gin_trgm_ops);
CREATE INDEX accounts_email_start ON accounts (email_lower text_pattern_ops);
CREATE INDEX accounts_name ON accounts USING gin (search_key(name) gin_trgm_ops);
CREATE INDEX accounts_name_start ON accounts (search_key(name) text_pattern_ops);

CREATE FUNCTION notify_account_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('access_changed', 'account:' || OLD.id);
  RETURN NULL;
END $$;
CREATE TRIGGER accounts_access_changed AFTER UPDATE ON accounts
  FOR EACH ROW WHEN (
    (OLD.role_id, OLD.active, OLD.password_hash, OLD.email, OLD.email_verified_at, OLD.name, OLD.language,
      OLD.totp_secret, OLD.require_totp)
    IS DISTINCT FROM
    (NEW.role_id, NEW.active, NEW.password_hash, NEW.email, NEW.email_verified_at, NEW.name, NEW.language,
      NEW.totp_secret, NEW.require_totp)
  ) EXECUTE FUNCTION notify_account_changed();
-- Servers forget the sessions of a deleted account too.
CREATE TRIGGER accounts_deleted AFTER DELETE ON accounts FOR EACH ROW EXECUTE FUNCTION notify_account_changed();

-- The last sign-in, in a table of its own: in the row of the account every sign-in would write all indexes of accounts.
CREATE TABLE account_visits (
  account_id uuid PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  -- Accounts that never signed in come first.
  last_signed_in_at timestamptz NOT NULL DEFAULT '-infinity'
);
CREATE INDEX account_visits_latest ON account_visits (last_signed_in_at, account_id);

CREATE FUNCTION expect_visits() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO account_visits (account_id) SELECT id FROM made;
  RETURN NULL;
END $$;
CREATE TRIGGER accounts_visits AFTER INSERT ON accounts REFERENCING NEW TABLE AS made
  FOR EACH STATEMENT EXECUTE FUNCTION expect_visits();

CREATE TABLE account_identities (
  provider text NOT NULL,
  subject text NOT NULL,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (provider, subject)
);
CREATE INDEX account_identities_account ON account_identities (account_id);

-- Device and network with which an account was opened, only to compare them with those of the affiliate.
CREATE TABLE account_devices (
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  device uuid NOT NULL,
  network bytea,
  at timestamptz NOT NULL,
  PRIMARY KEY (account_id, device)
);
CREATE INDEX account_devices_device ON account_devices (device);
CREATE INDEX account_devices_network ON account_devices (network);

CREATE TABLE sessions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  token_hash bytea NOT NULL UNIQUE,
  created_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  ip text,
  user_agent text,
  revoked_at timestamptz,
  -- Set on a session in which staff see the product as the account: who, and from which session.
  impersonator_id uuid REFERENCES accounts (id) ON DELETE CASCADE,
  parent_id uuid REFERENCES sessions (id) ON DELETE CASCADE,
  CHECK (num_nonnulls(impersonator_id, parent_id) IN (0, 2))
);
CREATE INDEX sessions_account ON sessions (account_id, last_seen_at DESC);
CREATE INDEX sessions_expiry ON sessions (expires_at);
CREATE INDEX sessions_impersonator ON sessions (impersonator_id) WHERE impersonator_id IS NOT NULL;
CREATE INDEX sessions_parent ON sessions (parent_id) WHERE parent_id IS NOT NULL;

CREATE FUNCTION notify_session_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('access_changed', 'session:' || encode(OLD.token_hash, 'hex'));
  RETURN NULL;
END $$;
CREATE TRIGGER sessions_revoked AFTER UPDATE OF revoked_at ON sessions
  FOR EACH ROW WHEN (OLD.revoked_at IS DISTINCT FROM NEW.revoked_at) EXECUTE FUNCTION notify_session_changed();
CREATE TRIGGER sessions_deleted AFTER DELETE ON sessions
  FOR EACH ROW EXECUTE FUNCTION notify_session_changed();

CREATE TABLE one_time_tokens (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  purpose text NOT NULL CHECK (purpose IN ('verify-email', 'reset-password', 'change-email', 'invitation')),
  token_hash bytea NOT NULL UNIQUE,
  payload jsonb,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX one_time_tokens_account ON one_time_tokens (account_id, purpose, created_at DESC);

CREATE TABLE totp_recovery_codes (
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  code_hash bytea NOT NULL,
  created_at timestamptz NOT NULL,
  used_at timestamptz,
  PRIMARY KEY (account_id, code_hash)
);

-- Failed sign-ins by address. Unknown addresses count too, so that the wait does not reveal which accounts exist.
CREATE TABLE sign_in_attempts (
  email_hash bytea PRIMARY KEY,
  failures integer NOT NULL,
  last_at timestamptz NOT NULL,
  blocked_until timestamptz
);
CREATE INDEX sign_in_attempts_last ON sign_in_attempts (last_at);

-- Codes that a browser brings back from a sign-in at another provider. A code is used once, within a minute, by the
-- browser that began.
CREATE TABLE sign_in_exchanges (
  code_hash bytea PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  browser_hash bytea NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX sign_in_exchanges_account ON sign_in_exchanges (account_id);
CREATE INDEX sign_in_exchanges_expiry ON sign_in_exchanges (expires_at);

-- Filters, order and columns of a list, kept under a name.
CREATE TABLE saved_views (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  list text NOT NULL,
  name text NOT NULL,
  query text NOT NULL,
  columns text[] NOT NULL DEFAULT '{}',
  is_default boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX saved_views_name_key ON saved_views (account_id, list, lower(name));
CREATE UNIQUE INDEX saved_views_one_default ON saved_views (account_id, list) WHERE is_default;

-- No foreign key to accounts: the log outlives the person.
CREATE TABLE audit_log (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT now(),
  actor_id uuid,
  actor_name text NOT NULL,
  role_name text NOT NULL,
  action text NOT NULL,
  subject_type text NOT NULL,
  subject_id text NOT NULL,
  before jsonb,
  after jsonb,
  reason text,
  ip text,
  request_id text,
  -- The account that the actor saw the product as.
  acting_as_id uuid,
  acting_as_name text
);
-- The log is read newest first, by record, person, action or address, within a period. Each index ends with the order
-- of the list, so that a page costs only its own rows.
CREATE INDEX audit_log_acting_as ON audit_log (acting_as_id, at DESC, id DESC) WHERE acting_as_id IS NOT NULL;
CREATE INDEX audit_log_at ON audit_log (at DESC, id DESC);
CREATE INDEX audit_log_subject ON audit_log (subject_type, subject_id, at DESC, id DESC);
CREATE INDEX audit_log_actor ON audit_log (actor_id, at DESC, id DESC);
CREATE INDEX audit_log_action ON audit_log (action, at DESC, id DESC);
CREATE INDEX audit_log_ip ON audit_log (ip, at DESC, id DESC);

CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is only added to';
END $$;
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

CREATE TABLE files (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  owner_account_id uuid REFERENCES accounts (id) ON DELETE SET NULL,
  purpose text NOT NULL,
  name text NOT NULL,
  mime text NOT NULL,
  bytes bigint NOT NULL,
  width integer,
  height integer,
  sha256 bytea NOT NULL,
  storage_key text NOT NULL UNIQUE,
  thumbnail_key text,
  created_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz
);
CREATE INDEX files_owner ON files (owner_account_id, created_at DESC);
CREATE INDEX files_deleted ON files (deleted_at) WHERE deleted_at IS NOT NULL;
-- Finds a proof of payment that was uploaded before, by its bytes.
CREATE INDEX files_payment_proofs ON files (sha256) WHERE purpose = 'payment-proof';
