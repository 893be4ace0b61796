-- False: to be paid in full with the first instalment, also when the bill is made anew.
ALTER TABLE bill_lines ADD COLUMN installments_allowed boolean NOT NULL DEFAULT true;
