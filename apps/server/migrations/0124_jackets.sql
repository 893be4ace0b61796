-- Jackets of students. The stock of a size is the sum of its movements, kept under a row lock and never below zero.
CREATE TABLE jacket_stock (
  size text PRIMARY KEY CHECK (size IN ('XS', 'S', 'M', 'L', 'XL', 'XXL', 'XXXL')),
  position integer NOT NULL UNIQUE,
  on_hand integer NOT NULL DEFAULT 0 CONSTRAINT jacket_stock_not_negative CHECK (on_hand >= 0)
);
INSERT INTO jacket_stock (size, position)
  VALUES ('XS', 1), ('S', 2), ('M', 3), ('L', 4), ('XL', 5), ('XXL', 6), ('XXXL', 7);

CREATE TABLE jacket_deliveries (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  supplier varchar(100) NOT NULL,
  -- Number of the supplier's delivery note.
  reference varchar(60) NOT NULL,
  received_on date NOT NULL,
  created_at timestamptz NOT NULL,
  created_by uuid REFERENCES accounts (id)
);
-- A delivery note is entered once.
CREATE UNIQUE INDEX jacket_deliveries_reference ON jacket_deliveries (lower(supplier), lower(reference));
CREATE INDEX jacket_deliveries_created_by ON jacket_deliveries (created_by);

-- A jacket a student holds or held.
CREATE TABLE jacket_hand_outs (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  registration_id uuid NOT NULL REFERENCES registrations (id) ON DELETE RESTRICT,
  size text NOT NULL CHECK (size IN ('XS', 'S', 'M', 'L', 'XL', 'XXL', 'XXXL')) REFERENCES jacket_stock (size),
  handed_at timestamptz NOT NULL,
  handed_by uuid REFERENCES accounts (id),
  -- Path of an SVG of 600 × 200 units that the student drew.
  signature varchar(20000),
  note varchar(300),
  ended_at timestamptz,
  ended_by uuid REFERENCES accounts (id),
  ended_as text CHECK (ended_as IN ('exchanged', 'returned')),
  ended_reason varchar(300),
  -- Whether the jacket went back to the stock.
  usable boolean,
  CHECK (signature IS NOT NULL OR note IS NOT NULL),
  CHECK ((ended_at IS NULL) = (ended_as IS NULL) AND (ended_at IS NULL) = (usable IS NULL)
    AND (ended_at IS NULL) = (ended_reason IS NULL))
);
CREATE UNIQUE INDEX jacket_hand_outs_one ON jacket_hand_outs (registration_id) WHERE ended_at IS NULL;
CREATE INDEX jacket_hand_outs_registration_id ON jacket_hand_outs (registration_id, handed_at DESC);
CREATE INDEX jacket_hand_outs_size ON jacket_hand_outs (size) WHERE ended_at IS NULL;
CREATE INDEX jacket_hand_outs_handed_by ON jacket_hand_outs (handed_by);
CREATE INDEX jacket_hand_outs_ended_by ON jacket_hand_outs (ended_by);

-- Ledger of the stock; a mistake is a further movement.
CREATE TABLE jacket_movements (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('delivery', 'hand_out', 'exchange', 'return', 'correction')),
  size text NOT NULL CHECK (size IN ('XS', 'S', 'M', 'L', 'XL', 'XXL', 'XXXL')) REFERENCES jacket_stock (size),
  quantity integer NOT NULL,
  delivery_id uuid REFERENCES jacket_deliveries (id),
  hand_out_id uuid REFERENCES jacket_hand_outs (id),
  reason varchar(300),
  at timestamptz NOT NULL,
  by_account_id uuid REFERENCES accounts (id),
  CHECK ((kind = 'delivery') = (delivery_id IS NOT NULL)),
  CHECK (kind NOT IN ('hand_out', 'exchange', 'return') OR hand_out_id IS NOT NULL),
  CHECK (kind <> 'correction' OR reason IS NOT NULL),
  CHECK (CASE kind WHEN 'delivery' THEN quantity > 0 WHEN 'hand_out' THEN quantity = -1
    WHEN 'return' THEN quantity = 1 WHEN 'exchange' THEN quantity IN (-1, 1) ELSE quantity <> 0 END)
);
CREATE INDEX jacket_movements_size ON jacket_movements (size);
CREATE INDEX jacket_movements_delivery_id ON jacket_movements (delivery_id);
CREATE INDEX jacket_movements_hand_out_id ON jacket_movements (hand_out_id);
CREATE INDEX jacket_movements_by_account_id ON jacket_movements (by_account_id);

CREATE FUNCTION jacket_movements_move_stock() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE jacket_stock SET on_hand = on_hand + NEW.quantity WHERE size = NEW.size;
  RETURN NULL;
END $$;
CREATE TRIGGER jacket_movements_move_stock AFTER INSERT ON jacket_movements
  FOR EACH ROW EXECUTE FUNCTION jacket_movements_move_stock();
CREATE TRIGGER jacket_movements_append_only BEFORE UPDATE OR DELETE ON jacket_movements
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
