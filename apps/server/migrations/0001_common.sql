-- Used by all other files: search keys, triggers of tables that are only added to, settings, counters, repeated
-- requests, and the state of the installation.

CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- For triggers of tables whose rows are only added.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;

-- For triggers of what banks and people said. The role of the running server lacks the rights anyway; triggers stop the
-- owner of the tables too.
CREATE FUNCTION refuse_rewriting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% keeps what was written', TG_TABLE_NAME;
END $$;

-- A text as searches compare it: without case, accents and apostrophes. searchKeyOf in packages/domain does the same to
-- what a person types.
CREATE FUNCTION search_key(words text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT lower(regexp_replace(normalize(translate(words, '''‘’‛′`´ʹʻʼʽʾʿ＇', ''), NFKD), '[\u0300-\u036f]', '', 'g'))
$$;

-- Settings of the university by key; without a row the value of the program counts.
CREATE TABLE settings (
  key text PRIMARY KEY,
  value jsonb NOT NULL,
  version integer NOT NULL DEFAULT 1,
  updated_at timestamptz NOT NULL DEFAULT now(),
  updated_by uuid
);

-- The last number given, by kind (receipts, student numbers …) and scope (year, programme …).
CREATE TABLE number_counters (
  kind text NOT NULL,
  scope text NOT NULL,
  value bigint NOT NULL,
  PRIMARY KEY (kind, scope)
);

-- Answers to writes, so that a repeated request is answered instead of carried out again.
CREATE TABLE idempotency_keys (
  account_id uuid NOT NULL,
  key text NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  fingerprint bytea NOT NULL,
  -- 0: carried out, and no answer is kept.
  status integer,
  content_type text,
  body text,
  created_at timestamptz NOT NULL,
  -- The request that holds the key, and whether a transaction of that request has committed. The transaction sets
  -- `committed` as its last statement, so it cannot commit after another request has taken the key over.
  claim uuid NOT NULL DEFAULT gen_random_uuid(),
  committed boolean NOT NULL DEFAULT false,
  PRIMARY KEY (account_id, key)
);
CREATE INDEX idempotency_keys_created ON idempotency_keys (created_at);

-- Seeds that were added. A name in this table is never seeded again, whatever staff did to its rows since.
CREATE TABLE seeds (
  name text PRIMARY KEY,
  seeded_at timestamptz NOT NULL DEFAULT now()
);

-- Seeds of the last start that failed; the server runs without their rows.
CREATE TABLE seed_failures (
  name text PRIMARY KEY,
  failed_at timestamptz NOT NULL,
  problem text NOT NULL
);

-- Whether the database belongs to a demo, whose accounts have a known password. One row.
CREATE TABLE installation (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  demo boolean NOT NULL,
  since timestamptz NOT NULL DEFAULT now()
);

-- Links that make an administrator: shown at a start without one, and by `npm run administrator`.
CREATE TABLE setup_links (
  token_hash bytea PRIMARY KEY,
  -- Null for the first administrator, who types the address.
  email text,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
