-- The list of bills by kind and status, newest first: a pair without rows, or with few, otherwise walks every bill.
CREATE INDEX bills_kind_status ON bills (kind, status, issued_at DESC, id DESC);
