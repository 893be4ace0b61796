-- Visits by the link or voucher of an affiliate, on a device that has no account yet. The device is a random number that
-- the browser made; networks are stored as a hash that is only good for comparing.
CREATE TABLE affiliate_touches (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  affiliate_id uuid NOT NULL REFERENCES affiliates (id),
  device uuid NOT NULL,
  source text NOT NULL CHECK (source IN ('link', 'voucher')),
  -- Day by UTC: one device counts once a day for an affiliate.
  day date NOT NULL,
  at timestamptz NOT NULL,
  network bytea,
  -- Opened within 30 days on the device; the touches that lost stay with the account as well.
  account_id uuid REFERENCES accounts (id) ON DELETE SET NULL,
  outcome text CHECK (outcome IN ('won', 'lost')),
  UNIQUE (device, affiliate_id, day),
  CHECK (account_id IS NULL OR outcome IS NOT NULL)
);
CREATE INDEX affiliate_touches_affiliate ON affiliate_touches (affiliate_id, at DESC);
CREATE INDEX affiliate_touches_account ON affiliate_touches (account_id);
CREATE INDEX affiliate_touches_network ON affiliate_touches (network, at);
CREATE INDEX affiliate_touches_open ON affiliate_touches (at) WHERE outcome IS NULL;
-- One touch brings an account.
CREATE UNIQUE INDEX affiliate_touches_won ON affiliate_touches (account_id) WHERE outcome = 'won';

-- The device with which an account was opened, and the network; only to compare with those of the affiliate.
CREATE TABLE account_devices (
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  device uuid NOT NULL,
  network bytea,
  at timestamptz NOT NULL,
  PRIMARY KEY (account_id, device)
);
CREATE INDEX account_devices_device ON account_devices (device);
CREATE INDEX account_devices_network ON account_devices (network);
