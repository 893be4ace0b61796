-- The run whose adoption decided; NULL for a decision of a person.
ALTER TABLE registrations ADD COLUMN selection_run_id uuid REFERENCES selection_runs (id) ON DELETE RESTRICT;
CREATE INDEX registrations_selection_run_id ON registrations (selection_run_id) WHERE selection_run_id IS NOT NULL;
