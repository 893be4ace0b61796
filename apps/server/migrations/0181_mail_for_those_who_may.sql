-- A mail with a report may wait for an hour: its account must still hold this permission when the mail leaves.
ALTER TABLE messages ADD COLUMN needs_permission text;
