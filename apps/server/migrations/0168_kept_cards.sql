-- Answers of the dashboard, its cards and the counts of its queues, so that a dashboard costs the reading of a few rows however many registrations there are.
-- `key` is a hash of the card with everything that limits its reader: row scope, permissions and, for cards about a
-- person, the account. Unlogged: after a crash the answers are computed again.
CREATE UNLOGGED TABLE kept_cards (
  key text PRIMARY KEY CHECK (key ~ '^[0-9a-f]{64}$'),
  card text NOT NULL,
  answer jsonb,
  computed_at timestamptz,
  -- An answer that took long is computed again less often.
  took_ms integer NOT NULL DEFAULT 0 CHECK (took_ms >= 0),
  -- A process computes the answer until then; others wait for it or show the earlier one.
  claimed_until timestamptz NOT NULL,
  CHECK ((answer IS NULL) = (computed_at IS NULL))
);
CREATE INDEX kept_cards_computed_at ON kept_cards (computed_at);

-- The card about reviews of today counts by the time of the review.
CREATE INDEX documents_reviewed_at ON documents (reviewed_at) WHERE reviewed_at IS NOT NULL;
-- An affiliate's registrations carry the affiliate's code as typed.
CREATE INDEX registrations_referral_code ON registrations (lower(referral_code)) WHERE referral_code IS NOT NULL;
