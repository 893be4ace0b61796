import fs from 'node:fs'
import path from 'node:path'
import { advice, backupDirOf, findService, git } from './commands.mjs'
import { findState } from './state.mjs'

const migrationsOf = (commit) =>
  new Map(
    git('ls-tree', commit, 'apps/server/migrations/')
      .split('\n')
      .filter((line) => line.endsWith('.sql'))
      .map((line) => /^\S+ \S+ (\S+)\t(.+)$/.exec(line))
      .map(([, hash, file]) => [path.basename(file), hash]),
  )

const replacedFile = 'apps/server/migrations/replaced.json'

/** Names of the migrations that the baseline of a commit replaced; a start takes a database with all of them over. */
const replacedBy = (commit) =>
  git('ls-tree', commit, replacedFile) ? Object.keys(JSON.parse(git('show', `${commit}:${replacedFile}`)).replaced) : []

/** Throws if the database of `from` could not be migrated by `target`. */
function refuseRewritten(before, after, target) {
  const replaced = replacedBy(target)
  const isReplaced = replaced.some((name) => before.has(name))
  const missing = isReplaced && replaced.find((name) => !before.has(name))
  if (missing)
    throw advice(
      `${target.slice(0, 10)} needs a database with migration ${missing}. Update first with --to ${lastCommitWith(replaced.at(-1), target)}.`,
    )
  const rewritten = [...before]
    .filter(([name, hash]) => after.get(name) !== hash && !replaced.includes(name))
    .map(([name]) => name)
  if (rewritten.length > 0)
    throw advice(`Migrations were changed or removed, which the database would refuse: ${rewritten.join(', ')}.`)
}

const lastCommitWith = (migration, target) =>
  git('log', '-1', '--format=%p', '--diff-filter=D', target, '--', `apps/server/migrations/${migration}`).split(' ')[0]

function settingsOf(commit) {
  const text = git('show', `${commit}:.env.example`)
  return new Set([...text.matchAll(/^([A-Z0-9_]+)=/gm)].map(([, name]) => name))
}

const lockOf = (commit) => git('rev-parse', `${commit}:package-lock.json`)
const missingFrom = (names, others) => [...names].filter((name) => !others.has(name))

/** Fetches, and compares this checkout's commit with the update's target. */
export function planUpdate({ to }) {
  const changed = git('status', '--porcelain', '--untracked-files=no')
  if (changed)
    throw advice(`Files of this checkout were changed. Commit them elsewhere or undo them (git restore .):\n${changed}`)
  if (git('remote')) git('fetch', '--quiet', '--tags')
  const from = git('rev-parse', 'HEAD')
  const target = targetCommit(to)
  const base = git('merge-base', from, target)
  if (base === target && target !== from) throw advice(`${target.slice(0, 10)} is older than this checkout.`)
  if (base !== from)
    throw advice(`This checkout has commits that ${target.slice(0, 10)} lacks. An update would take them away.`)
  const before = migrationsOf(from)
  const after = migrationsOf(target)
  refuseRewritten(before, after, target)
  const settings = { before: settingsOf(from), after: settingsOf(target) }
  return {
    from,
    to: target,
    commits: Number(git('rev-list', '--count', `${from}..${target}`)),
    migrations: missingFrom(after.keys(), before),
    newSettings: missingFrom(settings.after, settings.before),
    removedSettings: missingFrom(settings.before, settings.after),
    packagesChange: lockOf(from) !== lockOf(target),
  }
}

function targetCommit(to) {
  try {
    if (!to) return git('rev-parse', '--verify', '@{upstream}^{commit}')
  } catch {
    throw advice('This checkout follows no branch: name the commit, branch or tag with --to.')
  }
  // A branch means the one just fetched.
  for (const name of [`refs/tags/${to}`, `refs/remotes/origin/${to}`, to])
    try {
      return git('rev-parse', '--verify', '--quiet', `${name}^{commit}`)
    } catch {}
  throw advice(`There is no commit, branch or tag ${to}.`)
}

/**
 * Estimated downtime in seconds: stop, trial and start, plus a backup at about 15 MB a second if migrations are
 * pending.
 */
function estimatedSeconds({ migrations }, folder) {
  const sizes = fs.existsSync(folder)
    ? fs
        .readdirSync(folder)
        .filter((name) => name.endsWith('.tar.gz'))
        .map((name) => fs.statSync(path.join(folder, name)))
        .sort((a, b) => b.mtimeMs - a.mtimeMs)
    : []
  const megabytes = (sizes[0]?.size ?? 0) / 1e6
  return Math.round(10 + (migrations.length > 0 ? 5 + megabytes / 15 : 0))
}

const list = (names) => (names.length > 0 ? names.join(', ') : 'none')

/** `npm run update -- --check`: prints what an update would do; changes nothing except what git fetches. */
export async function describeUpdate(options) {
  const unfinished = findState()
  if (unfinished) throw advice('An update was interrupted. Run npm run update: it goes on, or goes back.')
  const service = findService(options)
  const plan = planUpdate(options)
  const title = (commit) => git('log', '-1', '--format=%h of %cs: %s', commit)
  console.log(`This checkout  ${title(plan.from)}`)
  if (plan.commits === 0) return console.log('There is nothing newer.')
  console.log(`Newer          ${title(plan.to)} (${plan.commits} commits)`)
  console.log(`Migrations     ${list(plan.migrations)}`)
  console.log(
    `New settings   ${list(plan.newSettings)}${plan.newSettings.length > 0 ? ' (explained in .env.example)' : ''}`,
  )
  console.log(`Gone settings  ${list(plan.removedSettings)}`)
  console.log(`Packages       ${plan.packagesChange ? 'some change' : 'the same'}`)
  const minutes = plan.packagesChange ? '3 to 6 minutes' : '1 to 3 minutes'
  console.log(`Time           ${minutes} of preparation and rehearsal while the product works on,`)
  console.log(
    `               then about ${estimatedSeconds(plan, backupDirOf(service))} seconds away${plan.migrations.length > 0 ? ' and the time of the migrations' : ''}`,
  )
  if (!service.managed)
    console.log(
      'Service        none found: stop the product before the update and start it afterwards, or give --stop and --start',
    )
}
