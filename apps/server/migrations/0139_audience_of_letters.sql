UPDATE letter_kinds SET audience = 'accepted' WHERE code = 'acceptance';
ALTER TABLE letter_kinds ADD CONSTRAINT letter_kinds_acceptance CHECK (code <> 'acceptance' OR audience = 'accepted');

-- Letters given out would begin or cease to hold with another audience of their kind.
CREATE FUNCTION refuse_other_audience() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audience of letter kind % is fixed', OLD.code USING ERRCODE = 'check_violation', TABLE = 'letter_kinds';
END $$;
CREATE TRIGGER letter_kinds_audience BEFORE UPDATE OF audience ON letter_kinds
  FOR EACH ROW WHEN (NEW.audience <> OLD.audience) EXECUTE FUNCTION refuse_other_audience();
