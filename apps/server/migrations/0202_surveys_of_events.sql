-- A link may be for an event; without it the link stays, with its answers.
ALTER TABLE survey_links ADD CONSTRAINT survey_links_event_id_fkey FOREIGN KEY (event_id) REFERENCES events (id) ON DELETE SET NULL;
