import { buildWeb, fail, install, needsNode20, node24, run } from './steps.mjs'

/**
 * Every npm script that runs one program is `node scripts/run.mjs [--built] [<file> [<argument> …]]`: it installs what
 * is missing, with `--built` builds the web app, and runs the file on the Node that the packages bring.
 */
const given = process.argv.slice(2)
const built = given[0] === '--built'
const [file, ...args] = built ? given.slice(1) : given
needsNode20()
try {
  await install()
  if (built) await buildWeb()
} catch (error) {
  if (error.code === 'ENOSPC') fail('The disk is full. Free some space and start again.')
  throw error
}
if (file)
  process.exitCode = await run(node24(), ['--disable-warning=ExperimentalWarning', file, ...args], {
    // The channel tells the program when this process is gone, so that nothing stays behind.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
