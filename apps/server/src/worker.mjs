import { bundleOf } from './bundle.mjs'

const bundle = bundleOf('worker')
const { runWorker } = bundle ? await import(bundle) : await import('./run-worker.ts')
await runWorker(process.env)
