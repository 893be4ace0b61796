import { parseArgs } from 'node:util'
import { fail, install, needsNode20 } from './steps.mjs'
import { describeUpdate } from './update/describe.mjs'
import { runUpdate } from './update/run.mjs'
import { findState } from './update/state.mjs'

/**
 * `npm run update [-- --check] [--to <ref>] [--stop <command> --start <command>] [--env <file>] [--no-rehearsal]
 * [--patience <seconds>]` updates this checkout, its packages, build and database to a newer commit, and rolls back if
 * the product is not healthy afterwards.
 */
// Everything is imported above, because the files of this checkout change during the update.
const { values } = parseArgs({
  options: {
    check: { type: 'boolean' },
    to: { type: 'string' },
    stop: { type: 'string' },
    start: { type: 'string' },
    env: { type: 'string' },
    'no-rehearsal': { type: 'boolean' },
    patience: { type: 'string' },
  },
})
needsNode20()
process.umask(0o022)
try {
  // An interrupted update may have left either version's packages; resuming it repairs them.
  if (!findState()) await install()
  if (values.check) await describeUpdate(values)
  else await runUpdate(values)
} catch (error) {
  if (error.isAdvice) fail(error.message, error.status ?? 1)
  throw error
}
