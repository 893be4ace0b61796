import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { node24, root } from '../steps.mjs'
import { clusterCopyOf, copyCluster, forgetClusterCopy, isEmbedded, putClusterBack } from './cluster-copy.mjs'
import {
  advice,
  answersAt,
  backupDirOf,
  findService,
  git,
  maintenance,
  maintenanceIn,
  refuseWithoutRoot,
  runQuietly,
  runServerProgram,
} from './commands.mjs'
import { planUpdate } from './describe.mjs'
import { exchange, exchangeBack } from './exchange.mjs'
import { clearState, findState, lockUpdates, saveState, updateDir } from './state.mjs'

const next = path.join(updateDir, 'next')
const old = path.join(updateDir, 'old')
/** Folders outside git that belong to a commit. */
const builtFolders = ['node_modules', 'apps/web/dist', 'apps/server/dist']

const say = (line) => console.log(line)

/**
 * Puts the newer commit, its packages and its build into a separate folder while the product keeps running. Includes
 * the current build's files, so that open tabs still find them.
 */
function prepare({ to, packagesChange }) {
  fs.rmSync(next, { recursive: true, force: true })
  fs.mkdirSync(next, { recursive: true })
  const archive = path.join(updateDir, 'next.tar')
  git('archive', '--format=tar', `--output=${archive}`, to)
  runQuietly('tar', ['-xf', archive, '-C', next], root)
  fs.rmSync(archive)
  const packages = path.join(root, 'node_modules')
  // A copy, which npm then changes, because the running server still reads the current packages.
  if (packagesChange) runQuietly('cp', ['-a', packages, path.join(next, 'node_modules')], root)
  else fs.symlinkSync(packages, path.join(next, 'node_modules'))
  const dist = path.join(root, 'apps/web/dist')
  if (fs.existsSync(dist)) runQuietly('cp', ['-a', dist, path.join(next, 'apps/web/dist')], root)
  runQuietly(node24(), ['scripts/run.mjs', '--built'], next)
}

function checkOut(commit, branch) {
  // A killed git leaves its lock behind; two updates never run at a time.
  fs.rmSync(path.join(root, git('rev-parse', '--git-path', 'index.lock')), { force: true })
  if (branch) git('checkout', '--quiet', '--force', '-B', branch, commit)
  else git('checkout', '--quiet', '--force', '--detach', commit)
}

const inEachFolder = (work) => {
  for (const folder of builtFolders)
    work(path.join(root, folder), path.join(next, folder), path.join(old, folder.replaceAll('/', '-')))
}

function putNewInPlace({ to, branch }) {
  checkOut(to, branch)
  const packages = path.join(next, 'node_modules')
  if (fs.lstatSync(packages, { throwIfNoEntry: false })?.isSymbolicLink()) fs.rmSync(packages)
  inEachFolder(exchange)
}

function putOldInPlace({ from, branch }) {
  checkOut(from, branch)
  inEachFolder(exchangeBack)
}

function backUp(service, state) {
  const stamp = new Date().toISOString().replace(/[:T]/g, '-').slice(0, 19)
  const file = path.join(backupDirOf(service), `pmb-${stamp}.tar.gz`)
  runServerProgram(service, 'backup.ts', [file])
  state.backup = file
}

/** Contradictions that did not exist before the update. */
const newContradictions = (before, after) =>
  Object.entries(after)
    .filter(([check, count]) => count > (before[check] ?? 0))
    .map(([check, count]) => `${check}: ${count}`)

const refuseNew = (before, after) => {
  const found = newContradictions(before, after)
  if (found.length > 0) throw new Error(`The books contradict themselves: ${found.join(', ')}.`)
}

/**
 * Tries the newer version on a copy of the database while the product keeps running, so that a failure here costs
 * nothing.
 */
function rehearse(service, state) {
  refuseNew(state.booksBefore, maintenanceIn(next, service, 'rehearse', state.backup))
}

async function startAndWait(service, state) {
  service.start()
  if (!service.managed) return
  for (const startedMs = Date.now(); Date.now() - startedMs < service.patienceMs; await wait(200)) {
    const { any, ok } = await answersAt(service, '/api/ready')
    if (any && !state.served) {
      state.served = true
      saveState(state)
    }
    if (ok) return
  }
  throw new Error(`The server was not ready within ${service.patienceMs / 1000} seconds.`)
}

/** Steps of an update. A step may run again after a kill. */
const steps = [
  ['prepare', 'Preparing the newer version', (_service, state) => prepare(state)],
  [
    'books',
    'Checking the books',
    (service, state) => {
      state.booksBefore = maintenance(service, 'books')
    },
  ],
  ['early-backup', 'Writing a backup', backUp],
  ['rehearsal', 'Trying it on a copy', (service, state) => state.rehearsal && rehearse(service, state)],
  ['stop', 'Stopping the server', (service) => service.stop()],
  ['backup', 'Keeping the database as it is', keepDatabase],
  ['swap', 'Putting the newer version in place', (_service, state) => putNewInPlace(state)],
  [
    'migrate',
    'Migrating',
    (service, state) => state.migrations.length > 0 && refuseNew(state.booksBefore, maintenance(service, 'migrate')),
  ],
  ['start', 'Starting the server', startAndWait],
]
const stopIndex = steps.findIndex(([name]) => name === 'stop')

/** Restores the database if migrations have run. */
function putDatabaseBack(service, state) {
  if (state.migrations.length === 0 || !state.begun.includes('migrate')) return
  if (isEmbedded(service)) return putClusterBack(service)
  const known = maintenance(service, 'migrations')
  if (state.migrations.some((name) => known.includes(name)))
    runServerProgram(service, 'restore.ts', [state.backup, '--replace', '--untouched'])
}

/** Saves what a rollback needs from the stopped server's database. Without migrations the database stays as it is. */
function keepDatabase(service, state) {
  if (state.migrations.length === 0) return
  if (isEmbedded(service)) copyCluster(service)
  else backUp(service, state)
}

const backSteps = [
  ['back-stop', 'Stopping the server', (service) => service.stop()],
  ['back-swap', 'Putting the older version in place', (_service, state) => putOldInPlace(state)],
  ['back-database', 'Putting the database back', putDatabaseBack],
  ['back-start', 'Starting the server', startAndWait],
]

async function takeSteps(list, service, state) {
  for (const [name, title, work] of list) {
    if (state.done.includes(name)) continue
    state.begun.push(name)
    saveState(state)
    const startedMs = performance.now()
    await work(service, state)
    const seconds = (performance.now() - startedMs) / 1000
    state.seconds[name] = Number(seconds.toFixed(1))
    state.done.push(name)
    saveState(state)
    if (seconds >= 0.05) say(`  ${title.padEnd(36)}${seconds.toFixed(1)} s`)
  }
}

/** Downtime between the server's stop and its answer, as far as this program managed both. */
const secondsAway = ({ stoppedAt }) => (Date.now() - Date.parse(stoppedAt)) / 1000

function record(service, state, ok) {
  const { from, to, migrations, backup, seconds, reason } = state
  const detail = { from, to, migrations, archive: backup, seconds, ...(reason && { problem: reason }) }
  const run = { startedAt: state.startedAt, ok, detail }
  try {
    maintenance(service, 'record', JSON.stringify(run))
  } catch (error) {
    console.error(`The update could not be written into the list of runs: ${error.message}`)
  }
}

function forget(service) {
  clearState()
  if (isEmbedded(service)) forgetClusterCopy(service)
}

async function goBack(service, state, reason) {
  state.reason ??= reason
  saveState(state)
  console.error(`\n${state.reason}\n`)
  if (!state.begun.includes('stop')) {
    forget(service)
    throw advice('Nothing was changed: the product works on as before.')
  }
  // A rollback would lose everything written since the newer version answered.
  if (state.served && state.migrations.length > 0) {
    service.start()
    record(service, state, false)
    // Keeps the database's copy, because nothing else holds what was written until the stop.
    clearState()
    const place = isEmbedded(service) ? clusterCopyOf(service) : state.backup
    throw advice(
      `The newer version has answered readers since, so that the database is not put back by itself. Look at the log (journalctl -u pmb), then decide: docs/operating.md, "When an update is not well". The version before was ${state.from}, its database is kept in ${place}.`,
    )
  }
  state.served = false
  say('Going back to the version before.')
  await takeSteps(backSteps, service, state)
  record(service, state, false)
  const away =
    state.stoppedAt && service.managed ? ` The server was away for ${secondsAway(state).toFixed(0)} seconds.` : ''
  forget(service)
  throw advice(`The version before is in place again; nothing was lost.${away}`)
}

function begin(options, service) {
  const plan = planUpdate(options)
  if (plan.commits === 0) return undefined
  let branch
  try {
    branch = git('symbolic-ref', '--quiet', '--short', 'HEAD')
  } catch {
    // A checkout of a tag has no branch.
  }
  const state = {
    ...plan,
    branch,
    startedAt: new Date().toISOString(),
    rehearsal: !options['no-rehearsal'],
    done: [],
    begun: [],
    seconds: {},
    booksBefore: {},
  }
  if (plan.newSettings.length > 0) say(`New settings, explained in .env.example: ${plan.newSettings.join(', ')}`)
  if (plan.migrations.length > 0) say(`Migrations: ${plan.migrations.join(', ')}`)
  say(`From ${plan.from.slice(0, 10)} to ${plan.to.slice(0, 10)}; ${service.name} stops and starts the product.\n`)
  return state
}

/** Continues an interrupted update. The server may have been started meanwhile, for example by a reboot. */
async function resume(service, state) {
  say(`An update to ${state.to.slice(0, 10)} was interrupted after: ${state.done.at(-1) ?? 'nothing'}.`)
  if (state.done.includes('start') || !(await answersAt(service, '/api/health')).any) return
  const isNewer = state.begun.includes('swap')
  if (isNewer) state.served = true
  state.done = state.done.filter((name) => name !== 'stop' && (isNewer || name !== 'backup'))
}

/** Updates, or continues an interrupted update. */
export async function runUpdate(options) {
  lockUpdates()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => say('The update comes to its end first; it goes back by itself if something is wrong.'))
  // A lost terminal must not end the update between stop and start.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  const service = { ...findService(options), patienceMs: 1_000 * Number(options.patience ?? 30) }
  refuseWithoutRoot(service)
  const unfinished = findState()
  if (unfinished) await resume(service, unfinished)
  const state = unfinished ?? begin(options, service)
  if (!state) return say('There is nothing newer.')
  if (!service.managed && (await answersAt(service, '/api/health')).any)
    throw advice(
      'The product is running, and no service was found that could stop it. Stop it first, or give --stop and --start.',
    )
  if (state.reason) return goBack(service, state, state.reason)
  try {
    await takeSteps(steps.slice(0, stopIndex), service, state)
    state.stoppedAt ??= new Date().toISOString()
    await takeSteps(steps.slice(stopIndex), service, state)
  } catch (error) {
    return goBack(service, state, error.message)
  }
  record(service, state, true)
  const away = service.managed
    ? ` The server was away for ${secondsAway(state).toFixed(0)} seconds.`
    : ' Start it: npm start.'
  say(`\nThe product is at ${state.to.slice(0, 10)}.${away}`)
  forget(service)
}
