import fs from 'node:fs'
import path from 'node:path'
import { StartError } from '#server/platform/postgres/start-error.ts'

export type Migration = { name: string; checksum: string }

/**
 * Before the first release, the migrations of the growth were replaced by a baseline that makes the same tables:
 * `replaced` has their checksums by name, and `baseline` is the name of the last file of the baseline.
 */
const { baseline, replaced }: { baseline: string; replaced: Record<string, string> } = JSON.parse(
  fs.readFileSync(path.resolve(import.meta.dirname, '../../../migrations/replaced.json'), 'utf8'),
)

export const replacedMigrations: readonly Migration[] = Object.entries(replaced).map(([name, checksum]) => ({
  name,
  checksum,
}))

const lastReplaced = replacedMigrations.at(-1)!.name

const adviceFor = {
  database: `Update first to the version whose newest migration is ${lastReplaced}, then to this one.`,
  backup: `Restore it with the version whose newest migration is ${lastReplaced}, then update.`,
}

/**
 * The migrations of a database or backup with the baseline in place of those that it replaced; the same array if there
 * are none. Throws StartError if some of the replaced migrations are missing or differ: the tables then differ too.
 */
export function withBaseline(
  migrations: readonly Migration[],
  files: readonly Migration[],
  source: keyof typeof adviceFor,
): readonly Migration[] {
  const checksums = new Map(migrations.map(({ name, checksum }) => [name, checksum]))
  if (!replacedMigrations.some(({ name }) => checksums.has(name))) return migrations
  const wrong = replacedMigrations.find(({ name, checksum }) => checksums.get(name) !== checksum)
  if (wrong)
    throw new StartError(
      checksums.has(wrong.name)
        ? `Migration ${wrong.name} of this ${source} is another one than the one that this program replaces.`
        : `This ${source} is of an older version: it lacks migration ${wrong.name}. ${adviceFor[source]}`,
    )
  return [
    ...files.filter(({ name }) => name <= baseline),
    ...migrations.filter(({ name }) => replaced[name] === undefined),
  ]
}
