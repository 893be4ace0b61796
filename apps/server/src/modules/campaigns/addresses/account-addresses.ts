import { sql } from 'kysely'

/** A table of every address of every account, as account_id and address: its own, and the phone it gave as an applicant. */
export const accountAddresses = sql`(SELECT id AS account_id, email_lower AS address FROM accounts
  UNION ALL SELECT id, phone FROM accounts WHERE phone IS NOT NULL
  UNION ALL SELECT account_id, phone FROM applicants WHERE account_id IS NOT NULL AND phone IS NOT NULL)`
