-- An applicant may let a document follow once, by the setting; reminders of it are sent once each.
ALTER TABLE documents
  ADD postponed_at timestamptz,
  ADD reminded_days_before integer,
  -- Of deferrals whose day had passed before deferrals lapsed: the office lets them be.
  ADD never_lapses boolean NOT NULL DEFAULT false;
UPDATE documents SET never_lapses = true WHERE status = 'deferred' AND deferred_until < current_date;

-- For the job that reminds of documents that follow and reopens them after their date.
CREATE INDEX documents_deferred ON documents (deferred_until) WHERE status = 'deferred';
