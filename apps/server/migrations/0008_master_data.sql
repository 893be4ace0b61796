-- Lists of master data with many rows: a page in the order of the list, however deep, without reading the whole table.
CREATE INDEX cities_by_code ON cities (code, id);
CREATE INDEX cities_by_name ON cities (name, id);
CREATE INDEX districts_by_code ON districts (code, id);
CREATE INDEX districts_by_name ON districts (name, id);
CREATE INDEX villages_by_code ON villages (code, id);
CREATE INDEX villages_by_name ON villages (name, id);
CREATE INDEX schools_by_npsn ON schools (npsn, id);

-- Schools below a filter, in the order of the list; the first columns serve the foreign keys as well.
CREATE INDEX schools_by_type ON schools (school_type_id, name, id);
CREATE INDEX schools_by_city ON schools (city_id, name, id);
CREATE INDEX schools_by_status ON schools (status, name, id);
DROP INDEX schools_school_type_id;
DROP INDEX schools_city_id;

-- What is rare and asked for: rows put aside, schools that wait for a check.
CREATE INDEX districts_inactive ON districts (code, id) WHERE NOT active;
CREATE INDEX villages_inactive ON villages (code, id) WHERE NOT active;
CREATE INDEX schools_inactive ON schools (name, id) WHERE NOT active;
CREATE INDEX schools_unverified ON schools (name, id) WHERE NOT verified;

-- Where rows are looked for that keep master data from being deleted, hundreds at a time.
CREATE INDEX applicants_city_id ON applicants (city_id);
CREATE INDEX applicants_district_id ON applicants (district_id);
CREATE INDEX applicants_village_id ON applicants (village_id);
CREATE INDEX bill_lines_fee_component_id ON bill_lines (fee_component_id);
CREATE INDEX documents_track_file_id ON documents (track_file_id);
CREATE INDEX registrations_accepted_programme_id ON registrations (accepted_programme_id);

-- Servers remember which study programmes a role limited to faculties may see; a new or moved one makes them forget.
CREATE TRIGGER study_programmes_scope_changed AFTER INSERT OR DELETE OR UPDATE OF faculty_id ON study_programmes
  FOR EACH STATEMENT EXECUTE FUNCTION notify_roles_changed();
