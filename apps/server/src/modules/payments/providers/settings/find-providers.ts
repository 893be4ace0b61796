import crypto from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { type ProviderStanding, unheardOutcomes } from '#domain/payments/providers/endpoints.ts'
import { listProviders } from '#domain/payments/providers/lists.ts'
import { type ProviderSecret, snapSettings } from '#domain/payments/providers/provider-kinds.ts'
import { serveList } from '#server/list/serve-list.ts'
import { isPaused } from '#server/modules/payments/providers/breaker.ts'
import { type ProviderAccount, secretPurpose } from '#server/modules/payments/providers/configured.ts'
import { findProvider } from '#server/modules/payments/providers/index.ts'
import { openText } from '#server/platform/access/secret-box.ts'
import { contains, type Database, type Db, likePattern } from '#server/platform/database/database.ts'
import { ofWholeView } from '#server/platform/database/shared-rows.ts'
import { notFound } from '#server/platform/errors.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { pendingConnectionsOf } from './requested-connections.ts'

type Told = Pick<ProviderAccount, 'active' | 'problem' | 'checkedAt'>
const standingOf = ({ active, problem, checkedAt }: Told): ProviderStanding =>
  !active ? 'inactive' : problem ? 'problem' : checkedAt ? 'ready' : 'unchecked'

/** Connections to banks and gateways, for roles that see the whole university. */
export const serveProviders = (app: App, services: Services) => {
  const { db } = services
  serveList(app, services, listProviders, {
    from: () => db.selectFrom('providerAccounts as p'),
    scope: ofWholeView('settings_need_whole_view'),
    filters: {
      kind: 'p.kind',
      active: 'p.active',
      q: (q) => (eb) =>
        eb.or([
          contains('p.name', q),
          eb('p.code', 'like', likePattern(q.toLowerCase())),
          eb.exists(
            eb
              .selectFrom('providerBanks as b')
              .select('b.id')
              .whereRef('b.providerAccountId', '=', 'p.id')
              .where(contains('b.name', q)),
          ),
        ]),
    },
    columns: (rows) =>
      rows.select([
        'p.id',
        'p.code',
        'p.name',
        'p.kind',
        'p.active',
        'p.problem',
        'p.checkedAt',
        'p.createdAt',
        'p.updatedAt',
      ]),
    sorts: {
      name: { by: sql`lower(p.name)`, type: 'text' },
      createdAt: { by: sql`p.created_at`, type: 'timestamptz' },
    },
    id: sql`p.id`,
    toRows: async (found, { connection }) => {
      const banks = await banksWithUse(
        connection,
        found.map(({ id }) => id),
      )
      return found.map((row) => {
        const own = banks.filter((bank) => bank.providerAccountId === row.id)
        return {
          ...row,
          standing: standingOf(row),
          banks: own.map(({ name }) => name),
          low: own.filter(({ low }) => low).map(({ name }) => name),
        }
      })
    },
  })
}

type BankRow = Selectable<Database['providerBanks']>

function withUse<T extends Pick<BankRow, 'prefix' | 'firstNumber' | 'lastNumber' | 'customerDigits' | 'active'>>(
  bank: T & { used: number },
) {
  const last = bank.lastNumber ?? 10 ** bank.customerDigits - 1
  const total = last - bank.firstNumber + 1
  const remaining = bank.prefix === null ? null : Math.max(0, total - bank.used)
  return { ...bank, remaining, low: remaining !== null && bank.active && isLow(remaining, total) }
}

/** Banks of connections, each with the number of transfer numbers issued. */
export async function banksWithUse(db: Db, accountIds?: readonly string[]) {
  if (accountIds?.length === 0) return []
  const rows = await db
    .selectFrom('providerBanks as b')
    .leftJoin('numberCounters as c', (join) =>
      join.onRef('c.scope', '=', 'b.code').on('c.kind', '=', 'virtual-account'),
    )
    .selectAll('b')
    .select((eb) => eb.fn.coalesce('c.value', sql<number>`0`).as('used'))
    .$call((q) => (accountIds === undefined ? q : q.where('b.providerAccountId', 'in', [...accountIds])))
    .orderBy('b.sortOrder')
    .orderBy('b.code')
    .execute()
  return rows.map(withUse)
}

export async function getProviderAccount(db: Db, id: string, lock = false): Promise<ProviderAccount> {
  const row = await db
    .selectFrom('providerAccounts')
    .selectAll()
    .where('id', '=', id)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst()
  if (!row) throw notFound('provider')
  return row
}

const addressesOf = ({ config }: Services, { kind, code }: ProviderAccount) => {
  const at = (path: string) => `${config.publicUrl}/api${path}`
  if (kind !== 'snap') return [{ name: 'report' as const, url: at(`/providers/${code}/report`) }]
  return [
    { name: 'token' as const, url: at(`/snap/${code}/v1.0/access-token/b2b`) },
    { name: 'inquiry' as const, url: at(`/snap/${code}/v1.0/transfer-va/inquiry`) },
    { name: 'payment' as const, url: at(`/snap/${code}/v1.0/transfer-va/payment`) },
  ]
}

/** The public half of the portal's key pair, which the bank receives. */
function publicHalf(privateKey: string | undefined): string | null {
  if (!privateKey) return null
  try {
    return String(crypto.createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }))
  } catch {
    return null
  }
}

/**
 * Counts calls of the last seven days from which nothing was booked, by outcome, because the pages of single numbers
 * never show them. Unsigned calls are stored apart from genuine reports.
 */
async function unheardReports({ db, clock }: Services, { code }: ProviderAccount) {
  const since = new Date(clock.now().getTime() - 7 * 86_400_000)
  const { rows } = await sql<{ outcome: (typeof unheardOutcomes)[number]; count: number; lastAt: Date }>`
    SELECT outcome, count(*)::int AS count, max(received_at) AS last_at FROM (
      SELECT outcome, received_at FROM bank_reports WHERE provider = ${code} AND received_at > ${since}
      UNION ALL
      SELECT outcome, received_at FROM unverified_reports WHERE provider = ${code} AND received_at > ${since}) both_kinds
    WHERE outcome = ANY(${[...unheardOutcomes]}::text[])
    GROUP BY outcome ORDER BY last_at DESC`.execute(db)
  return rows.map(({ lastAt, ...row }) => ({ ...row, lastAt: lastAt.toISOString() }))
}

/** A connection as staff see it; secrets are shown only as the time they were set and their last characters. */
export async function showProvider(services: Services, id: string, db: Db = services.db) {
  const row = await getProviderAccount(db, id)
  const [banks, secrets, unheard, [pending = null]] = await Promise.all([
    banksWithUse(db, [id]),
    db.selectFrom('providerSecrets').selectAll().where('providerAccountId', '=', id).execute(),
    unheardReports(services, row),
    pendingConnectionsOf(services, id),
  ])
  const privateKey = secrets.find(({ name }) => name === 'privateKey')
  const provider = await findProvider(services, row.code)
  return {
    ...row,
    standing: standingOf(row),
    snap: row.kind === 'snap' ? snapSettings.parse(row.settings) : null,
    banks,
    secrets: Object.fromEntries(
      secrets.map(({ name, setAt, lastFour }) => [name as ProviderSecret, { setAt: setAt.toISOString(), lastFour }]),
    ),
    addresses: addressesOf(services, row),
    ourPublicKey: publicHalf(
      privateKey && openText(services.config.secretKey, secretPurpose(id, 'privateKey'), privateKey.sealed),
    ),
    leftAlone: isPaused(services, row.code),
    unheard,
    canCheck: provider?.check !== undefined,
    pending,
  }
}

/**
 * Whether few numbers are left, early enough for a bank to assign more: a twentieth of the range, but between a hundred
 * and ten thousand.
 */
function isLow(remaining: number, total: number): boolean {
  return remaining <= Math.max(100, Math.min(10_000, Math.floor(total / 20)))
}
