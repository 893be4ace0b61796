import fs from 'node:fs'
import path from 'node:path'

/** Days, weeks and months whose newest backup is kept. */
export const keptBackups = { days: 7, weeks: 4, months: 6 }

const namePattern = /^pmb-(\d{4}-\d{2}-\d{2})-\d{2}-\d{2}-\d{2}\.tar\.gz$/

/** Name of a backup started at this time. Names sort by time. */
export const backupName = (now: Date) => `pmb-${now.toISOString().replace(/[:T]/g, '-').slice(0, 19)}.tar.gz`

/** Backup names among these file names, newest first. */
export const backupsAmong = (names: readonly string[]) =>
  names
    .filter((name) => namePattern.test(name))
    .sort()
    .reverse()

/** Path of the newest backup of a folder; undefined if the folder holds none. */
export function findNewestBackup(folder: string): string | undefined {
  const [newest] = backupsAmong(fs.existsSync(folder) ? fs.readdirSync(folder) : [])
  return newest && path.join(folder, newest)
}

const dayOf = (name: string) => namePattern.exec(name)![1]!
/** Whole weeks since a fixed Monday, so that a week at the turn of the year has one number. */
const weekOf = (name: string) => String(Math.floor((Date.parse(dayOf(name)) / 86_400_000 + 3) / 7))
const monthOf = (name: string) => dayOf(name).slice(0, 7)

/** Backups that rotation deletes: all except the newest of each recent day, week and month that has one. */
export function surplusBackups(names: readonly string[], kept = keptBackups): string[] {
  const backups = backupsAmong(names)
  const keep = new Set<string>()
  for (const [periodOf, count] of [
    [dayOf, kept.days],
    [weekOf, kept.weeks],
    [monthOf, kept.months],
  ] as const) {
    const newestOf = new Map<string, string>()
    for (const name of backups) if (!newestOf.has(periodOf(name))) newestOf.set(periodOf(name), name)
    for (const name of [...newestOf.values()].slice(0, count)) keep.add(name)
  }
  return backups.filter((name) => !keep.has(name))
}

/** Deletes surplus backups, and unfinished ones whose run was killed more than a day ago; returns the deleted names. */
export function rotateBackups(folder: string, now: Date): string[] {
  const names = fs.readdirSync(folder)
  const isAbandoned = (name: string) =>
    name.endsWith('.part') &&
    namePattern.test(name.slice(0, -'.part'.length)) &&
    now.getTime() - fs.statSync(path.join(folder, name)).mtimeMs > 86_400_000
  const surplus = [...surplusBackups(names), ...names.filter(isAbandoned)]
  for (const name of surplus) fs.rmSync(path.join(folder, name))
  return surplus
}
