import { sql } from 'kysely'

/**
 * Table of all addresses of all accounts (account_id, address): e-mail, phone, and the phone of the applicant profile.
 */
export const accountAddresses = sql`(SELECT id AS account_id, email_lower AS address FROM accounts
  UNION ALL SELECT id, phone FROM accounts WHERE phone IS NOT NULL
  UNION ALL SELECT account_id, phone FROM applicants WHERE account_id IS NOT NULL AND phone IS NOT NULL)`

/**
 * Table of unlifted opt-outs per account, with account_id: those for its present addresses, and those it chose itself
 * under an earlier address.
 */
export const accountOptOuts = sql`(
  SELECT k.account_id, o.id, o.address, o.purpose, o.source, o.created_by
    FROM opt_outs o JOIN ${accountAddresses} k USING (address) WHERE o.lifted_at IS NULL
  UNION ALL SELECT created_by, id, address, purpose, source, created_by
    FROM opt_outs WHERE source = 'preferences' AND created_by IS NOT NULL AND lifted_at IS NULL)`
