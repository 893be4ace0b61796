import type { Config } from '#server/config.ts'
import { StartError } from '#server/platform/postgres/start-error.ts'
import type { Db } from './database.ts'

export const findInstallation = (db: Db) => db.selectFrom('installation').select('demo').executeTakeFirst()

/**
 * Marks a new database as a demo or a real installation. Throws StartError if it is already the other kind: demo
 * accounts must never work on real data, and demo data must never mix with real people.
 */
export async function claimDatabase(owner: Db, { demo, dataDir, databaseUrl }: Config): Promise<void> {
  await owner
    .insertInto('installation')
    .values({ demo })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const marked = await findInstallation(owner)
  if (marked?.demo === demo) return
  const place = databaseUrl ? 'The database of DATABASE_URL' : `The data folder ${dataDir}`
  throw new StartError(
    demo
      ? `${place} belongs to a real installation: start with DEMO=false, or set PMB_DATA_DIR to another folder for a demo.`
      : databaseUrl
        ? `${place} holds the demo university, whose accounts have a known password. Use an empty database.`
        : `${place} holds the demo university, whose accounts have a known password. Start with DEMO=true, remove the demo with npm run demo -- --clear, or set PMB_DATA_DIR to an empty folder.`,
  )
}
