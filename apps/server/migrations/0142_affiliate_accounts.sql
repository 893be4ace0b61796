-- An account belongs to one affiliate at most, and the public page of an affiliate has more than a biography.
DROP INDEX affiliates_account_id;
CREATE UNIQUE INDEX affiliates_account_id ON affiliates (account_id);
CREATE INDEX affiliates_email ON affiliates (lower(email)) WHERE email IS NOT NULL;
ALTER TABLE affiliates
  -- Last part of the address of the public page; without it the page has the code.
  ADD COLUMN slug varchar(60) CHECK (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  -- When the affiliate agreed that the public page says how many people came through them.
  ADD COLUMN counted_since timestamptz;
CREATE UNIQUE INDEX affiliates_slug_key ON affiliates (slug);
CREATE INDEX affiliates_shown ON affiliates (lower(name)) WHERE public AND active;

-- Study programmes that an affiliate can tell people about.
CREATE TABLE affiliate_programmes (
  affiliate_id uuid NOT NULL REFERENCES affiliates (id) ON DELETE CASCADE,
  programme_id uuid NOT NULL REFERENCES study_programmes (id) ON DELETE CASCADE,
  PRIMARY KEY (affiliate_id, programme_id)
);
CREATE INDEX affiliate_programmes_programme ON affiliate_programmes (programme_id);

-- Requests of accounts to become an affiliate; staff decide each once.
CREATE TABLE affiliate_applications (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL REFERENCES accounts (id),
  name varchar(120) NOT NULL,
  kind text NOT NULL CHECK (kind IN ('alumni', 'teacher', 'student', 'partner', 'staff')),
  phone varchar(20) NOT NULL,
  reason varchar(1000) NOT NULL,
  biography varchar(2000),
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'refused')),
  affiliate_id uuid REFERENCES affiliates (id),
  created_at timestamptz NOT NULL,
  decided_at timestamptz,
  decided_by uuid REFERENCES accounts (id),
  note varchar(500),
  CHECK ((status = 'pending') = (decided_at IS NULL)),
  CHECK ((decided_at IS NULL) = (decided_by IS NULL)),
  CHECK ((status = 'approved') = (affiliate_id IS NOT NULL)),
  -- Nobody approves their own request.
  CHECK (decided_by <> account_id)
);
CREATE UNIQUE INDEX affiliate_applications_pending ON affiliate_applications (account_id) WHERE status = 'pending';
CREATE INDEX affiliate_applications_account ON affiliate_applications (account_id);
CREATE INDEX affiliate_applications_status ON affiliate_applications (status, created_at DESC, id);
CREATE INDEX affiliate_applications_affiliate ON affiliate_applications (affiliate_id);
