import { execFileSync } from 'node:child_process'
import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../../..')
const home = path.join(root, '.data/test-cluster')
/** Sources that determine the template's rows. */
const sources = [
  ...['apps/server/migrations', 'apps/server/seeds', 'apps/server/src', 'packages', 'package-lock.json'],
  ...['apps/server/test/fill-template.ts', 'apps/server/test/test-config.ts'],
]

/** Folder of a stopped cluster whose template was filled from these sources; undefined if there is none yet. */
export function findKeptCluster(): string | undefined {
  const folder = keptFolder()
  return fs.existsSync(folder) ? folder : undefined
}

/** Keeps a copy of a stopped cluster for later runs, replacing those from other sources. */
export function keepCluster(cluster: string): void {
  const folder = keptFolder()
  fs.rmSync(home, { recursive: true, force: true })
  fs.mkdirSync(home, { recursive: true })
  execFileSync('cp', ['-a', cluster, `${folder}.new`])
  fs.renameSync(`${folder}.new`, folder)
}

const keptFolder = () => path.join(home, hashOfSources())

function hashOfSources(): string {
  const hash = crypto.createHash('sha256')
  const add = (file: string) => {
    if (fs.statSync(file).isDirectory()) for (const name of fs.readdirSync(file).sort()) add(path.join(file, name))
    else if (!/\.test\.tsx?$/.test(file)) hash.update(file).update(fs.readFileSync(file))
  }
  for (const source of sources) add(path.join(root, source))
  return hash.digest('hex').slice(0, 16)
}
