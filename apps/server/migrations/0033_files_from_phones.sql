-- Uploads that arrive in pieces. The pieces lie in the file store, under keys made of the id and the place of the piece;
-- a row is deleted once its file was used or refused, or after a day.
CREATE TABLE unfinished_uploads (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name varchar(200) NOT NULL,
  bytes integer NOT NULL CHECK (bytes > 0),
  received integer NOT NULL DEFAULT 0 CHECK (received BETWEEN 0 AND bytes),
  -- Of the whole file, as the sender computed it.
  sha256 bytea CHECK (length(sha256) = 32),
  -- Set while a request uses the complete file, or the upload is being deleted.
  used_since timestamptz,
  -- When it began or its last piece arrived.
  moved_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX unfinished_uploads_account ON unfinished_uploads (account_id);
CREATE INDEX unfinished_uploads_created ON unfinished_uploads (created_at);

-- QRIS and wallets: the code to scan or the link to open. Their number is made from the id, so that lists, reports and
-- statements name such a payment like any other.
ALTER TABLE virtual_accounts
  ADD qr_text varchar(700),
  ADD pay_url varchar(1000);
