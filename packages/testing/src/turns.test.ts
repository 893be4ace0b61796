import fs from 'node:fs'
import { expect, test } from 'vitest'
import { filesInTurns, restingOn, turnDays } from './turns.ts'

const files = Object.values(filesInTurns).flat()

test('each file in turns exists', () => {
  expect(files.filter((file) => !fs.existsSync(file))).toEqual([])
})

test('each file in turns runs on one of three consecutive days, whatever day is first', () => {
  for (const first of [0, 1, 2, 20_787]) {
    const days = Array.from({ length: turnDays }, (_, later) => restingOn(files, first + later))
    for (const file of files) expect(days.filter((resting) => !resting.includes(file))).toHaveLength(1)
  }
})
