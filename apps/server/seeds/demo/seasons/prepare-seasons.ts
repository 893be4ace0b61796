import { runScript } from '#seeds/demo/fill/run-script.ts'
import type { Tx } from '#server/platform/database/database.ts'

const script = (name: string) => new URL(name, import.meta.url)

/**
 * Adds waves, prices, test sessions, discounts and agreements of this season and of `years` seasons before it, and
 * chooses the schools for `addSeasons` in the same transaction.
 */
export async function prepareSeasons(tx: Tx, years: number): Promise<void> {
  await runScript(tx, new URL('../fill/helpers.sql', import.meta.url))
  await runScript(tx, script('earlier-waves.sql'), { years })
  await runScript(tx, script('schools.sql'))
  await runScript(tx, script('offers.sql'))
}
