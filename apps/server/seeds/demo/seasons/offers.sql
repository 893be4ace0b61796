-- Each season's offers: discounts, vouchers of fairs, agreements with schools, and the refund policy.

DROP TABLE IF EXISTS pg_temp.demo_years;
CREATE TEMP TABLE demo_years ON COMMIT DROP AS
SELECT left(academic_year, 4)::int AS year, academic_year, right(left(academic_year, 4), 2) AS yy,
  min(opens_at)::date AS opens_on,
  min(results_at)::date AS results_on, max(confirmation_due_at)::date AS ends_on, min(opens_at) AS opens_at
FROM waves GROUP BY academic_year;

INSERT INTO discounts (id, code, name, value, applies_to, fee_component_id, condition, valid_from, valid_to, created_at,
  updated_at, name_en, on_public_page)
SELECT pg_temp.demo_uuid('demo-discount-' || d.code || yy), d.code || yy, d.name || ' ' || academic_year, d.value, d.applies_to,
  c.id,
  d.condition, CASE d.code WHEN 'AWAL' THEN results_on ELSE opens_on END, CASE d.code WHEN 'AWAL' THEN results_on + 4 ELSE ends_on
    + 60 END,
  opens_at, opens_at, d.name_en || ' ' || academic_year, d.condition IN ('school_agreement', 'sibling')
FROM demo_years CROSS JOIN (VALUES
  ('AWAL', 'Potongan konfirmasi awal', 10, 'fee_component', 'DPP', 'early', 'Early confirmation'),
  ('MITRA', 'Potongan sekolah mitra', 15, 'fee_component', 'DPP', 'school_agreement', 'Partner school'),
  ('SAUDARA', 'Potongan saudara kandung', 10, 'fee_component', 'SPP', 'sibling', 'Brother or sister'),
  ('PRESTASI', 'Potongan juara lomba', 25, 'fee_component', 'SPP', 'manual', 'Competition winner'),
  ('PAMERAN', 'Potongan pameran pendidikan', 20, 'registration_fee', NULL, 'voucher', 'Education fair')
) d (code, name, value, applies_to, component, condition, name_en)
LEFT JOIN fee_components c ON c.code = d.component
ON CONFLICT DO NOTHING;

INSERT INTO vouchers (discount_id, code, valid_to, max_uses)
SELECT d.id, d.code || '-' || place, d.valid_to, 500
FROM demo_years JOIN discounts d ON d.code = 'PAMERAN' || yy CROSS JOIN unnest(ARRAY['JKT', 'BDG', 'TNG', 'DARING']) place
ON CONFLICT DO NOTHING;

INSERT INTO school_agreements (school_id, number, title, valid_from, valid_to, discount_id, quota, contact)
SELECT s.school_id, 'PKS/UCN/' || year || '/' || lpad((s.place / 3)::text, 3, '0'), 'Kerja sama penerimaan mahasiswa baru '
  || academic_year,
  opens_on, least(opens_on + 364, ends_on + 60), d.id, 100, 'Guru BK Contoh'
FROM demo_years JOIN discounts d ON d.code = 'MITRA' || yy JOIN demo_schools s ON s.place % 3 = 0 AND s.place <= 45
ON CONFLICT DO NOTHING;

INSERT INTO refund_policies (code, name, kind, last_day, share_bps)
SELECT 'MUNDUR' || yy, 'Mengundurkan diri sebelum kuliah ' || academic_year, 're_registration', ends_on + 90, 7500 FROM demo_years
ON CONFLICT DO NOTHING;
