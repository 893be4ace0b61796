-- Who may do what, sessions, audit, files, messages, settings and counters.

CREATE EXTENSION IF NOT EXISTS pg_trgm;

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
  updated_by uuid
);
CREATE INDEX menus_parent ON menus (parent_id, sort_order);
CREATE INDEX menus_permission ON menus (permission);

CREATE TABLE role_menus (
  role_id uuid NOT NULL REFERENCES roles (id) ON DELETE CASCADE,
  menu_id uuid NOT NULL REFERENCES menus (id) ON DELETE CASCADE,
  PRIMARY KEY (role_id, menu_id)
);
CREATE INDEX role_menus_menu ON role_menus (menu_id);

-- Rows a role is limited to; no row means every faculty and study programme.
CREATE TABLE role_scopes (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  role_id uuid NOT NULL REFERENCES roles (id) ON DELETE CASCADE,
  faculty_id uuid,
  programme_id uuid,
  CHECK (num_nonnulls(faculty_id, programme_id) = 1)
);
CREATE UNIQUE INDEX role_scopes_once ON role_scopes (role_id, faculty_id, programme_id) NULLS NOT DISTINCT;

CREATE TABLE accounts (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name text NOT NULL,
  email text NOT NULL,
  email_lower text NOT NULL GENERATED ALWAYS AS (lower(email)) STORED UNIQUE,
  email_verified_at timestamptz,
  phone text,
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
  -- What the sign-up wizard has learned so far and where it stopped.
  sign_up_progress jsonb,
  last_signed_in_at timestamptz,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX accounts_role ON accounts (role_id, active);
CREATE INDEX accounts_phone ON accounts (phone);
CREATE INDEX accounts_name ON accounts USING gin (name gin_trgm_ops);
CREATE INDEX accounts_created ON accounts (created_at DESC, id);

CREATE TABLE account_identities (
  provider text NOT NULL,
  subject text NOT NULL,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (provider, subject)
);
CREATE INDEX account_identities_account ON account_identities (account_id);

CREATE TABLE sessions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  token_hash bytea NOT NULL UNIQUE,
  created_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  ip text,
  user_agent text,
  revoked_at timestamptz
);
CREATE INDEX sessions_account ON sessions (account_id, last_seen_at DESC);
CREATE INDEX sessions_expiry ON sessions (expires_at);

CREATE TABLE one_time_tokens (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  purpose text NOT NULL CHECK (purpose IN ('verify-email', 'reset-password', 'change-email')),
  token_hash bytea NOT NULL UNIQUE,
  payload jsonb,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX one_time_tokens_account ON one_time_tokens (account_id, purpose, created_at DESC);

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
  request_id text
);
CREATE INDEX audit_log_subject ON audit_log (subject_type, subject_id, id DESC);
CREATE INDEX audit_log_actor ON audit_log (actor_id, id DESC);
CREATE INDEX audit_log_action ON audit_log (action, id DESC);
CREATE INDEX audit_log_at ON audit_log (at);

CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is only added to';
END $$;
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

CREATE TABLE idempotency_keys (
  account_id uuid NOT NULL,
  key text NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  fingerprint bytea NOT NULL,
  status integer,
  content_type text,
  body text,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, key)
);
CREATE INDEX idempotency_keys_created ON idempotency_keys (created_at);

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

CREATE TABLE messages (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid REFERENCES accounts (id) ON DELETE CASCADE,
  channel text NOT NULL CHECK (channel IN ('inbox', 'email', 'whatsapp')),
  to_address text,
  event text NOT NULL,
  language text NOT NULL CHECK (language IN ('en', 'id')),
  subject text NOT NULL,
  body text NOT NULL,
  link text,
  status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'sent', 'delivered', 'read', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  error text,
  created_at timestamptz NOT NULL DEFAULT now(),
  sent_at timestamptz,
  read_at timestamptz
);
CREATE INDEX messages_account ON messages (account_id, channel, created_at DESC);
CREATE INDEX messages_unread ON messages (account_id) WHERE channel = 'inbox' AND read_at IS NULL;
CREATE INDEX messages_to ON messages (lower(to_address), created_at DESC);
CREATE INDEX messages_status ON messages (status, channel, created_at) WHERE status IN ('queued', 'failed');
CREATE INDEX messages_created ON messages (created_at DESC);

CREATE TABLE settings (
  key text PRIMARY KEY,
  value jsonb NOT NULL,
  version integer NOT NULL DEFAULT 1,
  updated_at timestamptz NOT NULL DEFAULT now(),
  updated_by uuid
);

CREATE TABLE number_counters (
  kind text NOT NULL,
  scope text NOT NULL,
  value bigint NOT NULL,
  PRIMARY KEY (kind, scope)
);

-- Servers keep sessions and permissions in memory; these notices make them forget what has changed.
CREATE FUNCTION notify_session_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('access_changed', 'session:' || encode(OLD.token_hash, 'hex'));
  RETURN NULL;
END $$;
CREATE TRIGGER sessions_revoked AFTER UPDATE OF revoked_at ON sessions
  FOR EACH ROW WHEN (OLD.revoked_at IS DISTINCT FROM NEW.revoked_at) EXECUTE FUNCTION notify_session_changed();
CREATE TRIGGER sessions_deleted AFTER DELETE ON sessions
  FOR EACH ROW EXECUTE FUNCTION notify_session_changed();

CREATE FUNCTION notify_account_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('access_changed', 'account:' || OLD.id);
  RETURN NULL;
END $$;
CREATE TRIGGER accounts_access_changed AFTER UPDATE ON accounts
  FOR EACH ROW WHEN (
    (OLD.role_id, OLD.active, OLD.password_hash, OLD.email, OLD.email_verified_at, OLD.name, OLD.language, OLD.totp_secret)
    IS DISTINCT FROM
    (NEW.role_id, NEW.active, NEW.password_hash, NEW.email, NEW.email_verified_at, NEW.name, NEW.language, NEW.totp_secret)
  ) EXECUTE FUNCTION notify_account_changed();

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
