-- What a person needs at a test; shown to those who arrange tests and in the person's own data, nowhere else.
ALTER TABLE applicants ADD COLUMN special_needs varchar(500);

-- A reminder that was sent; a moved session reminds anew.
CREATE TABLE test_seat_reminders (
  test_seat_id uuid NOT NULL REFERENCES test_seats (id) ON DELETE CASCADE,
  hours_before integer NOT NULL CHECK (hours_before > 0),
  sent_at timestamptz NOT NULL,
  PRIMARY KEY (test_seat_id, hours_before)
);
