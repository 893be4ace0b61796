import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { type Choices, type PlannedFile, serviceUser, settingsFile, units } from './files.ts'
import { removeFiles } from './install.ts'

function run(command: string, ...args: string[]) {
  const result = spawnSync(command, args, { encoding: 'utf8' })
  if (result.status !== 0)
    throw new Error(`${command} ${args.join(' ')} failed: ${(result.stderr || String(result.error)).trim()}`)
  return result.stdout.trim()
}

const hasSystemd = () => fs.existsSync('/run/systemd/system')
const userExists = () => spawnSync('id', [serviceUser]).status === 0

/** Throws if the service could not work: no root, no Linux with systemd's folders, a checkout others cannot read. */
export function refuseUnfitMachine({ checkout }: Choices) {
  if (process.getuid?.() !== 0) throw new Error('Only root may install a service: sudo npm run install-service')
  if (!fs.existsSync('/etc/systemd/system')) throw new Error('This machine has no systemd: Debian and Ubuntu have it.')
  if (/^\/(home|root|tmp|var\/tmp|run\/user)(\/|$)/.test(checkout))
    throw new Error(
      `The service may not read ${checkout}, which is a home or temporary folder. Move the checkout: mv ${checkout} /opt/pmb`,
    )
  for (let folder = checkout; folder !== '/'; folder = path.dirname(folder))
    if ((fs.statSync(folder).mode & 0o005) !== 0o005)
      throw new Error(`Other users may not read ${folder}, and so the service may not: chmod o+rx ${folder}`)
}

/** Creates the user and the missing data and backup folders, owned by it; existing folders keep their owner. */
export function prepareMachine({ dataDir, backupDir }: Choices) {
  if (!userExists()) {
    const home = ['--home-dir', dataDir, '--no-create-home', '--shell', '/usr/sbin/nologin']
    run('useradd', '--system', '--user-group', ...home, serviceUser)
    console.log(`new        user ${serviceUser}`)
  }
  for (const folder of [dataDir, backupDir]) {
    if (fs.existsSync(folder)) continue
    fs.mkdirSync(folder, { recursive: true })
    run('chown', `${serviceUser}:${serviceUser}`, folder)
    fs.chmodSync(folder, 0o750)
    console.log(`new        ${folder}`)
  }
  const settingsFolder = path.dirname(settingsFile)
  fs.mkdirSync(settingsFolder, { recursive: true })
  run('chown', `root:${serviceUser}`, settingsFolder)
}

/**
 * Gives the service's group access to the settings, enables the units if systemd is running, and says what comes next.
 */
export function startUnits({ domain }: Choices) {
  run('chown', `root:${serviceUser}`, settingsFile)
  // Also works while systemd is not running: it makes links, which the next boot follows.
  run('systemctl', 'enable', '--quiet', ...units)
  if (hasSystemd()) {
    run('systemctl', 'daemon-reload')
    run('systemctl', 'start', ...units.filter((unit) => unit.endsWith('.timer')))
  } else console.log('\nNo systemd is running here: the units begin with the next start of the machine.')
  console.log(`
Next:
  1. Look through ${settingsFile}.
  2. systemctl start pmb        (after a change of the settings: restart)
  3. journalctl -u pmb -f       shows what it says, first of all the address for the first administrator
  4. A proxy with HTTPS for ${domain}: /etc/pmb/Caddyfile.example or /etc/pmb/nginx.conf.example
  5. systemctl start pmb-backup pmb-restore-test: the first backup, and the proof that it can be restored`)
}

/** `--undo`: stops and removes units and unedited settings; never data, backups or the user that owns them. */
export function undoFiles(files: readonly PlannedFile[], { dataDir, backupDir }: Choices) {
  if (hasSystemd()) spawnSync('systemctl', ['stop', ...units], { stdio: 'inherit' })
  spawnSync('systemctl', ['disable', '--quiet', ...units], { stdio: 'inherit' })
  removeFiles(files)
  if (hasSystemd()) run('systemctl', 'daemon-reload')
  console.log(`The data in ${dataDir}, the backups in ${backupDir} and the user ${serviceUser} that owns them stay.`)
}
