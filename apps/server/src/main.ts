import { keepCompiledCode } from './platform/compile-cache.ts'

// Static imports are compiled before any line runs, so everything else is imported after this setting.
keepCompiledCode(process.env.PMB_DATA_DIR ?? '.data')
const { runServer } = await import('./server.ts')
await runServer(process.env)
