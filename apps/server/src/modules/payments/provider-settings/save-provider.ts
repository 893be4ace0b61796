import crypto from 'node:crypto'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { createProvider as createCall, updateProvider as updateCall } from '#domain/payments/provider-endpoints.ts'
import { type ProviderKind, type ProviderSecret, snapSettings } from '#domain/payments/provider-kinds.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Actor } from '#server/platform/authorization.ts'
import type { Tx } from '#server/platform/database.ts'
import { conflict, invalid } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { type ProviderAccount, sealSecret } from '../providers/configured.ts'
import { forgetProviders } from '../providers/index.ts'
import { type Content, problemsOf } from './check-input.ts'
import { banksWithUse, getProviderAccount, showProvider } from './find-providers.ts'

type New = z.output<typeof createCall.body>
type Changed = z.output<typeof updateCall.body>

const subject = (id: string) => ({ type: 'provider', id })

/** Secrets that are sent to the address itself, not only used for signing. */
const sentSecrets: readonly ProviderSecret[] = ['serverKey', 'secretKey']

/** What the audit log keeps of a connection; of its secrets it is told which were replaced. */
const snapshot = ({ code, kind, name, active, baseUrl, settings }: ProviderAccount, banks: Content['banks']) => ({
  code,
  kind,
  name,
  active,
  baseUrl,
  ...(settings as object),
  banks: banks.map(({ id: _, ...bank }) => bank),
})

async function storedOf(tx: Tx, content: Content, before?: ProviderAccount) {
  const [all, secrets] = await Promise.all([
    banksWithUse(tx),
    before
      ? tx.selectFrom('providerSecrets').select('name').where('providerAccountId', '=', before.id).execute()
      : Promise.resolve([]),
  ])
  const there = new Set(secrets.map(({ name }) => name as ProviderSecret))
  const moved = before && before.baseUrl !== content.baseUrl
  const secretsOfOtherAddress = moved ? sentSecrets.filter((name) => there.has(name)) : []
  for (const [name, value] of Object.entries(content.secrets))
    if (value === null) there.delete(name as ProviderSecret)
    else there.add(name as ProviderSecret)
  const own = all.filter(({ providerAccountId }) => providerAccountId === before?.id)
  const given = await tx
    .selectFrom('virtualAccounts')
    .select('bank')
    .distinct()
    .where('bank', 'in', own.length ? own.map(({ code }) => code) : [''])
    .execute()
  return {
    secrets: there,
    secretsOfOtherAddress,
    banks: own.map((bank) => ({ ...bank, used: bank.used > 0 || given.some((one) => one.bank === bank.code) })),
    others: all.filter(({ providerAccountId }) => providerAccountId !== before?.id),
  }
}

async function checkName(tx: Tx, name: string, id: string) {
  const taken = await tx
    .selectFrom('providerAccounts')
    .select('id')
    .where((eb) => eb(eb.fn('lower', ['name']), '=', name.toLowerCase()))
    .where('id', '!=', id)
    .executeTakeFirst()
  if (taken) throw invalid({ name: 'already_exists' })
}

async function writeSecrets(tx: Tx, services: Services, id: string, secrets: Content['secrets']) {
  for (const [key, value] of Object.entries(secrets)) {
    const name = key as ProviderSecret
    await tx.deleteFrom('providerSecrets').where('providerAccountId', '=', id).where('name', '=', name).execute()
    if (value)
      await tx
        .insertInto('providerSecrets')
        .values({
          providerAccountId: id,
          name,
          sealed: sealSecret(services, id, name, value),
          lastFour: endOf(name, value),
          setAt: services.clock.now(),
        })
        .execute()
  }
}

/** Enough to tell two apart; the ends of PEM files are all the same, so theirs come from a digest. */
const endOf = (name: ProviderSecret, value: string) =>
  name === 'privateKey'
    ? crypto.createHash('sha256').update(value).digest('hex').slice(-4)
    : value.length >= 12
      ? value.slice(-4)
      : '••••'

async function writeBanks(tx: Tx, id: string, banks: Content['banks']) {
  const kept = banks.flatMap((bank) => bank.id ?? [])
  await tx
    .deleteFrom('providerBanks')
    .where('providerAccountId', '=', id)
    .$if(kept.length > 0, (q) => q.where('id', 'not in', kept))
    .execute()
  for (const [sortOrder, { id: bankId, ...bank }] of banks.entries())
    if (bankId)
      await tx
        .updateTable('providerBanks')
        .set({ ...bank, sortOrder })
        .where('id', '=', bankId)
        .execute()
    else
      await tx
        .insertInto('providerBanks')
        .values({ ...bank, providerAccountId: id, sortOrder })
        .execute()
}

/** One change at a time: whether prefixes exclude each other is seen by looking at all of them. */
const alone = (tx: Tx) => sql`LOCK TABLE provider_banks IN SHARE ROW EXCLUSIVE MODE`.execute(tx)

function refuse(kind: ProviderKind, content: Content, stored: Awaited<ReturnType<typeof storedOf>>) {
  const problems = problemsOf(kind, content, stored)
  if (Object.keys(problems).length > 0) throw invalid(problems)
}

export async function createProvider(services: Services, actor: Actor, { code, kind, ...content }: New) {
  const id = crypto.randomUUID()
  await services.db.transaction().execute(async (tx) => {
    await alone(tx)
    refuse(kind, content, await storedOf(tx, content))
    await checkName(tx, content.name, id)
    const taken = await tx.selectFrom('providerAccounts').select('id').where('code', '=', code).executeTakeFirst()
    if (taken || code === 'sandbox') throw invalid({ code: 'already_exists' })
    const now = services.clock.now()
    const row = await tx
      .insertInto('providerAccounts')
      .values({
        id,
        code,
        kind,
        name: content.name,
        active: content.active,
        baseUrl: content.baseUrl,
        settings: JSON.stringify(content.snap ?? {}),
        createdAt: now,
        updatedAt: now,
        createdBy: actor.accountId,
        updatedBy: actor.accountId,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await writeBanks(tx, id, content.banks)
    await writeSecrets(tx, services, id, content.secrets)
    await recordAudit(tx, actor, 'provider.create', subject(id), {
      after: { ...snapshot(row, content.banks), replaced: Object.keys(content.secrets) },
    })
  })
  forgetProviders(services)
  return showProvider(services, id)
}

export async function updateProvider(services: Services, actor: Actor, id: string, { version, ...content }: Changed) {
  await services.db.transaction().execute(async (tx) => {
    await alone(tx)
    const before = await getProviderAccount(tx, id, true)
    if (before.version !== version) throw conflict('stale_version')
    const stored = await storedOf(tx, content, before)
    refuse(before.kind, content, stored)
    await checkName(tx, content.name, id)
    const replaced = Object.keys(content.secrets)
    const after = await tx
      .updateTable('providerAccounts')
      .set({
        name: content.name,
        active: content.active,
        baseUrl: content.baseUrl,
        settings: JSON.stringify(content.snap ?? {}),
        // What was found out at one address or with one key says nothing about another.
        ...((replaced.length > 0 || before.baseUrl !== content.baseUrl) && {
          checkedAt: null,
          problem: null,
          problemDetail: null,
          problemAt: null,
        }),
        version: version + 1,
        updatedAt: services.clock.now(),
        updatedBy: actor.accountId,
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await writeBanks(tx, id, content.banks)
    await writeSecrets(tx, services, id, content.secrets)
    await recordAudit(tx, actor, 'provider.update', subject(id), {
      before: snapshot(before, stored.banks as never),
      after: { ...snapshot(after, content.banks), ...(replaced.length > 0 && { replaced }) },
    })
  })
  forgetProviders(services)
  return showProvider(services, id)
}

async function replaceKeys(
  services: Services,
  actor: Actor,
  id: string,
  made: { secrets: Content['secrets']; inboundClientKey?: string },
) {
  await services.db.transaction().execute(async (tx) => {
    const before = await getProviderAccount(tx, id, true)
    if (before.kind !== 'snap') throw conflict('invalid_input')
    const settings = snapSettings.parse(before.settings)
    await tx
      .updateTable('providerAccounts')
      .set({
        settings: JSON.stringify({
          ...settings,
          ...(made.inboundClientKey && { inboundClientKey: made.inboundClientKey }),
        }),
        version: before.version + 1,
        updatedAt: services.clock.now(),
        updatedBy: actor.accountId,
      })
      .where('id', '=', id)
      .execute()
    await writeSecrets(tx, services, id, made.secrets)
    await recordAudit(tx, actor, 'provider.keys', subject(id), { after: { replaced: Object.keys(made.secrets) } })
  })
  forgetProviders(services)
}

/** A new name and secret for a bank that signs with them. The secret is told this once. */
export async function makeInboundSecret(services: Services, actor: Actor, id: string) {
  const clientKey = crypto.randomUUID()
  const secret = crypto.randomBytes(32).toString('base64url')
  await replaceKeys(services, actor, id, { secrets: { inboundSecret: secret }, inboundClientKey: clientKey })
  return { clientKey, secret }
}

const generate = promisify(crypto.generateKeyPair)

/** A new key pair for signing what we send; the bank is given its public half. */
export async function makeKeyPair(services: Services, actor: Actor, id: string) {
  const { privateKey } = await generate('rsa', { modulusLength: 2048 })
  const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
  await replaceKeys(services, actor, id, { secrets: { privateKey: pem } })
  return showProvider(services, id)
}
