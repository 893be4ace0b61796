import { once } from 'node:events'
import module from 'node:module'
import path from 'node:path'
import { bundleOf } from './bundle.mjs'

// JavaScript, because Node loads 10 MB to strip types, which a bundle no longer has.

/** `scripts/run.mjs --building` says when the web app is built, which takes as long as filling a new database. */
const webBuilt = process.argv.includes('--web-is-building') ? once(process, 'message') : undefined

// Keeps compiled code in the data folder, so later starts neither strip types nor compile. Static imports are compiled
// before any line runs, so everything else is imported after this setting.
module.enableCompileCache(path.resolve(process.env.PMB_DATA_DIR ?? '.data', 'compile-cache'))
const bundle = bundleOf('server')
const { runServer } = bundle ? await import(bundle) : await import('./server.ts')
await runServer(process.env, { webBuilt })
// For `scripts/run.mjs --building`, which waits with the rest of its work.
if (process.connected) process.send('answers')
