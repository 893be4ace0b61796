-- Numbers of a bank, newest first: with the status in between, those of all statuses had to be sorted.
DROP INDEX virtual_accounts_by_bank;
CREATE INDEX virtual_accounts_by_bank ON virtual_accounts (bank, created_at DESC, id DESC);
-- The whole list by either time, with what is filtered by besides: whoever asks for old numbers by the time they end walks
-- far along an index, and must not read every row on the way.
DROP INDEX virtual_accounts_newest;
CREATE INDEX virtual_accounts_newest ON virtual_accounts (created_at DESC, id DESC) INCLUDE (expires_at, status, bank);
DROP INDEX virtual_accounts_by_expiry;
CREATE INDEX virtual_accounts_by_expiry ON virtual_accounts (expires_at DESC, id DESC) INCLUDE (created_at, status, bank);
