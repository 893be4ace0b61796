import type { Db } from '#server/platform/database/database.ts'

/** Phone number of an active Cloud API connection, preferably of the default one; undefined if there is none. */
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
