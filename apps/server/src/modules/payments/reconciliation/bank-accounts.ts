import crypto from 'node:crypto'
import { fieldChanges } from '#domain/payments/approvals/compare-fields.ts'
import type { BankAccountChange, MappingChange, NewBankAccount } from '#domain/payments/reconciliation/endpoints.ts'
import { type StatementMapping, statementMapping } from '#domain/payments/reconciliation/statement-mapping.ts'
import {
  type ApprovalHandler,
  type ApprovalRequest,
  askApproval,
  questionOf,
} from '#server/modules/payments/approvals/ask-approval.ts'
import { pendingChangesOf } from '#server/modules/payments/approvals/pending-changes.ts'
import { allBanks } from '#server/modules/payments/providers/index.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { conflict, type FieldErrors, invalid } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'
import { getAccount } from './account-queue.ts'
import { type BankAccountValues, fieldsOfBankAccount } from './bank-account-fields.ts'

/** The stored mapping, or null if its schema has changed since. */
export const mappingOf = (stored: unknown): StatementMapping | null => statementMapping.safeParse(stored).data ?? null

export async function listBankAccounts(services: Services) {
  const { db } = services
  const [banks, accounts, sources, days, pending] = await Promise.all([
    allBanks(services),
    db.selectFrom('bankAccounts').selectAll().orderBy('active', 'desc').orderBy('name').execute(),
    db.selectFrom('bankAccountSources').selectAll().orderBy('bank').execute(),
    db
      .selectFrom('statementImports')
      .select(['bankAccountId', (eb) => eb.fn.max('lastDay').as('lastDay')])
      .groupBy('bankAccountId')
      .execute(),
    pendingChangesOf(db, 'bank_account'),
  ])
  return {
    accounts: accounts.map((account) => ({
      ...account,
      mapping: mappingOf(account.mapping),
      sources: sources.filter(({ bankAccountId }) => bankAccountId === account.id).map(({ bank }) => bank),
      lastDay: days.find(({ bankAccountId }) => bankAccountId === account.id)?.lastDay ?? null,
      pending: pending.find(({ subjectId }) => subjectId === account.id)?.change ?? null,
    })),
    pending: pending.filter(({ subjectId }) => subjectId === null).map(({ change }) => change),
    banks: banks.map(({ code, name }) => ({ code, name })),
  }
}

/** Throws 422 with a field error for each value that another account already has. */
async function refuseTaken(tx: Tx, wish: BankAccountValues, self: string | null) {
  const others = await tx
    .selectFrom('bankAccounts as a')
    .leftJoin('bankAccountSources as s', 's.bankAccountId', 'a.id')
    .select(['a.name', 'a.bank', 'a.number', 'a.takesTransfers', 's.bank as source'])
    .$call((rows) => (self === null ? rows : rows.where('a.id', '<>', self)))
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

/** Throws 422 for unknown banks. A bank removed from the settings may stay on an account that already has it. */
async function refuseUnknownBanks(
  { tx, services }: Omit<Context, 'actor'>,
  bankCodes: readonly string[],
  currentCodes: readonly string[],
) {
  const known = new Set([...(await allBanks(services, tx)).map(({ code }) => code), ...currentCodes])
  if (bankCodes.some((bank) => !known.has(bank))) throw invalid({ sources: 'invalid_input' })
}

async function writeSources(tx: Tx, id: string, sources: readonly string[]) {
  await tx.deleteFrom('bankAccountSources').where('bankAccountId', '=', id).execute()
  if (sources.length > 0)
    await tx
      .insertInto('bankAccountSources')
      .values(sources.map((bank) => ({ bank, bankAccountId: id })))
      .execute()
}

/** Locks the rows of all accounts, so that no concurrent change takes the same bank or number. */
const lockAccounts = (tx: Tx) => tx.selectFrom('bankAccounts').select('id').orderBy('id').forNoKeyUpdate().execute()

type Details = BankAccountValues & { action: 'add' | 'edit' | 'mapping' }

async function valuesOf(services: Services, tx: Tx, id: string): Promise<BankAccountValues & { version: number }> {
  const { name, bank, number, holder, takesTransfers, active, sources, mapping, version } = await getAccount(
    services,
    tx,
    id,
  )
  return { name, bank, number, holder, takesTransfers, active, sources, mapping: mappingOf(mapping), version }
}

/** Adds or changes an account of the university once another account has approved its values. */
export const bankAccountChange: ApprovalHandler = {
  permission: 'rekonsiliasi-update',
  async lock(tx) {
    await lockAccounts(tx)
  },
  async effect(context, { bankAccountId, details }) {
    const { tx, services } = context
    const { action: _, ...values } = details as Details
    const before = bankAccountId ? await valuesOf(services, tx, bankAccountId) : null
    await refuseTaken(tx, values, bankAccountId)
    await refuseUnknownBanks(context, values.sources, before?.sources ?? [])
    const changes = fieldChanges(before ? fieldsOfBankAccount(before) : {}, fieldsOfBankAccount(values))
    if (changes.length === 0) throw conflict('nothing_changes')
    return { amount: 0, changes }
  },
  apply: writeBankAccount,
}

async function writeBankAccount({ tx, services, actor }: Context, request: ApprovalRequest) {
  const { action, sources, mapping, ...values } = request.details as Details
  const approved = { ...values, mapping: mapping && JSON.stringify(mapping), approvalRequestId: request.id }
  const before = request.bankAccountId ? await valuesOf(services, tx, request.bankAccountId) : null
  const id = request.bankAccountId ?? crypto.randomUUID()
  if (before)
    await tx
      .updateTable('bankAccounts')
      .set({ ...approved, version: before.version + 1 })
      .where('id', '=', id)
      .execute()
  else {
    await tx
      .insertInto('bankAccounts')
      .values({ id, ...approved, createdAt: services.clock.now() })
      .execute()
    await tx.updateTable('approvalRequests').set({ bankAccountId: id }).where('id', '=', request.id).execute()
  }
  await writeSources(tx, id, sources)
  await recordAudit(tx, actor, {
    action: `bank-account.${action === 'add' ? 'create' : action === 'edit' ? 'update' : 'mapping'}`,
    on: { 'bank-account': id },
    before,
    after: { ...values, sources, mapping },
    reason: request.reason,
  })
}

type Asked = { reason: string } & ({ id: null; values: BankAccountValues } | ChangeOf)
type ChangeOf = { id: string; version: number; values: Partial<BankAccountValues> }

const ask = (services: Services, actor: Actor, action: Details['action'], { id, reason, ...change }: Asked) =>
  inTransaction(services, actor, async (context) => {
    const { tx } = context
    await lockAccounts(tx)
    let { values } = change
    if (id !== null) {
      const { version, ...current } = await valuesOf(services, tx, id)
      if ('version' in change && change.version !== version) throw conflict('stale_version')
      values = { ...current, ...values }
    }
    const question = questionOf({ kind: 'bank_account', bankAccountId: id, details: { action, ...values }, reason })
    return askApproval(context, bankAccountChange, question)
  })

const distinct = (codes: readonly string[]) => [...new Set(codes)].toSorted()

/** Requests a new account; the mapping of its files is requested with the first file. */
export const createBankAccount = (services: Services, actor: Actor, { reason = '', ...wish }: NewBankAccount) =>
  ask(services, actor, 'add', {
    id: null,
    values: { ...wish, sources: distinct(wish.sources), active: true, mapping: null },
    reason,
  })

export const updateBankAccount = (
  services: Services,
  actor: Actor,
  id: string,
  { version, reason = '', ...wish }: BankAccountChange,
) => ask(services, actor, 'edit', { id, version, values: { ...wish, sources: distinct(wish.sources) }, reason })

/** Requests another mapping of CSV columns, which decides which lines count as money and their amounts. */
export const saveMapping = (services: Services, actor: Actor, id: string, { version, mapping }: MappingChange) =>
  ask(services, actor, 'mapping', { id, version, values: { mapping }, reason: '' })
