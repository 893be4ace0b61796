-- Every five minutes the runs are looked for whose job is gone.
CREATE INDEX report_mail_runs_waiting ON report_mail_runs (created_at) WHERE state = 'waiting';
