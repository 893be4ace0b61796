-- A row whose address stands in an earlier row too is sent to where another address is its own. `problems` names such an
-- address all the same; rows that are not sent to are marked, and counted in their sheet.
ALTER TABLE campaign_sheet_rows ADD COLUMN is_invalid boolean NOT NULL DEFAULT false;
UPDATE campaign_sheet_rows SET is_invalid = true WHERE problems IS NOT NULL;

ALTER TABLE campaign_sheets ADD COLUMN invalid_count integer NOT NULL DEFAULT 0;
UPDATE campaign_sheets SET invalid_count = problem_count;
