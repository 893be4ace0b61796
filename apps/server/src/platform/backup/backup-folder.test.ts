import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { backupName, findNewestBackup, rotateBackups, surplusBackups } from './backup-folder.ts'

const nightsBefore = (now: Date, count: number) =>
  Array.from({ length: count }, (_, nights) => backupName(new Date(now.getTime() - nights * 86_400_000)))

/** Rotates after every night, as the timer does; returns the remaining dates. */
function afterNights(first: string, nights: number) {
  let names: string[] = []
  for (let night = 0; night < nights; night++) {
    names.push(backupName(new Date(Date.parse(`${first}T01:15:00Z`) + night * 86_400_000)))
    const surplus = new Set(surplusBackups(names))
    names = names.filter((name) => !surplus.has(name))
  }
  return names.map((name) => name.slice(4, 14))
}

test('after a year of nights, seven days, four weeks and six months remain', () => {
  expect(afterNights('2026-01-01', 365)).toEqual([
    '2026-07-31',
    '2026-08-31',
    '2026-09-30',
    '2026-10-31',
    '2026-11-30',
    '2026-12-13',
    '2026-12-20',
    ...['2026-12-25', '2026-12-26', '2026-12-27', '2026-12-28', '2026-12-29', '2026-12-30', '2026-12-31'],
  ])
})

test('the first week keeps everything', () => {
  expect(surplusBackups(nightsBefore(new Date('2026-11-21T01:15:00Z'), 7))).toEqual([])
})

test('keeps the last of several backups on a day', () => {
  const names = ['pmb-2026-11-21-01-15-00.tar.gz', 'pmb-2026-11-21-13-00-00.tar.gz']
  expect(surplusBackups(names)).toEqual(['pmb-2026-11-21-01-15-00.tar.gz'])
})

test('a month without backups does not shorten the rotation: it counts backups, not calendar days', () => {
  const names = nightsBefore(new Date('2026-03-01T01:15:00Z'), 3)
  expect(surplusBackups(names)).toEqual([])
})

test('keeps files with other names, and backups being written', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pmb-rotation-'))
  const now = new Date('2026-11-21T02:00:00Z')
  const nights = nightsBefore(now, 40)
  const others = ['pmb-holiday.tar.gz', 'notes.txt', `${backupName(now)}.part`]
  const abandoned = 'pmb-2026-11-01-01-15-00.tar.gz.part'
  for (const name of [...nights, ...others, abandoned]) fs.writeFileSync(path.join(folder, name), '')
  fs.utimesSync(path.join(folder, `${backupName(now)}.part`), now, now)
  const longAgo = new Date('2026-11-01T01:16:00Z')
  fs.utimesSync(path.join(folder, abandoned), longAgo, longAgo)
  const deleted = rotateBackups(folder, now)
  expect(deleted).toContain(abandoned)
  const left = fs.readdirSync(folder)
  expect(left).toEqual(expect.arrayContaining([...others, nights[0]]))
  expect(left).not.toContain(nights[19])
  expect(findNewestBackup(folder)).toBe(path.join(folder, nights[0]!))
  fs.rmSync(folder, { recursive: true })
})
