-- A warning stops no row: a number may have lost the zeros before it.
ALTER TABLE import_problems ADD COLUMN level text NOT NULL DEFAULT 'problem' CHECK (level IN ('problem', 'warning'));
ALTER TABLE workbook_problems ADD COLUMN level text NOT NULL DEFAULT 'problem' CHECK (level IN ('problem', 'warning'));
ALTER TABLE imports ADD COLUMN warnings integer NOT NULL DEFAULT 0;
ALTER TABLE workbook_imports ADD COLUMN warnings integer NOT NULL DEFAULT 0;

-- Row of the headings if others stand above it, and rows that the spreadsheet hides.
ALTER TABLE score_imports ADD COLUMN findings jsonb NOT NULL DEFAULT '{"headingsRow":null,"hiddenRows":0,"hiddenFirst":[]}';
ALTER TABLE campaign_sheets ADD COLUMN findings jsonb NOT NULL DEFAULT '{"headingsRow":null,"hiddenRows":0,"hiddenFirst":[]}';

-- Movements that the bank has not booked yet: they are counted and become no lines.
ALTER TABLE statement_imports ADD COLUMN pending integer NOT NULL DEFAULT 0 CHECK (pending >= 0);
ALTER TABLE statement_imports DROP CONSTRAINT statement_imports_format_check;
ALTER TABLE statement_imports ADD CONSTRAINT statement_imports_format_check CHECK (format IN ('csv', 'mt940', 'xlsx'));
