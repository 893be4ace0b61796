import { sql } from 'kysely'
import { touchDays } from '#domain/affiliates/affiliates.ts'
import type { Db } from '#server/platform/database/database.ts'
import { networkOf } from '#server/platform/http/address.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { signatureOf } from '#server/platform/signed-text.ts'

/** Hash for comparing two networks; the address cannot be read from it. */
export const networkHash = (services: Pick<Services, 'config'>, address: string) =>
  Buffer.from(signatureOf(services, 'affiliate-network', networkOf(address)))

const since = (now: Date) => new Date(now.getTime() - touchDays * 86_400_000)

/** The touch that counts for a device: the first or the last of the window, depending on the settings. */
export async function winnerOf(db: Db, device: string, now: Date) {
  const { touchRule } = await getSettings(db)
  const { rows } = await sql<{ id: string; code: string }>`
    SELECT t.id, f.code FROM affiliate_touches t JOIN affiliates f ON f.id = t.affiliate_id AND f.active
    WHERE t.device = ${device} AND t.outcome IS NULL AND t.at > ${since(now)}
    ORDER BY CASE WHEN ${touchRule} = 'first' THEN t.at END, t.at DESC, t.id LIMIT 1`.execute(db)
  return rows[0]
}

type Touch = { code: string; source: 'link' | 'voucher'; device: string }

/** Stores a visit with the code of an affiliate or of one of its vouchers, at most one a day per device. */
export async function recordTouch(services: Services, { code, source, device }: Touch, address: string) {
  const { db, clock } = services
  const now = clock.now()
  const { rows } = await sql<{ id: string; name: string; public: boolean }>`
    SELECT f.id, f.name, f.public FROM affiliates f WHERE f.active AND ${
      source === 'link'
        ? sql`lower(f.code) = lower(${code})`
        : sql`f.id = (SELECT v.affiliate_id FROM vouchers v WHERE lower(v.code) = lower(${code}) AND v.active)`
    }`.execute(db)
  const [affiliate] = rows
  if (affiliate)
    await db
      .insertInto('affiliateTouches')
      .values({
        affiliateId: affiliate.id,
        device,
        source,
        day: now.toISOString().slice(0, 10),
        at: now,
        network: networkHash(services, address),
      })
      .onConflict((same) => same.columns(['device', 'affiliateId', 'day']).doNothing())
      .execute()
  return { name: affiliate?.public ? affiliate.name : null, ref: (await winnerOf(db, device, now))?.code ?? null }
}
