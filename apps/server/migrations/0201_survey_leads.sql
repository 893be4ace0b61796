-- A response with a contact belongs to a lead. Deleting the lead erases the contact and the photos of its responses.
ALTER TABLE survey_responses ADD COLUMN lead_id uuid REFERENCES leads (id) ON DELETE SET NULL;
CREATE INDEX survey_responses_lead ON survey_responses (lead_id);
CREATE INDEX survey_responses_leads ON survey_responses (survey_id) WHERE lead_id IS NOT NULL;

CREATE FUNCTION erase_survey_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE files SET deleted_at = now() WHERE deleted_at IS NULL AND id IN (SELECT p.file_id FROM survey_photos p
    JOIN survey_responses r ON r.id = p.response_id WHERE r.lead_id = OLD.id);
  DELETE FROM survey_photos p USING survey_responses r WHERE r.id = p.response_id AND r.lead_id = OLD.id;
  UPDATE survey_responses r SET erased_at = now(), answers = r.answers - ARRAY(
    SELECT question ->> 'key' FROM survey_versions v, jsonb_array_elements(v.definition -> 'questions') question
    WHERE v.survey_id = r.survey_id AND v.number = r.version AND question ->> 'kind' IN ('contact', 'photo'))
  WHERE r.lead_id = OLD.id;
  RETURN OLD;
END $$;
CREATE TRIGGER leads_erase_surveys BEFORE DELETE ON leads FOR EACH ROW EXECUTE FUNCTION erase_survey_contacts();

-- A device may name a school that was merged into another one meanwhile.
CREATE TRIGGER survey_responses_follow_school BEFORE INSERT OR UPDATE OF school_id ON survey_responses
  FOR EACH ROW WHEN (NEW.school_id IS NOT NULL) EXECUTE FUNCTION applicants_follow_school();
CREATE TRIGGER survey_links_follow_school BEFORE INSERT OR UPDATE OF school_id ON survey_links
  FOR EACH ROW WHEN (NEW.school_id IS NOT NULL) EXECUTE FUNCTION applicants_follow_school();
