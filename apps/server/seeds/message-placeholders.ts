import { messagePlaceholders } from '#domain/messaging/placeholders.ts'
import type { Db } from '#server/platform/database/database.ts'

/** What may be asked for in message templates, as this program knows it: names come and go with its versions. */
export async function seedMessagePlaceholders(db: Db): Promise<void> {
  const wanted = Object.entries(messagePlaceholders).flatMap(([event, names]) => names.map((name) => ({ event, name })))
  const known = await db.selectFrom('messagePlaceholders').selectAll().execute()
  const keyOf = ({ event, name }: { event: string; name: string }) => `${event} ${name}`
  const [wantedKeys, knownKeys] = [new Set(wanted.map(keyOf)), new Set(known.map(keyOf))]
  const fresh = wanted.filter((row) => !knownKeys.has(keyOf(row)))
  if (fresh.length > 0)
    await db
      .insertInto('messagePlaceholders')
      .values(fresh)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  for (const { event, name } of known.filter((row) => !wantedKeys.has(keyOf(row))))
    await db.deleteFrom('messagePlaceholders').where('event', '=', event).where('name', '=', name).execute()
}
