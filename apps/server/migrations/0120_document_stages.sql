-- Documents are asked for to register, or to enrol once the place is confirmed.
ALTER TABLE track_files ADD COLUMN stage text NOT NULL DEFAULT 'registration' CHECK (stage IN ('registration', 'enrolment'));
ALTER TABLE documents ADD COLUMN stage text NOT NULL DEFAULT 'registration' CHECK (stage IN ('registration', 'enrolment'));

-- The registration of a slot is confirmed when the documents for enrolment open. What staff asked for since belongs to
-- the enrolment, and no longer to what a decision rests on.
UPDATE documents d SET stage = 'enrolment' FROM registrations r
WHERE r.id = d.registration_id AND d.requested_by IS NOT NULL AND r.status IN ('confirmed', 'enrolled')
  AND EXISTS (SELECT FROM audit_log l WHERE l.subject_type = 'document' AND l.subject_id = d.id::text
    AND l.action = 'document.request' AND l.at >= r.confirmed_at);
