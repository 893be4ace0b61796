import type { Db } from '#server/platform/database/database.ts'

/** Number to which people write by WhatsApp; undefined if the university has none. */
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
