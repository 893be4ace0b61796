import { spawn, spawnSync } from 'node:child_process'
import crypto from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleOf, bundleServer } from '../apps/server/src/bundle.mjs'

// Runs on the machine's Node (20 or newer) before packages are installed, so no packages and no TypeScript here.

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const installed = path.join(root, 'node_modules/.installed')
const built = path.join(root, 'apps/web/dist/.built')

/** Path of the Node in the packages; the running Node until they are installed. */
export const node24 = () => {
  const brought = path.join(root, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node')
  return fs.existsSync(brought) ? brought : process.execPath
}

/** Options of Node for every program of the server. */
// Otherwise a busy server grows by some 70 MB just for young objects, and answers no faster for it. A long export would
// accumulate 250 MB of garbage before collecting it; with a limit of 50 percent above the live size it is 60 MB.
export const nodeOptions = [
  '--disable-warning=ExperimentalWarning',
  '--max-semi-space-size=16',
  '--heap-growing-percent=50',
]

export async function step(name, work) {
  const started = performance.now()
  const result = await work()
  console.log(`  ${name.padEnd(24)}${((performance.now() - started) / 1000).toFixed(1)} s`)
  return result
}

/** Prints a sentence without a stack and exits. */
export function fail(sentence, status = 1) {
  console.error(`\n${sentence}`)
  process.exit(status)
}

export function needsNode20() {
  if (Number(process.versions.node.split('.')[0]) < 20)
    fail(`Node ${process.versions.node} is too old: please install Node 20 or newer.`)
}

const hashOf = (...parts) => parts.reduce((hash, part) => hash.update(part), crypto.createHash('sha256')).digest('hex')
const read = (file) => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '')

function filesBelow(folder) {
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const file = path.join(folder, entry.name)
      if (entry.isDirectory()) return entry.name === 'dist' || entry.name === 'node_modules' ? [] : filesBelow(file)
      return [file]
    })
}

/** Installs the locked packages if they are missing or the lock file has changed. */
export async function install() {
  const hash = hashOf(read(path.join(root, 'package-lock.json')), process.platform, process.arch)
  if (read(installed) === hash) return
  const inPlace = path.join(root, 'node_modules/.package-lock.json')
  const lock = path.join(root, 'package-lock.json')
  const complete =
    !fs.existsSync(installed) && fs.existsSync(inPlace) && fs.statSync(inPlace).mtimeMs >= fs.statSync(lock).mtimeMs
  if (!complete)
    await step('install packages', () => {
      const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
      // Not `npm ci`: it refuses a lock file that lacks other platforms' packages, as on registries that do not carry
      // them. This installs what is locked and writes nothing back.
      const npmArgs = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error', '--include=dev']
      const result = spawnSync(npm, npmArgs, {
        cwd: root,
        stdio: ['ignore', 'inherit', 'inherit'],
        env: { ...process.env, NODE_ENV: '' },
      })
      if (result.status !== 0) fail('The packages could not be installed (npm install failed). See the message above.')
    })
  fs.writeFileSync(installed, hash)
}

/** Leaves the other processors to programs with a higher priority; the build takes hardly longer. */
const oneThread = { RAYON_NUM_THREADS: '1', TOKIO_WORKER_THREADS: '1', UV_THREADPOOL_SIZE: '1' }

/**
 * Builds the web app if one of its sources has changed. `priority` is that of `os.setPriority`, 0 by default. With
 * `beforeFirstPage` the forms of the first HTML are drawn and files are compressed after that; a server does without both
 * until then.
 */
export async function buildWeb({ priority = 0, beforeFirstPage = undefined } = {}) {
  const sources = ['apps/web', 'packages'].flatMap((folder) => filesBelow(path.join(root, folder)))
  const files = [...sources, path.join(root, 'package-lock.json'), path.join(root, 'vite.config.ts')].filter(
    (file) => fs.existsSync(file) && !/\.test\.tsx?$/.test(file),
  )
  const hash = hashOf(...files.flatMap((file) => [path.relative(root, file), fs.readFileSync(file)]))
  if (read(built) === hash) return
  const startedMs = Date.now()
  const build = async (parts) => {
    const vite = path.join(root, 'node_modules/vite/bin/vite.js')
    const status = await run(node24(), [vite, 'build', '--logLevel', 'warn'], {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, BUILD_PARTS: parts, ...(priority > 0 && oneThread) },
      onStart: ({ pid }) => priority > 0 && pid && os.setPriority(pid, priority),
    })
    if (status !== 0) fail('The web app could not be built. See the message above.')
  }
  if (beforeFirstPage) {
    fs.rmSync(path.join(path.dirname(built), 'first-page.json'), { force: true })
    await step('build the web app', () => build('client survey'))
    await beforeFirstPage()
    await build('firstPage compressed')
  } else await step('build the web app', () => build('client survey firstPage compressed'))
  forgetOldBuilds(path.dirname(built), startedMs)
  fs.writeFileSync(built, hash)
}

/** Bundles the server if one of its sources has changed; without a bundle the sources run, which only starts later. */
export async function buildServer() {
  if (bundleOf('server')) return
  try {
    await step('bundle the server', () => bundleServer())
  } catch (error) {
    if (error.code === 'ENOSPC') throw error
    console.error(`The server could not be bundled and starts from its sources: ${error.message}`)
  }
}

/** Time for which tabs opened before a build still find its files. */
const keptBuildMs = 14 * 86_400_000

/**
 * Deletes files that no build of the last 14 days has written. `.replaced.json` stores when a file was first missing
 * from a build; names contain content hashes, so builds never disagree about a file.
 */
export function forgetOldBuilds(dist, builtSinceMs, nowMs = Date.now()) {
  const register = path.join(dist, '.replaced.json')
  const replacedBefore = JSON.parse(read(register) || '{}')
  const replaced = {}
  for (const file of filesBelow(path.join(dist, 'assets'))) {
    // The coarsest file time resolution is one second.
    if (fs.statSync(file).mtimeMs >= builtSinceMs - 1_000) continue
    const name = path.basename(file)
    const replacedAt = replacedBefore[name] ?? nowMs
    if (nowMs - replacedAt > keptBuildMs) fs.rmSync(file)
    else replaced[name] = replacedAt
  }
  fs.writeFileSync(register, JSON.stringify(replaced))
}

/** Runs a command to its end, passes signals on and returns its exit code. */
export function run(command, args, { onStart = () => {}, ...options } = {}) {
  const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options })
  onStart(child)
  // Ctrl-C also reaches the child; waiting here lets it end cleanly.
  const passOn = (signal) => child.kill(signal)
  const ignore = () => {}
  process.on('SIGINT', ignore)
  process.on('SIGTERM', passOn)
  process.on('SIGHUP', passOn)
  return new Promise((resolve) => {
    child.on('error', (error) => {
      console.error(String(error))
      resolve(1)
    })
    child.on('exit', (code, signal) => {
      process.off('SIGINT', ignore)
      process.off('SIGTERM', passOn)
      process.off('SIGHUP', passOn)
      resolve(code ?? (signal === 'SIGINT' ? 130 : 1))
    })
  })
}
