-- Names of a menu as the product seeded them; null for a menu that an administrator added. An update gives its new words to
-- menus whose name is still the seeded one.
ALTER TABLE menus ADD COLUMN seeded_name_en text, ADD COLUMN seeded_name_id text;

-- The seeded name is that before the first renaming, or the present one of a menu that nobody renamed.
UPDATE menus m SET
  seeded_name_en = coalesce((SELECT a.before #>> '{name,en}' FROM audit_log a
    WHERE a.action = 'menu.update' AND a.subject_type = 'menu' AND a.subject_id = m.id::text
      AND a.before #>> '{name,en}' <> a.after #>> '{name,en}' ORDER BY a.id LIMIT 1), m.name_en),
  seeded_name_id = coalesce((SELECT a.before #>> '{name,id}' FROM audit_log a
    WHERE a.action = 'menu.update' AND a.subject_type = 'menu' AND a.subject_id = m.id::text
      AND a.before #>> '{name,id}' <> a.after #>> '{name,id}' ORDER BY a.id LIMIT 1), m.name_id)
WHERE m.created_by IS NULL;
