-- One record for every file that fills tables: lists of master data, workbooks and score files, with its state, its
-- problems and who undid it.

ALTER TABLE imports
  DROP CONSTRAINT imports_status_check,
  ADD CONSTRAINT imports_status_check
    CHECK (status IN ('uploaded', 'checking', 'checked', 'running', 'done', 'undone', 'failed', 'cancelled')),
  -- Numbers of rows of a workbook by sheet: [{slug, new, changed, unchanged, wrong, waiting}].
  ADD COLUMN sheets jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN undone_at timestamptz,
  ADD COLUMN undone_by text;
COMMENT ON COLUMN imports.entity IS 'Slug of the list; `workbook` for its many lists, `scores` for a score file.';

ALTER TABLE import_problems
  -- NULL: a problem of a whole sheet.
  ALTER COLUMN row DROP NOT NULL,
  ADD COLUMN sheet text,
  ADD COLUMN letter text;

INSERT INTO imports (id, entity, account_id, account_name, language, acting, file_id, file_name, format, bytes, status,
    failure, sheets, problems, warnings, heartbeat_at, created_at, finished_at, undone_at, undone_by)
  SELECT id, 'workbook', account_id, account_name, language, acting, file_id, file_name, 'xlsx', bytes, status,
    failure, sheets, problems, warnings, heartbeat_at, created_at, finished_at, undone_at, undone_by
  FROM workbook_imports;
INSERT INTO import_problems (import_id, number, level, sheet, row, letter, header, value, reason_en, reason_id)
  SELECT import_id, number, level, sheet, row, letter, header, value, reason_en, reason_id FROM workbook_problems;
ALTER TABLE workbook_rows
  DROP CONSTRAINT workbook_rows_import_id_fkey,
  ADD CONSTRAINT workbook_rows_import_id_fkey FOREIGN KEY (import_id) REFERENCES imports (id) ON DELETE CASCADE;
DROP TABLE workbook_problems, workbook_imports;

-- Score files are written by the request of a person, so no job works with the rights of `acting`.
INSERT INTO imports (id, entity, account_id, account_name, language, acting, file_id, file_name, format, bytes, status,
    rows_total, rows_wrong, rows_new, rows_changed, rows_unchanged, problems, created_at, finished_at, undone_at, undone_by)
  SELECT s.id, 'scores', s.account_id, s.account_name, coalesce(a.language, 'id'), '{}', s.file_id, s.file_name, s.format,
    s.bytes, s.status, s.rows_total, s.rows_wrong, s.scores_new, s.scores_changed, s.scores_unchanged, s.problems,
    s.created_at, s.written_at, s.undone_at, s.undone_by
  FROM score_imports s LEFT JOIN accounts a ON a.id = s.account_id;
INSERT INTO import_problems (import_id, number, row, letter, header, value, reason_en, reason_id)
  SELECT import_id, number, row, letter, header, value, reason_en, reason_id FROM score_import_problems;
DROP TABLE score_import_problems;
-- The part of an import that only score files have.
ALTER TABLE score_imports
  ALTER COLUMN id DROP DEFAULT,
  ADD CONSTRAINT score_imports_id_fkey FOREIGN KEY (id) REFERENCES imports (id) ON DELETE CASCADE,
  DROP COLUMN account_id,
  DROP COLUMN account_name,
  DROP COLUMN file_id,
  DROP COLUMN file_name,
  DROP COLUMN format,
  DROP COLUMN bytes,
  DROP COLUMN status,
  DROP COLUMN rows_total,
  DROP COLUMN rows_wrong,
  DROP COLUMN scores_new,
  DROP COLUMN scores_changed,
  DROP COLUMN scores_unchanged,
  DROP COLUMN problems,
  DROP COLUMN created_at,
  DROP COLUMN written_at,
  DROP COLUMN undone_at,
  DROP COLUMN undone_by;
