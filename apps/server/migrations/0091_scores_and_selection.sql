-- A score run makes final scores of raw ones; publishing results pins the run they were decided on.
CREATE TABLE score_runs (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  wave_id uuid NOT NULL REFERENCES waves (id) ON DELETE RESTRICT,
  -- NULL: every track of the wave.
  track_id uuid REFERENCES tracks (id) ON DELETE RESTRICT,
  name varchar(120) NOT NULL,
  -- By test: the method with its numbers.
  methods jsonb NOT NULL,
  input_hash text NOT NULL,
  created_at timestamptz NOT NULL,
  created_by uuid REFERENCES accounts (id),
  pinned_at timestamptz
);
CREATE INDEX score_runs_wave_id ON score_runs (wave_id, created_at DESC);
CREATE INDEX score_runs_track_id ON score_runs (track_id);
CREATE INDEX score_runs_created_by ON score_runs (created_by);

CREATE TABLE final_scores (
  score_run_id uuid NOT NULL REFERENCES score_runs (id) ON DELETE CASCADE,
  registration_id uuid NOT NULL REFERENCES registrations (id) ON DELETE CASCADE,
  test_id uuid NOT NULL REFERENCES tests (id) ON DELETE RESTRICT,
  score numeric(12, 4) NOT NULL,
  PRIMARY KEY (score_run_id, registration_id, test_id)
);
CREATE INDEX final_scores_registration_id ON final_scores (registration_id);
CREATE INDEX final_scores_test_id ON final_scores (test_id);

-- A simulated selection of a wave; adopting one writes its decisions.
CREATE TABLE selection_runs (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  wave_id uuid NOT NULL REFERENCES waves (id) ON DELETE RESTRICT,
  score_run_id uuid REFERENCES score_runs (id) ON DELETE RESTRICT,
  name varchar(120) NOT NULL,
  status text NOT NULL DEFAULT 'computing' CHECK (status IN ('computing', 'computed', 'adopted', 'failed')),
  rules jsonb NOT NULL,
  input_hash text,
  output_hash text,
  -- When the verifier found no fault in the output of this hash.
  verified_at timestamptz,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  created_by uuid REFERENCES accounts (id),
  adopted_at timestamptz,
  adopted_by uuid REFERENCES accounts (id),
  CHECK (status <> 'adopted' OR (adopted_at IS NOT NULL AND verified_at IS NOT NULL))
);
CREATE INDEX selection_runs_wave_id ON selection_runs (wave_id, created_at DESC);
CREATE INDEX selection_runs_score_run_id ON selection_runs (score_run_id);
CREATE INDEX selection_runs_created_by ON selection_runs (created_by);
CREATE INDEX selection_runs_adopted_by ON selection_runs (adopted_by);

-- Candidates of an adopted selection who wait for a place, in the order of `rank`.
CREATE TABLE reserve_places (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  selection_run_id uuid NOT NULL REFERENCES selection_runs (id) ON DELETE RESTRICT,
  registration_id uuid NOT NULL REFERENCES registrations (id) ON DELETE CASCADE,
  programme_id uuid NOT NULL REFERENCES study_programmes (id) ON DELETE RESTRICT,
  class_programme_id uuid NOT NULL REFERENCES class_programmes (id) ON DELETE RESTRICT,
  track_id uuid NOT NULL REFERENCES tracks (id) ON DELETE RESTRICT,
  rank integer NOT NULL CHECK (rank > 0),
  status text NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'offered', 'taken', 'declined', 'expired', 'closed')),
  offered_at timestamptz,
  -- Until when the offered place waits for an answer.
  due_at timestamptz,
  ended_at timestamptz,
  version integer NOT NULL DEFAULT 1,
  CHECK ((status IN ('waiting', 'closed')) OR offered_at IS NOT NULL),
  CHECK (status <> 'offered' OR due_at IS NOT NULL)
);
CREATE UNIQUE INDEX reserve_places_rank ON reserve_places (selection_run_id, programme_id, class_programme_id, track_id, rank);
CREATE UNIQUE INDEX reserve_places_registration ON reserve_places (registration_id, selection_run_id, programme_id, class_programme_id);
CREATE INDEX reserve_places_next ON reserve_places (programme_id, class_programme_id, track_id, rank) WHERE status = 'waiting';
CREATE INDEX reserve_places_due ON reserve_places (due_at) WHERE status = 'offered';
CREATE INDEX reserve_places_class_programme_id ON reserve_places (class_programme_id);
CREATE INDEX reserve_places_track_id ON reserve_places (track_id);
