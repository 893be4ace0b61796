import { parseArgs } from 'node:util'
import { planFiles, readChoices } from './service/files.ts'
import { installFiles, printFiles } from './service/install.ts'
import { prepareMachine, refuseUnfitMachine, startUnits, undoFiles } from './service/machine.ts'

/**
 * `sudo npm run install-service [-- --domain pmb.example.ac.id] [--port 3000] [--data /var/lib/pmb] [--backups
 * /var/backups/pmb] [--dry-run | --undo]` writes the systemd units, the settings and proxy examples. The first run's
 * choices are stored in /etc/pmb/pmb.env and used by later runs.
 */
const { values } = parseArgs({
  options: {
    domain: { type: 'string' },
    port: { type: 'string' },
    data: { type: 'string' },
    backups: { type: 'string' },
    'dry-run': { type: 'boolean' },
    undo: { type: 'boolean' },
  },
})

try {
  const choices = readChoices(values)
  const files = planFiles(choices)
  if (values['dry-run']) printFiles(files)
  else {
    refuseUnfitMachine(choices)
    if (values.undo) undoFiles(files, choices)
    else {
      prepareMachine(choices)
      installFiles(files)
      startUnits(choices)
    }
  }
} catch (error) {
  console.error(`\n${(error as Error).message}`)
  process.exitCode = 1
}
