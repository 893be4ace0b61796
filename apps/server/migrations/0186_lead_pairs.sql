-- Two leads may be one person: what somebody gave fitted both, or staff looked and found two people.
ALTER TABLE lead_strangers RENAME TO lead_pairs;
ALTER INDEX lead_strangers_other RENAME TO lead_pairs_other;
ALTER INDEX lead_strangers_by RENAME TO lead_pairs_by;
ALTER TABLE lead_pairs ADD COLUMN state text NOT NULL DEFAULT 'suspected' CHECK (state IN ('suspected', 'different'));

-- Digits typed wrongly on the page of the link; after a few the link ends.
ALTER TABLE leads ADD COLUMN link_misses smallint NOT NULL DEFAULT 0;

-- The stage follows from the registration of the account.
CREATE INDEX leads_registering ON leads (account_id) WHERE account_id IS NOT NULL AND stage <> 'registered';

-- A lead with the birth date and name of a profile may be that applicant.
CREATE INDEX applicants_birth_date ON applicants (birth_date);
