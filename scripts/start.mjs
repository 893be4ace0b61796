import { buildWeb, fail, install, needsNode20, node24, run } from './steps.mjs'

/** `npm start`: installs, builds, and runs the server with everything it needs. */
needsNode20()
try {
  await install()
  await buildWeb()
} catch (error) {
  if (error.code === 'ENOSPC') fail('The disk is full. Free some space and start again.')
  throw error
}
// The channel tells the server when this process is gone, so that nothing stays behind.
process.exitCode = await run(node24(), ['--disable-warning=ExperimentalWarning', 'apps/server/src/main.ts'], {
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
})
