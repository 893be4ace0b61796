import fs from 'node:fs'
import path from 'node:path'
import { readEnvironmentFile } from './service/environment-file.mjs'
import { findUser } from './service/find-user.mjs'
import { fail, install, needsNode20, node24, nodeOptions, root, run } from './steps.mjs'

/**
 * `sudo npm run as-service -- <npm script> [<argument> …]` runs the script as the installed service's user, with its
 * settings.
 */
const settingsFile = '/etc/pmb/pmb.env'
const [name = '', ...args] = process.argv.slice(2)
needsNode20()
await install()
const { scripts } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'))
const file = /^node scripts\/run\.mjs (apps\/\S+)$/.exec(scripts[name] ?? '')?.[1]
if (!file)
  fail(`npm run ${name} is none of the server's programs, such as administrator, backup, restore or restore:test.`)
if (process.getuid?.() !== 0) fail('Only root may act as the service: sudo npm run as-service')
if (!fs.existsSync(settingsFile))
  fail(`There is no ${settingsFile}: the service is not installed (npm run install-service).`)
process.exitCode = await run(node24(), [...nodeOptions, file, ...args], {
  ...findUser('pmb'),
  env: { PATH: process.env.PATH, HOME: '/', ...readEnvironmentFile(settingsFile) },
})
