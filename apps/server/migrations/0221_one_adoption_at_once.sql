-- One selection of a wave is adopted at a time, and whoever asks for another meanwhile is told by whom.
ALTER TABLE selection_runs
  -- When the input of the run was read.
  ADD COLUMN computed_at timestamptz;

UPDATE selection_runs s SET status = 'computed', failure = 'selection_input_changed' WHERE status = 'adopting'
  AND EXISTS (SELECT FROM selection_runs o WHERE o.wave_id = s.wave_id AND o.status = 'adopting' AND o.id < s.id);
CREATE UNIQUE INDEX selection_runs_one_adopting ON selection_runs (wave_id) WHERE status = 'adopting';
