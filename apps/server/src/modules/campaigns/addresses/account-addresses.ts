import { sql } from 'kysely'

/** SQL table (account_id, address): e-mail and phone of every account, and the phone of its applicant profile. */
export const accountAddresses = sql`(SELECT id AS account_id, email_lower AS address FROM accounts
  UNION ALL SELECT id, phone FROM accounts WHERE phone IS NOT NULL
  UNION ALL SELECT account_id, phone FROM applicants WHERE account_id IS NOT NULL AND phone IS NOT NULL)`

/**
 * SQL table of opt-outs in force, with account_id: every opt-out of the account's present addresses, and every opt-out
 * the account made in its settings, even for an address it no longer has. An opt-out can appear twice.
 */
export const accountOptOuts = sql`(
  SELECT k.account_id, o.id, o.address, o.purpose, o.source, o.created_by
    FROM opt_outs o JOIN ${accountAddresses} k USING (address) WHERE o.lifted_at IS NULL
  UNION ALL SELECT created_by, id, address, purpose, source, created_by
    FROM opt_outs WHERE source = 'preferences' AND created_by IS NOT NULL AND lifted_at IS NULL)`
