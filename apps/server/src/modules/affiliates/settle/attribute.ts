import { sql } from 'kysely'
import type { Tx } from '#server/platform/database/database.ts'

export type Referral = { affiliateId: string; kind: string }

/**
 * The affiliate of a registration, locked for its commission: that of its voucher, else that of the code its account
 * was opened with. Decided at the first step that can earn, and final.
 */
export async function lockReferral(tx: Tx, registrationId: string, now: Date): Promise<Referral | undefined> {
  await sql`
    INSERT INTO referrals (registration_id, affiliate_id, source, decided_at)
    SELECT r.id, found.affiliate_id, found.source, ${now} FROM registrations r
    CROSS JOIN LATERAL (
      (SELECT v.affiliate_id, 'voucher' AS source, 1 AS rank, u.taken_at
      FROM discount_uses u JOIN vouchers v ON v.id = u.voucher_id
      WHERE u.registration_id = r.id AND u.released_at IS NULL AND v.affiliate_id IS NOT NULL)
      UNION ALL
      SELECT f.id, 'code', 2, NULL FROM affiliates f WHERE lower(f.code) = lower(r.referral_code) AND f.active
      ORDER BY rank, taken_at DESC LIMIT 1) found
    WHERE r.id = ${registrationId} AND EXISTS (SELECT FROM registration_steps s
      WHERE s.registration_id = r.id AND s.step = 'submitted' AND s.undone_at IS NULL)
    ON CONFLICT DO NOTHING`.execute(tx)
  const { rows } = await sql<Referral>`
    SELECT n.affiliate_id, f.kind FROM referrals n JOIN affiliates f ON f.id = n.affiliate_id
    WHERE n.registration_id = ${registrationId} FOR UPDATE OF n`.execute(tx)
  return rows[0]
}
