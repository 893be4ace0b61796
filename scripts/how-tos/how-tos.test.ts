import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyCheckout } from '../tests/copy-checkout.ts'
import {
  addedFiles,
  applyHowTo,
  findUnclearPlaces,
  readHowTos,
  runInCopy,
  testArguments,
  touchedFiles,
} from './how-to.ts'

/**
 * The cheap part of `scripts/how-tos.ts`: every diff applies to this checkout, and the new tests pass once all how-tos
 * are applied. The contract of a gateway takes a minute, and runs with the types and checks in `npm run test:all`.
 */
const root = path.resolve(import.meta.dirname, '../..')
const howTos = readHowTos(root)
let copy: string

beforeAll(() => {
  copy = copyCheckout(root)
})
afterAll(() => fs.rmSync(copy, { recursive: true, force: true }))

test('the how-tos for the things that are added most have diffs', () => {
  expect(howTos.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'add-a-bank',
      'add-a-job-or-an-event',
      'add-a-list',
      'add-a-master-entity',
      'add-a-report',
      'add-a-setting',
      'add-a-use-case',
    ]),
  )
})

test.each(howTos)('$name: its diffs apply to the project as it is', (howTo) => {
  expect(findUnclearPlaces(howTo, root)).toEqual([])
  applyHowTo(howTo, copy, ['--check'])
})

test.each(howTos)('$name: a newcomer runs a test of what was added', (howTo) => {
  const added = addedFiles(howTo).filter((file) => file.endsWith('.test.ts'))
  const commands = howTo.commands.join('\n')
  expect(commands).toMatch(/^(npm test --|npx vitest run) /m)
  expect(added.filter((file) => !commands.includes(file))).toEqual([])
})

test.each([
  ['add-a-master-entity', 5],
  ['add-a-report', 5],
])('%s: no more than %i files are written by hand, tests apart', (name, most) => {
  const files = touchedFiles(howTos.find((howTo) => howTo.name === name)!).filter((file) => !file.endsWith('.test.ts'))
  expect(files.length).toBeLessThanOrEqual(most)
})

test('with every how-to applied, the tests that they add pass', { timeout: 600_000 }, () => {
  for (const howTo of howTos) applyHowTo(howTo, copy)
  const files = howTos.flatMap(addedFiles).filter((file) => file.endsWith('.test.ts') && !file.includes('-contract.'))
  expect(files.length).toBeGreaterThan(3)
  const { status, output } = runInCopy(copy, testArguments(files), { isQuiet: true })
  expect(status, output).toBe(0)
})
