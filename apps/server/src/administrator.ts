import { parseArgs } from 'node:util'
import { isEmail } from '#domain/accounts/fields.ts'
import { setupMinutes } from '#domain/accounts/setup-endpoints.ts'
import { readConfig } from './config.ts'
import { offerSetupTo } from './modules/accounts/setup/setup-link.ts'
import { requireMigrated } from './platform/database/migrate.ts'
import { openDatabase } from './platform/postgres/open-database.ts'
import { StartError } from './platform/postgres/start-error.ts'
import { startServices } from './platform/start-services.ts'

/**
 * `npm run administrator -- --email …` prints an address that makes its reader an administrator, for users locked out.
 */
async function main() {
  const { values } = parseArgs({ options: { email: { type: 'string' } } })
  const email = values.email?.trim() ?? ''
  if (!isEmail(email)) throw new StartError('npm run administrator -- --email name@university.ac.id')
  const config = { ...readConfig(process.env), runJobs: false }
  const { connectionString, stop: closeDatabase } = await openDatabase(config)
  try {
    await requireMigrated(connectionString)
    const { services, stop } = await startServices({ config, connectionString })
    try {
      const path = await offerSetupTo(services, email)
      console.log(
        `${config.publicUrl}${path}\nThis address works once and for ${setupMinutes} minutes, and makes ${email} an administrator with a new password. All administrators are told by mail.`,
      )
    } finally {
      await stop()
    }
  } finally {
    await closeDatabase()
  }
}

main().catch((error) => {
  console.error(error instanceof StartError ? error.message : error)
  process.exitCode = 1
})
