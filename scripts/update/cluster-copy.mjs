import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { dataDirOf, maintenance } from './commands.mjs'
import { exchangeBack } from './exchange.mjs'

const placesOf = (service) => {
  const cluster = path.join(dataDirOf(service), 'postgres/cluster')
  return { cluster, copying: `${cluster}.copying`, copy: `${cluster}.before-update`, failed: `${cluster}.failed` }
}

/** Where the database's state before the update is kept. */
export const clusterCopyOf = (service) => placesOf(service).copy

/** Only the embedded database has its own files. */
export const isEmbedded = ({ environment }) => !environment.DATABASE_URL

/** Copies the stopped embedded database's files; restoring them takes no longer than renaming a folder. */
export function copyCluster(service) {
  const { cluster, copying, copy } = placesOf(service)
  // A killed server leaves its database running; this command stops it cleanly.
  if (fs.existsSync(path.join(cluster, 'postmaster.pid'))) maintenance(service, 'migrations')
  for (const folder of [copying, copy]) fs.rmSync(folder, { recursive: true, force: true })
  const { status, stderr } = spawnSync('cp', ['-a', '--reflink=auto', cluster, copying], {
    encoding: 'utf8',
    ...service.user,
  })
  if (status !== 0) throw new Error(`The files of the database could not be copied: ${stderr.trim()}`)
  fs.renameSync(copying, copy)
}

export function putClusterBack(service) {
  const { cluster, copy, failed } = placesOf(service)
  exchangeBack(cluster, failed, copy)
}

export function forgetClusterCopy(service) {
  const { copying, copy, failed } = placesOf(service)
  for (const folder of [copying, copy, failed]) fs.rmSync(folder, { recursive: true, force: true })
}
