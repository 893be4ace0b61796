-- A hundred and fifty schools, mostly of the university's region, bring most applicants of a season, each with its own
-- yield that stays the same over the years; two thousand others bring the rest.
DROP TABLE IF EXISTS pg_temp.demo_schools;
CREATE TEMP TABLE demo_schools ON COMMIT DROP AS
SELECT *, CASE WHEN place <= 150 THEN sum(1 / (place + 8.0)) OVER (ORDER BY place) / sum(1 / (place
  + 8.0)) FILTER (WHERE place <= 150) OVER ()
  END::float8 AS share
FROM (SELECT s.id AS school_id, v.id AS village_id, 0.3 + 0.6 * pg_temp.demo_roll(hashtext(s.npsn), 901) AS yield, row_number()
  OVER (
    ORDER BY left(c.code, 2) IN ('31', '32', '36') AND left(md5(s.npsn), 1) < '8' DESC, md5(s.npsn)) AS place
  FROM schools s JOIN cities c ON c.id = s.city_id
  JOIN (SELECT DISTINCT ON (d.city_id) d.city_id, v.id FROM districts d JOIN villages v ON v.district_id = d.id
    ORDER BY d.city_id, v.code) v
    ON v.city_id = c.id
  WHERE s.verified) s
WHERE place <= 2150;
CREATE UNIQUE INDEX ON demo_schools (place);
