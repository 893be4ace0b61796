-- What the search over everything reads: beginnings of names, codes and numbers in the order of an index, so that the
-- first five are read and no more; and ends of numbers, which is what people remember of them.
CREATE INDEX registrations_search_start ON registrations (search_text text_pattern_ops);
CREATE INDEX registrations_code_start ON registrations (lower(code) text_pattern_ops);
CREATE INDEX applicants_nik_end ON applicants (reverse(nik) text_pattern_ops);
CREATE INDEX students_npm_start ON students (lower(npm) text_pattern_ops);
CREATE INDEX bills_number_start ON bills (lower(number) text_pattern_ops);
CREATE INDEX bills_number_end ON bills (reverse(number) text_pattern_ops);
CREATE INDEX virtual_accounts_number_start ON virtual_accounts (number text_pattern_ops);
CREATE INDEX virtual_accounts_number_end ON virtual_accounts (reverse(number) text_pattern_ops);
CREATE INDEX accounts_name_start ON accounts (lower(name) text_pattern_ops);
CREATE INDEX accounts_email_start ON accounts (email_lower text_pattern_ops);
CREATE INDEX school_search_start ON school_search (words text_pattern_ops);
CREATE INDEX affiliates_name_start ON affiliates (lower(name) text_pattern_ops);
CREATE INDEX affiliates_name_search ON affiliates USING gin (name gin_trgm_ops);
CREATE INDEX virtual_accounts_bill ON virtual_accounts (bill_id);
CREATE INDEX bills_registration ON bills (registration_id);
