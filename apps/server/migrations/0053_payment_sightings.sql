-- Payments whose payer has been shown that they arrived: each is announced once, whatever the device.
CREATE TABLE payment_sightings (
  payment_id uuid PRIMARY KEY REFERENCES payments (id) ON DELETE CASCADE,
  seen_at timestamptz NOT NULL
);
-- Nobody is told anew of what was paid before payments were announced.
INSERT INTO payment_sightings (payment_id, seen_at) SELECT id, received_at FROM payments;
