import type { Db } from '#server/platform/database/database.ts'

/** The university's WhatsApp number; undefined if none is connected. */
export const findOfficePhone = async (db: Db) =>
  (
    await db
      .selectFrom('whatsappConnections')
      .select('phone')
      .where('kind', '=', 'cloud')
      .where('active', '=', true)
      .where('phone', 'is not', null)
      .orderBy('isDefault', 'desc')
      .limit(1)
      .executeTakeFirst()
  )?.phone ?? undefined
