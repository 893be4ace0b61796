import { sql } from 'kysely'

/** SQL table (account_id, address): e-mail and phone of the accounts, and the phone of their applicant profiles. */
export const accountAddresses = sql`(SELECT id AS account_id, email_lower AS address FROM accounts
  UNION ALL SELECT id, phone FROM accounts WHERE phone IS NOT NULL
  UNION ALL SELECT account_id, phone FROM applicants WHERE account_id IS NOT NULL AND phone IS NOT NULL)`

/**
 * SQL table of each account's opt-outs in force. Rows may repeat. An opt-out made in the account settings stays with
 * the account after a change of address.
 */
export const accountOptOuts = sql`(
  SELECT k.account_id, o.id, o.address, o.purpose, o.source, o.created_by
    FROM opt_outs o JOIN ${accountAddresses} k USING (address) WHERE o.lifted_at IS NULL
  UNION ALL SELECT created_by, id, address, purpose, source, created_by
    FROM opt_outs WHERE source = 'preferences' AND created_by IS NOT NULL AND lifted_at IS NULL)`
