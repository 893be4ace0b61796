-- A delivery is recorded when it has arrived; by the calendar of the university, which is at most a day ahead of UTC.
ALTER TABLE jacket_deliveries ADD CONSTRAINT jacket_deliveries_not_in_future
  CHECK (received_on <= (created_at AT TIME ZONE 'UTC')::date + 1) NOT VALID;
