import type { Selectable } from 'kysely'
import type { FeederConnection } from '#domain/students/feeder/endpoints.ts'
import type { FeederTarget } from '#domain/students/feeder/fields.ts'
import { openText, sealText } from '#server/platform/access/secret-box.ts'
import type { Database, Db, Tx } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'

type Row = Selectable<Database['feederConnection']>
type Secret = 'address' | 'password'
type Keys = Pick<Services, 'config'>

const purpose = (name: Secret) => `feeder ${name}`
export const sealSecret = ({ config }: Keys, name: Secret, text: string) =>
  sealText(config.secretKey, purpose(name), text)
const open = ({ config }: Keys, name: Secret, sealed: string | null) =>
  (sealed !== null && openText(config.secretKey, purpose(name), sealed)) || null

/** Registers that can be chosen; the built-in one exists only in a demo, like the demo bank. */
export const targetsOf = ({ config }: Keys): FeederTarget[] => [
  ...(config.demo ? ['demo' as const] : []),
  'sandbox',
  'live',
]

export const readRow = (db: Db) => db.selectFrom('feederConnection').selectAll().executeTakeFirst()

const targetOf = (services: Keys, row: Pick<Row, 'target'> | undefined): FeederTarget => {
  const [first] = targetsOf(services)
  return row && targetsOf(services).includes(row.target) ? row.target : first!
}

/** The register that students are sent to now. */
export const readTarget = async (services: Keys, db: Db) => targetOf(services, await readRow(db))

/** Access for sending; outside the built-in register, nothing is sent without address, user name and password. */
export async function readAccess(services: Services) {
  const row = await readRow(services.db)
  return {
    target: targetOf(services, row),
    address: open(services, 'address', row?.addressSealed ?? null),
    username: row?.username ?? null,
    password: open(services, 'password', row?.passwordSealed ?? null),
    problem: row?.problem ?? null,
    version: row?.version ?? 0,
  }
}
export type FeederAccess = Awaited<ReturnType<typeof readAccess>>

/** The connection for its page, without the password. */
export async function showConnection(services: Services, db: Db = services.db): Promise<FeederConnection> {
  const row = await db
    .selectFrom('feederConnection as c')
    .leftJoin('accounts as u', 'u.id', 'c.updatedBy')
    .selectAll('c')
    .select('u.name as editor')
    .executeTakeFirst()
  const target = targetOf(services, row)
  const { waiting } = await db
    .selectFrom('feederSendings')
    .select((eb) => eb.fn.countAll<number>().as('waiting'))
    .where('target', '=', target)
    .where('state', 'in', ['waiting', 'sending'])
    .executeTakeFirstOrThrow()
  return {
    target,
    targets: targetsOf(services),
    address: open(services, 'address', row?.addressSealed ?? null),
    username: row?.username ?? null,
    passwordSetAt: row?.passwordSetAt?.toISOString() ?? null,
    checkedAt: row?.checkedAt?.toISOString() ?? null,
    university: row?.university ?? null,
    problem: row?.problem ?? null,
    problemDetail: row?.problemDetail ?? null,
    problemAt: row?.problemAt?.toISOString() ?? null,
    waiting: Number(waiting),
    version: row?.version ?? 0,
    edited: row ? { at: row.updatedAt.toISOString(), by: row.editor } : null,
  }
}

type Outcome = { university: string } | { problem: NonNullable<Row['problem']>; detail: string }

/**
 * Stores the outcome of the last call, unless the settings changed since they were read. Success clears the stored
 * problem.
 */
export async function noteConnection(db: Db | Tx, access: FeederAccess, outcome: Outcome, now: Date) {
  await db
    .updateTable('feederConnection')
    .set(
      'problem' in outcome
        ? { problem: outcome.problem, problemDetail: outcome.detail.slice(0, 300), problemAt: now }
        : {
            ...{ problem: null, problemDetail: null, problemAt: null },
            checkedAt: now,
            university: outcome.university.slice(0, 200),
          },
    )
    .where('version', '=', access.version)
    .execute()
}
