import type { z } from 'zod'
import type {
  createBankAccount as created,
  saveMapping as saved,
  updateBankAccount as updated,
} from '#domain/payments/reconciliation-endpoints.ts'
import { type StatementMapping, statementMapping } from '#domain/payments/statement-csv.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Actor } from '#server/platform/authorization.ts'
import type { Tx } from '#server/platform/database.ts'
import { conflict, type FieldErrors, invalid } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { allBanks } from '../providers/index.ts'
import { lockAccount } from './account-queue.ts'

type Wish = z.output<typeof created.body>

/** What was kept, or nothing where its shape has changed since. */
export const mappingOf = (kept: unknown): StatementMapping | null => statementMapping.safeParse(kept).data ?? null

export async function listBankAccounts(services: Services) {
  const { db } = services
  const [banks, accounts, sources, days] = await Promise.all([
    allBanks(services),
    db.selectFrom('bankAccounts').selectAll().orderBy('active', 'desc').orderBy('name').execute(),
    db.selectFrom('bankAccountSources').selectAll().orderBy('bank').execute(),
    db
      .selectFrom('statementImports')
      .select(['bankAccountId', (eb) => eb.fn.max('lastDay').as('lastDay')])
      .groupBy('bankAccountId')
      .execute(),
  ])
  return {
    accounts: accounts.map((account) => ({
      ...account,
      mapping: mappingOf(account.mapping),
      sources: sources.filter(({ bankAccountId }) => bankAccountId === account.id).map(({ bank }) => bank),
      lastDay: days.find(({ bankAccountId }) => bankAccountId === account.id)?.lastDay ?? null,
    })),
    banks: banks.map(({ code, name }) => ({ code, name })),
  }
}

/** What another account has already is told beside its field. */
async function refuseTaken(tx: Tx, wish: Wish, self: string | null) {
  const others = await tx
    .selectFrom('bankAccounts as a')
    .leftJoin('bankAccountSources as s', 's.bankAccountId', 'a.id')
    .select(['a.name', 'a.bank', 'a.number', 'a.takesTransfers', 's.bank as source'])
    .$if(self !== null, (rows) => rows.where('a.id', '<>', self!))
    .execute()
  const faults: FieldErrors = {}
  const lower = wish.bank.toLowerCase()
  if (others.some(({ bank, number }) => bank.toLowerCase() === lower && number === wish.number))
    faults.number = 'already_exists'
  const source = others.find((other) => other.source && wish.sources.includes(other.source))
  if (source) faults.sources = { code: 'bank_of_other_account', params: { account: source.name } }
  const transfers = wish.takesTransfers && others.find(({ takesTransfers }) => takesTransfers)
  if (transfers) faults.takesTransfers = { code: 'transfers_of_other_account', params: { account: transfers.name } }
  if (Object.keys(faults).length > 0) throw invalid(faults)
}

async function writeSources(tx: Tx, services: Services, id: string, wanted: readonly string[]) {
  const known = new Set((await allBanks(services, tx)).map(({ code }) => code))
  const had = await tx.deleteFrom('bankAccountSources').where('bankAccountId', '=', id).returning('bank').execute()
  for (const { bank } of had) known.add(bank)
  const sources = [...new Set(wanted)]
  if (sources.some((bank) => !known.has(bank))) throw invalid({ sources: 'invalid_input' })
  if (sources.length > 0)
    await tx
      .insertInto('bankAccountSources')
      .values(sources.map((bank) => ({ bank, bankAccountId: id })))
      .execute()
}

/** Two at once must not take the same bank: they wait for each other. */
const oneAtATime = (tx: Tx) => tx.selectFrom('bankAccounts').select('id').orderBy('id').forNoKeyUpdate().execute()

export const createBankAccount = (services: Services, actor: Actor, wish: Wish) =>
  services.db.transaction().execute(async (tx) => {
    await oneAtATime(tx)
    await refuseTaken(tx, wish, null)
    const { sources, ...values } = wish
    const { id } = await tx
      .insertInto('bankAccounts')
      .values({ ...values, createdAt: services.clock.now() })
      .returning('id')
      .executeTakeFirstOrThrow()
    await writeSources(tx, services, id, sources)
    await recordAudit(tx, actor, 'bank-account.create', { type: 'bank-account', id }, { after: wish })
    return { id }
  })

export const updateBankAccount = (services: Services, actor: Actor, id: string, wish: z.output<typeof updated.body>) =>
  services.db.transaction().execute(async (tx) => {
    await oneAtATime(tx)
    const before = await lockAccount(services, tx, id)
    if (before.version !== wish.version) throw conflict('stale_version')
    await refuseTaken(tx, wish, id)
    const { sources, version, ...values } = wish
    await tx
      .updateTable('bankAccounts')
      .set({ ...values, version: version + 1 })
      .where('id', '=', id)
      .execute()
    await writeSources(tx, services, id, sources)
    await recordAudit(
      tx,
      actor,
      'bank-account.update',
      { type: 'bank-account', id },
      { before: { ...before, mapping: undefined }, after: wish },
    )
    return { id }
  })

export const saveMapping = (services: Services, actor: Actor, id: string, wish: z.output<typeof saved.body>) =>
  services.db.transaction().execute(async (tx) => {
    const before = await lockAccount(services, tx, id)
    if (before.version !== wish.version) throw conflict('stale_version')
    await tx
      .updateTable('bankAccounts')
      .set({ mapping: JSON.stringify(wish.mapping), version: wish.version + 1 })
      .where('id', '=', id)
      .execute()
    await recordAudit(
      tx,
      actor,
      'bank-account.mapping',
      { type: 'bank-account', id },
      { before: before.mapping as object, after: wish.mapping },
    )
    return { id }
  })
