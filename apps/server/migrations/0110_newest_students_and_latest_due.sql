-- Those who confirmed, newest first: at the height of admission they lie behind every newer registration.
CREATE INDEX registrations_confirmed ON registrations (created_at DESC, id DESC) WHERE status IN ('confirmed', 'enrolled');
-- Bills without a date stand last in either order.
CREATE INDEX bills_due_latest ON bills (due_at DESC NULLS LAST, id DESC);
