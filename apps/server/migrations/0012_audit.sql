-- The audit log is read newest first, by record, person, kind of action or address, within a period: each index ends
-- with the order of the list, so that a page never costs more than its own rows.
DROP INDEX audit_log_subject;
DROP INDEX audit_log_actor;
DROP INDEX audit_log_action;
DROP INDEX audit_log_at;
CREATE INDEX audit_log_at ON audit_log (at DESC, id DESC);
CREATE INDEX audit_log_subject ON audit_log (subject_type, subject_id, at DESC, id DESC);
CREATE INDEX audit_log_actor ON audit_log (actor_id, at DESC, id DESC);
CREATE INDEX audit_log_action ON audit_log (action, at DESC, id DESC);
CREATE INDEX audit_log_ip ON audit_log (ip, at DESC, id DESC);
