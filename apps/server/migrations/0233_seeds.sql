-- What the seeds have added. A name that is here is never seeded again, whatever staff did to its rows since.
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

-- Earlier versions looked at every start for rows of the seeds: what they added is there, or was removed since the last start.
INSERT INTO seeds (name)
SELECT 'role ' || name FROM roles WHERE built_in
UNION SELECT 'menu ' || code FROM menus
UNION SELECT 'letter kind ' || code FROM letter_kinds
UNION SELECT 'list ' || name FROM (VALUES
  ('religions', EXISTS (SELECT FROM religions)),
  ('ethnicGroups', EXISTS (SELECT FROM ethnic_groups)),
  ('degreeLevels', EXISTS (SELECT FROM degree_levels)),
  ('classProgrammes', EXISTS (SELECT FROM class_programmes)),
  ('feeComponents', EXISTS (SELECT FROM fee_components)),
  ('schoolTypes', EXISTS (SELECT FROM school_types)),
  ('schoolMajors', EXISTS (SELECT FROM school_majors))) lists (name, filled)
WHERE filled
UNION SELECT 'regions' WHERE EXISTS (SELECT FROM provinces)
UNION SELECT 'demo ' || part FROM unnest(ARRAY['university', 'statement', 'affiliates', 'leads', 'events', 'surveys', 'chats',
  'opening']) part
WHERE EXISTS (SELECT FROM installation WHERE demo) AND EXISTS (SELECT FROM registrations WHERE code ~ '^\d\dG[12]D\d{6}$')
UNION SELECT 'demo campaigns' WHERE EXISTS (SELECT FROM campaigns) AND EXISTS (SELECT FROM installation WHERE demo)
-- Only the seasons answer the questionnaire for applicants after the first 300.
UNION SELECT 'demo ' || part FROM unnest(ARRAY['seasons', 'campaigns']) part
WHERE EXISTS (SELECT FROM questionnaires q JOIN registrations r USING (account_id)
  WHERE r.code ~ '^\d\dG[12]D\d{6,}$' AND substr(r.code, 6)::bigint > 300);
