import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { countOf } from './faults/fault.ts'
import { faults } from './faults/list.ts'

const root = path.resolve(import.meta.dirname, '..')
const read = (file: string) => fs.readFileSync(path.join(root, file), 'utf8')

test('each fault has a unique name', () => {
  expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length)
  expect(faults.length).toBeGreaterThanOrEqual(24)
})

test.each(faults)('$name: its place is still there, once', ({ file, find, replace }) => {
  expect(countOf(read(file), find)).toBe(1)
  expect(replace).not.toBe(find)
})

test.each(faults)('$name: the files of its tests exist', ({ foundBy }) => {
  expect(foundBy.length).toBeGreaterThan(0)
  const files = foundBy.flatMap((finder) => ('file' in finder ? [finder.file] : []))
  expect(files.filter((file) => !fs.existsSync(path.join(root, file)))).toEqual([])
})
