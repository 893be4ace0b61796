import { messagePlaceholders } from '#domain/messaging/placeholders.ts'
import type { Db } from '#server/platform/database/database.ts'

/** Makes the table equal to the placeholders this version declares: adds new ones, deletes removed ones. */
export async function seedMessagePlaceholders(db: Db): Promise<void> {
  const declaredRows = Object.entries(messagePlaceholders).flatMap(([event, names]) =>
    names.map((name) => ({ event, name })),
  )
  const storedRows = await db.selectFrom('messagePlaceholders').selectAll().execute()
  const keyOf = ({ event, name }: { event: string; name: string }) => `${event} ${name}`
  const [declaredKeys, storedKeys] = [new Set(declaredRows.map(keyOf)), new Set(storedRows.map(keyOf))]
  const newRows = declaredRows.filter((row) => !storedKeys.has(keyOf(row)))
  if (newRows.length > 0)
    await db
      .insertInto('messagePlaceholders')
      .values(newRows)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  for (const { event, name } of storedRows.filter((row) => !declaredKeys.has(keyOf(row))))
    await db.deleteFrom('messagePlaceholders').where('event', '=', event).where('name', '=', name).execute()
}
