-- Words of statement lines are searched anywhere in them.
CREATE INDEX statement_lines_words ON statement_lines USING gin (lower(reference || ' ' || description) gin_trgm_ops);
CREATE INDEX reconciliation_differences_kind ON reconciliation_differences (kind, found_at, id);
