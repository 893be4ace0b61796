-- Each campaign waits for a domain in a line of its own, so that a large one holds up no other.
ALTER TABLE sending_paces DROP COLUMN postponed_to;

CREATE TABLE campaign_domains (
  campaign_id uuid NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
  domain varchar(300) NOT NULL,
  -- The last recipient that found no slot waits until then; the next one waits behind it.
  postponed_to timestamptz NOT NULL,
  PRIMARY KEY (campaign_id, domain)
);
