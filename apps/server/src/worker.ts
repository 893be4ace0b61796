import { bundleOf } from './bundle.mjs'

const bundle = bundleOf('worker')
const { runWorker } = bundle
  ? ((await import(bundle)) as typeof import('./run-worker.ts'))
  : await import('./run-worker.ts')
await runWorker()
