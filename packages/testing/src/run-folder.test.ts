import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { newRunFolder } from './run-folder.ts'

const prefix = `pmb-folders-${process.pid}-`
const moreThanAnyMemory = Number.POSITIVE_INFINITY
const all = () => fs.readdirSync(os.tmpdir()).filter((name) => name.startsWith(prefix))
afterEach(() => {
  for (const name of all()) fs.rmSync(path.join(os.tmpdir(), name), { recursive: true })
})

const folderOf = (pid: number) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), prefix))
  fs.writeFileSync(path.join(folder, 'owner.pid'), String(pid))
  return path.basename(folder)
}

test('the folder of a run that ended without removing it is deleted; those of running ones stay', () => {
  const ended = folderOf(spawnSync(process.execPath, ['--version']).pid)
  const running = folderOf(process.pid)
  const newFolder = path.basename(newRunFolder(prefix, moreThanAnyMemory))
  expect(all().toSorted()).toEqual([running, newFolder].toSorted())
  expect(all()).not.toContain(ended)
})

test.skipIf(process.platform !== 'linux')(
  'the server of such a folder ends, and a process that has its id but another place goes on',
  async () => {
    const startIn = (cwd: string) => spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { cwd })
    const endedPid = spawnSync(process.execPath, ['--version']).pid
    const [ofServer, ofStranger] = [folderOf(endedPid), folderOf(endedPid)].map((name) => path.join(os.tmpdir(), name))
    const server = startIn(ofServer!)
    const stranger = startIn(os.tmpdir())
    try {
      fs.writeFileSync(path.join(ofServer!, 'postmaster.pid'), String(server.pid))
      fs.writeFileSync(path.join(ofStranger!, 'postmaster.pid'), String(stranger.pid))
      const signals = [server, stranger].map(
        (child) => new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal))),
      )
      newRunFolder(prefix, moreThanAnyMemory)
      // SIGQUIT, if sent before, would have ended the process.
      stranger.kill('SIGTERM')
      expect(await Promise.all(signals)).toEqual(['SIGQUIT', 'SIGTERM'])
      expect([ofServer, ofStranger].filter((folder) => fs.existsSync(folder!))).toEqual([])
    } finally {
      for (const child of [server, stranger]) child.kill('SIGKILL')
    }
  },
)
