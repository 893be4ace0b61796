-- A run that published results were decided on never changes.
CREATE FUNCTION keep_pinned_score_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.pinned_at IS NOT NULL THEN
    RAISE EXCEPTION 'a pinned score run cannot change' USING ERRCODE = 'check_violation';
  END IF;
  RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;
CREATE TRIGGER score_runs_keep_pinned BEFORE UPDATE OR DELETE ON score_runs
  FOR EACH ROW EXECUTE FUNCTION keep_pinned_score_run();

-- Waits for a publication that pins the run at the same moment. Scores of a deleted registration go with it.
CREATE FUNCTION keep_pinned_final_scores() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  run record;
BEGIN
  FOR run IN
    SELECT pinned_at FROM score_runs WHERE id IN
      (SELECT c.score_run_id FROM touched_rows c JOIN registrations r ON r.id = c.registration_id)
    ORDER BY id FOR SHARE
  LOOP
    IF run.pinned_at IS NOT NULL THEN
      RAISE EXCEPTION 'the scores of a pinned score run cannot change' USING ERRCODE = 'check_violation';
    END IF;
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER final_scores_keep_inserted AFTER INSERT ON final_scores REFERENCING NEW TABLE AS touched_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_pinned_final_scores();
CREATE TRIGGER final_scores_keep_updated AFTER UPDATE ON final_scores REFERENCING OLD TABLE AS touched_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_pinned_final_scores();
CREATE TRIGGER final_scores_keep_deleted AFTER DELETE ON final_scores REFERENCING OLD TABLE AS touched_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_pinned_final_scores();
