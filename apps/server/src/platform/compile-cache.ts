import module from 'node:module'
import path from 'node:path'

/** Keeps compiled code and type-stripped sources in the data folder, so later starts neither strip nor compile them. */
export const keepCompiledCode = (dataDir: string) => module.enableCompileCache(path.resolve(dataDir, 'compile-cache'))
