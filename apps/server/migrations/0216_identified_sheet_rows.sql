-- Whom a campaign reached is known by the row of the sheet too, whatever columns are assigned afterwards.
ALTER TABLE campaign_sheet_rows ADD COLUMN id uuid NOT NULL DEFAULT gen_random_uuid();

-- A campaign that continues none has planned every row in the order of the file.
UPDATE campaign_recipients r SET source_id = w.id
FROM campaigns c
  JOIN (SELECT sheet_id, id, row_number() OVER (PARTITION BY sheet_id ORDER BY number) AS place
    FROM campaign_sheet_rows) w ON w.sheet_id = c.sheet_id
WHERE c.id = r.campaign_id AND c.audience = 'sheet' AND c.parent_id IS NULL AND c.forgotten_at IS NULL
  AND w.place = r.number;
