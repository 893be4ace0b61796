import { spawnSync } from 'node:child_process'
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

test('the folder of a run that has ended without removing it goes, those of others stay', () => {
  const ended = folderOf(spawnSync(process.execPath, ['--version']).pid)
  const running = folderOf(process.pid)
  const newFolder = path.basename(newRunFolder(prefix, moreThanAnyMemory))
  expect(all().toSorted()).toEqual([running, newFolder].toSorted())
  expect(all()).not.toContain(ended)
})
