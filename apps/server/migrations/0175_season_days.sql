-- The history of every season, day by day: how many registrations reached or left a stage, and what was booked on bills.
-- A row says what took effect on `day`; a step taken back later has a row of its own with a minus. `step_day` is the day of
-- the step, so that a minus finds its period. Summed up to a day, the rows say how a season stood at the end of that day.
CREATE TABLE season_days (
  day date PRIMARY KEY,
  -- First moment after the day, in the time zone of the university when it was kept.
  ends_at timestamptz NOT NULL,
  -- The newest step of a registration that the rows know of.
  last_step bigint NOT NULL,
  kept_at timestamptz NOT NULL CHECK (kept_at >= ends_at)
);

CREATE TABLE season_daily (
  -- The day under which the row was written; later than `day` where a step or its programme became known later.
  kept_on date NOT NULL REFERENCES season_days (day),
  day date NOT NULL CHECK (day <= kept_on),
  step_day date NOT NULL CHECK (step_day <= day),
  academic_year varchar(9) NOT NULL,
  wave_id uuid NOT NULL REFERENCES waves (id),
  -- Days from `day` to the close of the wave as it stood when the row was written; negative after it.
  days_to_close integer NOT NULL,
  programme_id uuid REFERENCES study_programmes (id),
  track_id uuid NOT NULL REFERENCES tracks (id),
  class_programme_id uuid NOT NULL REFERENCES class_programmes (id),
  -- Province of the applicant's school.
  province_id uuid REFERENCES provinces (id),
  stage text NOT NULL CHECK (stage IN ('started', 'submitted', 'paid', 'verified', 'tested', 'accepted', 'not_accepted',
    'confirmed', 'enrolled', 'withdrawn', 'cancelled', 'expired', 'received')),
  count integer NOT NULL,
  rupiah bigint NOT NULL,
  CHECK (count <> 0 OR rupiah <> 0),
  CHECK (stage = 'received' OR rupiah = 0)
);
CREATE INDEX season_daily_stage ON season_daily (academic_year, stage, day);

-- The same without track, class programme and province: few rows, which dashboards and forecasts add up.
CREATE TABLE season_sums (
  kept_on date NOT NULL REFERENCES season_days (day),
  day date NOT NULL,
  step_day date NOT NULL,
  academic_year varchar(9) NOT NULL,
  wave_id uuid NOT NULL REFERENCES waves (id),
  programme_id uuid REFERENCES study_programmes (id),
  stage text NOT NULL,
  count integer NOT NULL,
  rupiah bigint NOT NULL,
  CHECK (count <> 0 OR rupiah <> 0)
);
CREATE INDEX season_sums_stage ON season_sums (academic_year, stage, day) INCLUDE (step_day, wave_id, programme_id, count);

CREATE TRIGGER season_days_keep BEFORE UPDATE OR DELETE ON season_days FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER season_days_never_emptied BEFORE TRUNCATE ON season_days EXECUTE FUNCTION refuse_change();
CREATE TRIGGER season_daily_keep BEFORE UPDATE OR DELETE ON season_daily FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER season_daily_never_emptied BEFORE TRUNCATE ON season_daily EXECUTE FUNCTION refuse_change();
CREATE TRIGGER season_sums_keep BEFORE UPDATE OR DELETE ON season_sums FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER season_sums_never_emptied BEFORE TRUNCATE ON season_sums EXECUTE FUNCTION refuse_change();

-- What happened since the last kept day is read from the steps themselves.
CREATE INDEX registration_steps_at ON registration_steps (at);
