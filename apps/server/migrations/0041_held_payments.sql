-- A payment whose gateway has not cleared it of fraud waits for a person, and what a bank says about a payment that the
-- office took back is noted. The reasons and kinds known so far stay.
DO $$
DECLARE
  known record;
BEGIN
  FOR known IN SELECT conrelid::regclass AS owner, conname, pg_get_constraintdef(oid) AS definition FROM pg_constraint
    WHERE contype = 'c' AND ((conrelid = 'payments'::regclass AND pg_get_constraintdef(oid) LIKE '%''reversed_by_bank''%')
      OR (conrelid = 'payment_alerts'::regclass AND pg_get_constraintdef(oid) LIKE '%''not_reported''%'))
  LOOP
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', known.owner, known.conname);
    EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I %s', known.owner, known.conname,
      replace(known.definition, '''reversed_by_bank''::text', '''reversed_by_bank''::text, ''fraud_review''::text'
        || CASE known.owner WHEN 'payment_alerts'::regclass THEN ', ''reported_after_reversal''::text' ELSE '' END));
  END LOOP;
END $$;
