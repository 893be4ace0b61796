-- Kinds of letters that applicants take themselves, without the office.
ALTER TABLE letter_kinds ADD COLUMN self_service boolean NOT NULL DEFAULT false;
