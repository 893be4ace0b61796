import os from 'node:os'
import { buildServer, buildWeb, fail, install, needsNode20, node24, nodeOptions, run } from './steps.mjs'

/**
 * Runs a program for an npm script: `node scripts/run.mjs [--built | --building] [<file> [<argument> …]]` installs
 * missing packages and runs the file with the packages' Node. `--built` bundles the server and builds the web app
 * first. `--building` does both while the program starts; the program gets `--web-is-building` and a message when the
 * web app is built.
 */
const flags = ['--built', '--building']
const flag = flags.find((name) => name === process.argv[2])
const [file, ...args] = process.argv.slice(flag ? 3 : 2)
needsNode20()
try {
  await install()
  // A machine with one core or little memory does one thing after the other.
  const canBuildBeside = os.availableParallelism() > 1 && os.freemem() > 2 ** 30
  const buildsBeside = flag === '--building' && canBuildBeside
  if (flag && !buildsBeside) {
    await buildServer()
    await buildWeb()
  }
  if (file) await runProgram(buildsBeside)
} catch (error) {
  if (error.code === 'ENOSPC') fail('The disk is full. Free some space and start again.')
  throw error
}

async function runProgram(buildsBeside) {
  const sayWhenBuilt = async (program) => {
    // The program fills its database meanwhile, which takes longer: it goes first, until it answers or ends.
    const answers = new Promise((resolve) => program.once('message', resolve).once('exit', resolve))
    const sayBuilt = () => program.connected && program.send('web built')
    const beforeFirstPage = () => {
      sayBuilt()
      return answers
    }
    await buildWeb({ priority: os.constants.priority.PRIORITY_BELOW_NORMAL, beforeFirstPage })
    sayBuilt()
    // For the next start: this one has loaded its sources.
    await buildServer()
  }
  process.exitCode = await run(
    node24(),
    [...nodeOptions, file, ...(buildsBeside ? ['--web-is-building'] : []), ...args],
    // The IPC channel closes when this process ends, so that the program ends too.
    { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], ...(buildsBeside && { onStart: sayWhenBuilt }) },
  )
  // A program that could not start does not wait for a build.
  if (buildsBeside) process.exit()
}
