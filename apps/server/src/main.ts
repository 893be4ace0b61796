import { once } from 'node:events'
import { keepCompiledCode } from './platform/compile-cache.ts'

/** `scripts/run.mjs --building` says when the web app is built, which takes as long as filling a new database. */
const webBuilt = process.argv.includes('--web-is-building') ? once(process, 'message') : undefined

// Static imports are compiled before any line runs, so everything else is imported after this setting.
keepCompiledCode(process.env.PMB_DATA_DIR ?? '.data')
const { runServer } = await import('./server.ts')
await runServer(process.env, { webBuilt })
