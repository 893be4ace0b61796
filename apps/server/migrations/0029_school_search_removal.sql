-- The words of a school go with it; a foreign key would besides be checked for every row of an import.
ALTER TABLE school_search DROP CONSTRAINT school_search_school_id_fkey;
CREATE FUNCTION schools_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM school_search WHERE school_id IN (SELECT id FROM removed);
  RETURN NULL;
END $$;
CREATE TRIGGER schools_removed AFTER DELETE ON schools
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION schools_removed();
