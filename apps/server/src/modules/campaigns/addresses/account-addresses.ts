import { sql } from 'kysely'

/** A table of every address of every account, as account_id and address: its own, and the phone it gave as an applicant. */
export const accountAddresses = sql`(SELECT id AS account_id, email_lower AS address FROM accounts
  UNION ALL SELECT id, phone FROM accounts WHERE phone IS NOT NULL
  UNION ALL SELECT account_id, phone FROM applicants WHERE account_id IS NOT NULL AND phone IS NOT NULL)`

/**
 * A table of the opt-outs that stand for every account, with account_id: those of its addresses, and what it chose itself
 * under an address that it had before.
 */
export const accountOptOuts = sql`(
  SELECT k.account_id, o.id, o.address, o.purpose, o.source, o.created_by
    FROM opt_outs o JOIN ${accountAddresses} k USING (address) WHERE o.lifted_at IS NULL
  UNION ALL SELECT created_by, id, address, purpose, source, created_by
    FROM opt_outs WHERE source = 'preferences' AND created_by IS NOT NULL AND lifted_at IS NULL)`
