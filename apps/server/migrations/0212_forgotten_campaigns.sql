-- When the people of a campaign were forgotten; nobody can say any more whom it reached, so nothing continues it.
ALTER TABLE campaigns ADD COLUMN forgotten_at timestamptz CHECK (forgotten_at IS NULL OR ended_at IS NOT NULL);
CREATE INDEX campaigns_to_forget ON campaigns (ended_at) WHERE forgotten_at IS NULL;
