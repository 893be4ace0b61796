import { sql } from 'kysely'
import { type HoldReason, mostFromOneNetwork } from '#domain/affiliates/affiliates.ts'
import type { Tx } from '#server/platform/database/database.ts'

const digits = (column: string) => sql`right(regexp_replace(${sql.ref(column)}, '\\D', '', 'g'), 9)`

/**
 * Holds the commission of a registration whose applicant resembles the affiliate: same account, phone, bank account,
 * device or network, or one of many accounts opened from one network within an hour. Staff decide; a decided hold is
 * not raised again.
 */
export async function raiseAlarms(
  tx: Tx,
  registrationId: string,
  affiliateId: string,
  now: Date,
): Promise<HoldReason[]> {
  const { rows } = await sql<{ reason: HoldReason }>`
    INSERT INTO commission_holds (affiliate_id, registration_id, reason, created_at)
    SELECT f.id, r.id, alarm.reason, ${now}
    FROM registrations r JOIN affiliates f ON f.id = ${affiliateId}
    JOIN accounts c ON c.id = r.account_id JOIN applicants a ON a.id = r.applicant_id
    CROSS JOIN LATERAL (
      SELECT 'own_account' AS reason WHERE f.account_id = r.account_id OR lower(f.email) = c.email_lower
      UNION ALL SELECT 'same_phone' WHERE length(${digits('f.phone')}) >= 8
        AND ${digits('f.phone')} IN (${digits('c.phone')}, ${digits('a.phone')}, ${digits('a.guardian_phone')})
      UNION ALL SELECT 'same_bank_account' WHERE EXISTS (SELECT FROM refunds x JOIN payments p ON p.id = x.payment_id
        WHERE p.account_id = r.account_id AND length(f.bank_account) >= 5
          AND regexp_replace(x.account_number, '\\D', '', 'g') = regexp_replace(f.bank_account, '\\D', '', 'g'))
      UNION ALL SELECT 'same_device' WHERE EXISTS (SELECT FROM account_devices one
        JOIN account_devices other ON other.device = one.device
        WHERE one.account_id = r.account_id AND other.account_id = f.account_id AND f.account_id <> r.account_id)
      UNION ALL SELECT 'same_address' WHERE EXISTS (SELECT FROM sessions one JOIN sessions other ON other.ip = one.ip
        WHERE one.account_id = r.account_id AND other.account_id = f.account_id AND f.account_id <> r.account_id
          AND one.ip NOT LIKE '127.%' AND one.ip NOT IN ('::1', ''))
      UNION ALL SELECT 'burst' WHERE (SELECT count(DISTINCT near.account_id) FROM account_devices own
        JOIN account_devices near ON near.network = own.network
          AND near.at BETWEEN own.at - interval '1 hour' AND own.at + interval '1 hour'
        JOIN accounts other ON other.id = near.account_id
        WHERE own.account_id = r.account_id AND lower(other.referral_code) = lower(f.code)) > ${mostFromOneNetwork}
    ) alarm
    WHERE r.id = ${registrationId}
    ON CONFLICT DO NOTHING RETURNING reason`.execute(tx)
  return rows.map(({ reason }) => reason)
}
