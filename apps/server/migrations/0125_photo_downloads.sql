-- Colour behind the head of a portrait, measured once for each file.
CREATE TABLE photo_checks (
  file_id uuid PRIMARY KEY REFERENCES files (id) ON DELETE CASCADE,
  background text NOT NULL CHECK (background IN ('red', 'blue', 'white', 'other', 'uneven', 'unreadable')),
  checked_at timestamptz NOT NULL
);

-- Photos downloaded together: who took whose, and how far the file has come.
CREATE TABLE photo_downloads (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL REFERENCES accounts (id),
  kind text NOT NULL CHECK (kind IN ('zip', 'sheet')),
  file_name varchar(200) NOT NULL,
  -- Pixels of each photo.
  width integer NOT NULL CHECK (width BETWEEN 16 AND 2400),
  height integer NOT NULL CHECK (height BETWEEN 16 AND 2400),
  template varchar(100) NOT NULL,
  registration_ids uuid[] NOT NULL CHECK (cardinality(registration_ids) > 0),
  done integer NOT NULL DEFAULT 0 CHECK (done BETWEEN 0 AND cardinality(registration_ids)),
  -- Photos left out because they could not be read.
  failed integer NOT NULL DEFAULT 0 CHECK (failed BETWEEN 0 AND done),
  status text NOT NULL DEFAULT 'ready' CHECK (status IN ('ready', 'running', 'done', 'stopped')),
  created_at timestamptz NOT NULL,
  finished_at timestamptz,
  CHECK ((status IN ('done', 'stopped')) = (finished_at IS NOT NULL))
);
CREATE INDEX photo_downloads_account_id ON photo_downloads (account_id, created_at DESC);
