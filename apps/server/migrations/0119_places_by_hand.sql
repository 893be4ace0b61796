-- Places held by hand are never more than a programme has beside those that earlier acceptances keep.
CREATE OR REPLACE FUNCTION selection_runs_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.status = 'adopted' THEN
    RAISE EXCEPTION 'an adopted selection cannot change' USING ERRCODE = 'check_violation';
  END IF;
  IF TG_OP = 'DELETE' THEN
    RETURN OLD;
  END IF;
  IF NEW.status = 'adopted' AND NEW.verified_hash IS DISTINCT FROM selection_output_hash(NEW.id) THEN
    RAISE EXCEPTION 'the output of the selection is not the one that was verified' USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.status = 'adopted' AND EXISTS (SELECT FROM selection_quotas w
      JOIN selection_quotas q ON q.selection_run_id = w.selection_run_id AND w.number = coalesce(q.parent_number, q.number)
      JOIN selection_entries e ON e.selection_run_id = q.selection_run_id AND e.quota_number = q.number
      WHERE w.selection_run_id = NEW.id AND e.outcome IN ('held', 'kept')
      GROUP BY w.number, w.places HAVING bool_or(e.outcome = 'held') AND count(*) > w.places) THEN
    RAISE EXCEPTION 'the selection holds more places by hand than a programme has' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
