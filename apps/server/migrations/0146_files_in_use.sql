-- Deleting a file looks for its users by these columns; without an index each deletion reads the whole table.
CREATE INDEX applicants_photo_file_id ON applicants (photo_file_id) WHERE photo_file_id IS NOT NULL;
CREATE INDEX payments_proof_file_id ON payments (proof_file_id) WHERE proof_file_id IS NOT NULL;
