-- Where information for the school goes; `contact` stays the name of the person.
ALTER TABLE school_agreements ADD COLUMN contact_phone varchar(20), ADD COLUMN contact_email varchar(254);
