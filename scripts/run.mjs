import { buildWeb, fail, install, needsNode20, node24, nodeOptions, run } from './steps.mjs'

/**
 * Runs a program for an npm script: `node scripts/run.mjs [--built] [<file> [<argument> …]]` installs missing packages,
 * builds the web app if `--built` is given, and runs the file with the packages' Node.
 */
const allArgs = process.argv.slice(2)
const built = allArgs[0] === '--built'
const [file, ...args] = built ? allArgs.slice(1) : allArgs
needsNode20()
try {
  await install()
  if (built) await buildWeb()
} catch (error) {
  if (error.code === 'ENOSPC') fail('The disk is full. Free some space and start again.')
  throw error
}
if (file)
  process.exitCode = await run(node24(), [...nodeOptions, file, ...args], {
    // The IPC channel closes when this process ends, so that the program ends too.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
