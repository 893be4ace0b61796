-- Addresses that make an administrator: of a start without one, and of `npm run administrator`.
CREATE TABLE setup_links (
  token_hash bytea PRIMARY KEY,
  -- Null for the first administrator, who types the address.
  email text,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Whether the database belongs to a demo, whose accounts have a password that everybody knows. One row.
CREATE TABLE installation (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  demo boolean NOT NULL,
  since timestamptz NOT NULL DEFAULT now()
);
INSERT INTO installation (demo)
SELECT EXISTS (SELECT FROM accounts WHERE email_lower = 'administrator@demo.test')
WHERE EXISTS (SELECT FROM accounts);
