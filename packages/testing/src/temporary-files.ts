import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { newRunFolder } from './run-folder.ts'

/** Bytes that the clusters and files of two workers may need at once. */
const neededBytes = 3e9

const prefix = 'pmb-tmp-'

/**
 * Global setup of every project: keeps the tests' temporary files in memory if there is room, because syncing a new
 * PostgreSQL cluster to disk takes ten times as long.
 */
export default function setup() {
  // Another project of this run was first.
  if (path.basename(os.tmpdir()).startsWith(prefix)) return undefined
  const folder = newRunFolder(prefix, neededBytes)
  fs.chmodSync(folder, 0o1777)
  process.env.TMPDIR = folder
  return () => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
