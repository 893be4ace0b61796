import { spawn } from 'node:child_process'
import { install, needsNode20, node24, root, run } from './steps.mjs'

/** `npm run dev`: the server, which restarts on every change, and Vite in front of it at http://localhost:5173/app/. */
needsNode20()
await install()
const server = spawn(node24(), ['--watch-path=apps/server', '--watch-path=packages', 'apps/server/src/main.mjs'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, GUARD_TRANSACTIONS: 'true' },
})
process.exitCode = await run(node24(), ['node_modules/vite/bin/vite.js'])
server.kill('SIGTERM')
