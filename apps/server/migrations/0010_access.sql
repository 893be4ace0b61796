-- A role limited to a faculty sees the study programmes that join it from then on.
CREATE TRIGGER study_programmes_moved AFTER INSERT OR DELETE OR UPDATE OF faculty_id ON study_programmes
  FOR EACH STATEMENT EXECUTE FUNCTION notify_roles_changed();

-- A role that is limited to what is gone must not become one without limits.
ALTER TABLE role_scopes
  ADD CONSTRAINT role_scopes_faculty_id_fkey FOREIGN KEY (faculty_id) REFERENCES faculties (id) ON DELETE RESTRICT,
  ADD CONSTRAINT role_scopes_programme_id_fkey FOREIGN KEY (programme_id) REFERENCES study_programmes (id) ON DELETE RESTRICT;
CREATE INDEX role_scopes_faculty ON role_scopes (faculty_id);
CREATE INDEX role_scopes_programme ON role_scopes (programme_id);

CREATE UNIQUE INDEX roles_name_lower_key ON roles (lower(name));
