import { sql } from 'kysely'

/** SQL table (account_id, address): e-mail, phone, and applicant phone of every account. */
export const accountAddresses = sql`(SELECT id AS account_id, email_lower AS address FROM accounts
  UNION ALL SELECT id, phone FROM accounts WHERE phone IS NOT NULL
  UNION ALL SELECT account_id, phone FROM applicants WHERE account_id IS NOT NULL AND phone IS NOT NULL)`

/**
 * SQL table of opt-outs in force with account_id: opt-outs of the account's present addresses, and its own choices
 * under earlier addresses.
 */
export const accountOptOuts = sql`(
  SELECT k.account_id, o.id, o.address, o.purpose, o.source, o.created_by
    FROM opt_outs o JOIN ${accountAddresses} k USING (address) WHERE o.lifted_at IS NULL
  UNION ALL SELECT created_by, id, address, purpose, source, created_by
    FROM opt_outs WHERE source = 'preferences' AND created_by IS NOT NULL AND lifted_at IS NULL)`
