import { buildWeb, install, needsNode20, node24, run } from './steps.mjs'

/** `npm run look`: pictures of every page in every look, and what is wrong with them. */
needsNode20()
await install()
await buildWeb()
process.exitCode = await run(node24(), [
  '--disable-warning=ExperimentalWarning',
  'e2e/look/run.ts',
  ...process.argv.slice(2),
])
