import { type RawBuilder, sql } from 'kysely'
import { emailOf, phoneOf } from '#domain/campaigns/addresses.ts'
import { type MarketingPurpose, marketingPurposes, type OptOutSource } from '#domain/campaigns/campaigns.ts'
import { theOnly } from '#domain/must.ts'
import { type OptOutOwner, readOptOutToken } from '#server/modules/campaigns/opt-out-token.ts'
import { type Actor, systemActor } from '#server/platform/access/authorization.ts'
import { maskEmail, maskListedPhone } from '#server/platform/access/masks.ts'
import { recordAudits } from '#server/platform/audit.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { conflict, invalid, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { accountAddresses, accountOptOuts } from './account-addresses.ts'
import { addressesVisibleTo } from './address-scope.ts'

type NewOptOut = {
  addresses: readonly string[]
  purposes: readonly MarketingPurpose[]
  source: OptOutSource
  note?: string | null
  now: Date
}

/**
 * Adds opt-outs and returns the rows added or replaced. An opt-out in force stays, unless it came from the account
 * settings and the new one did not.
 */
export async function optOut(tx: Tx, actor: Actor, { addresses, purposes, source, note = null, now }: NewOptOut) {
  // An account can enter a stranger's address and opt it out. Once the stranger opts out too, the row is replaced, so
  // that the account cannot lift the opt-out.
  const { rows } = await sql<{ id: string; purpose: MarketingPurpose }>`
    INSERT INTO opt_outs (address, purpose, source, note, created_at, created_by)
    SELECT address, purpose, ${source}, ${note}, ${now}, ${actor.accountId || null}
    FROM unnest(${[...addresses].toSorted()}::text[]) AS address, unnest(${[...purposes]}::text[]) AS purpose
    ON CONFLICT (address, purpose) WHERE lifted_at IS NULL DO UPDATE SET source = excluded.source, note = excluded.note,
      created_at = excluded.created_at, created_by = excluded.created_by, version = opt_outs.version + 1
      WHERE opt_outs.source = 'preferences' AND excluded.source <> 'preferences'
    RETURNING id, purpose`.execute(tx)
  await recordAudits(
    tx,
    actor,
    rows.map(({ id, purpose }) => ({
      action: 'opt-out.add',
      on: { 'opt-out': id },
      after: { purpose, source },
      ...(note && { reason: note }),
    })),
  )
  return rows
}

/** Opts an address out of all marketing after its owner sent a stop word. */
export const optOutByWord = (tx: Tx, { address, now }: { address: string; now: Date }) =>
  optOut(tx, systemActor, { addresses: [address], purposes: marketingPurposes, source: 'word', now })

type Lifted = {
  purposes: readonly MarketingPurpose[]
  /** SQL condition on `opt_outs o`: this opt-out may be lifted. */
  isLiftable: RawBuilder<boolean>
  now: Date
}

async function optBackIn(tx: Tx, actor: Actor, { purposes, isLiftable, now }: Lifted) {
  const { rows } = await sql<{ id: string; purpose: string }>`
    UPDATE opt_outs o SET lifted_at = ${now}, lifted_by = ${actor.accountId || null}, version = version + 1
    WHERE ${isLiftable} AND purpose = ANY(${[...purposes]}::text[]) AND lifted_at IS NULL
    RETURNING id, purpose`.execute(tx)
  await recordAudits(
    tx,
    actor,
    rows.map(({ id, purpose }) => ({
      action: 'opt-out.lift',
      on: { 'opt-out': id },
      before: { purpose },
    })),
  )
}

async function purposesOptedOut(db: Db, addresses: readonly string[]) {
  const rows = await db
    .selectFrom('optOuts')
    .select('purpose')
    .where(sql<boolean>`address = ANY(${[...addresses]}::text[])`)
    .where('liftedAt', 'is', null)
    .execute()
  const optedOut = new Set<string>(rows.map(({ purpose }) => purpose))
  return marketingPurposes.map((purpose) => ({ purpose, optedOut: optedOut.has(purpose) }))
}

const setOptOuts = async (
  tx: Tx,
  actor: Actor,
  {
    addresses,
    optedOut,
    source,
    isLiftable,
    now,
  }: Omit<NewOptOut, 'purposes'> & Pick<Lifted, 'isLiftable'> & { optedOut: readonly MarketingPurpose[] },
) => {
  const purposes = marketingPurposes.filter((purpose) => !optedOut.includes(purpose))
  await optBackIn(tx, actor, { purposes, isLiftable, now })
  await optOut(tx, actor, { addresses, purposes: optedOut, source, now })
}

const ownerOf = (services: Services, token: string): OptOutOwner => {
  const owner = readOptOutToken(services, token)
  if (!owner) throw notFound('link')
  return owner
}

const masked = (address: string) => (address.includes('@') ? maskEmail(address) : maskListedPhone(address))

/** The masked address and its opt-outs, for the page behind an opt-out link. 404 if the token is invalid. */
export async function readByLink(services: Services, token: string) {
  const { address } = ownerOf(services, token)
  const { universityName } = await getSettings(services.db)
  return {
    address: masked(address),
    university: universityName,
    purposes: await purposesOptedOut(services.db, [address]),
  }
}

export async function saveByLink(services: Services, token: string, optedOut: readonly MarketingPurpose[]) {
  const { address } = ownerOf(services, token)
  await services.db.transaction().execute((tx) =>
    setOptOuts(tx, systemActor, {
      ...{ addresses: [address], optedOut, source: 'link' as const, now: services.clock.now() },
      isLiftable: sql<boolean>`o.address = ${address}`,
    }),
  )
  return readByLink(services, token)
}

/** Opts the address out of the purpose named in the token. 404 if the token is invalid. */
export async function optOutByOneClick(services: Services, token: string) {
  const { address, purpose } = ownerOf(services, token)
  await services.db.transaction().execute((tx) =>
    optOut(tx, systemActor, {
      ...{ addresses: [address], purposes: [purpose], source: 'one_click' as const, now: services.clock.now() },
    }),
  )
  return { optedOut: true as const }
}

async function ownAddresses(db: Db, { accountId }: Actor) {
  const { rows } = await sql<{
    address: string
  }>`SELECT DISTINCT address FROM ${accountAddresses} k WHERE account_id = ${accountId}`.execute(db)
  return rows.map(({ address }) => address)
}

/**
 * SQL condition on `opt_outs o`: the account opted out in its settings or has proven the address. An unproven address
 * may be a stranger's.
 */
const liftableBy = ({
  accountId,
}: Actor) => sql<boolean>`(o.source = 'preferences' AND o.created_by IS NOT DISTINCT FROM ${accountId}::uuid
  OR EXISTS (SELECT FROM accounts a WHERE a.id = ${accountId} AND a.email_lower = o.address
    AND a.email_verified_at IS NOT NULL)
  OR EXISTS (SELECT FROM conversations v WHERE v.account_id = ${accountId} AND v.proven_phone = o.address))`

/** Whether the account is opted out of each marketing purpose, and whether it may opt back in. */
export async function readOwn(db: Db, actor: Actor) {
  const { rows } = await sql<{ purpose: MarketingPurpose; mayUndo: boolean }>`
    SELECT o.purpose, bool_and(${liftableBy(actor)}) AS may_undo FROM ${accountOptOuts} o
    WHERE o.account_id = ${actor.accountId} GROUP BY o.purpose`.execute(db)
  const mayUndo = new Map(rows.map((row) => [row.purpose, row.mayUndo]))
  return {
    purposes: marketingPurposes.map((purpose) => ({
      purpose,
      optedOut: mayUndo.has(purpose),
      mayUndo: mayUndo.get(purpose) ?? true,
    })),
  }
}

/**
 * Opts the account's addresses out of the purposes in `optedOut`. Opts back in to the other purposes where `liftableBy`
 * allows it.
 */
export async function saveOwn({ db, clock }: Services, actor: Actor, optedOut: readonly MarketingPurpose[]) {
  await db.transaction().execute(async (tx) => {
    // Parallel saves of one account wait for each other here.
    await tx.selectFrom('accounts').select('id').where('id', '=', actor.accountId).forNoKeyUpdate().execute()
    const addresses = await ownAddresses(tx, actor)
    const isLiftable = sql<boolean>`o.id IN (SELECT x.id FROM ${accountOptOuts} x WHERE x.account_id = ${actor.accountId})
      AND ${liftableBy(actor)}`
    await setOptOuts(tx, actor, { addresses, optedOut, source: 'preferences', isLiftable, now: clock.now() })
  })
  return readOwn(db, actor)
}

type Note = { address: string; purpose: MarketingPurpose; note: string }

/**
 * Records an opt-out that the address's owner asked for. 422 for an invalid address, 404 for an address outside the
 * actor's row scope. 409 if the address is already opted out of this purpose, unless that was done in account settings.
 */
export async function noteByStaff({ db, clock }: Services, actor: Actor, { address: text, purpose, note }: Note) {
  const address = phoneOf(text) ?? emailOf(text)
  if (!address) throw invalid({ address: 'opt_out_address' })
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ isVisible: boolean }>`
      SELECT coalesce(${addressesVisibleTo(actor, 'x')}, false) AS is_visible FROM (SELECT ${address}::text AS address) x`.execute(
      tx,
    )
    if (!theOnly(rows).isVisible) throw notFound('address')
    const [added] = await optOut(tx, actor, {
      ...{ addresses: [address], purposes: [purpose], source: 'staff' as const, note, now: clock.now() },
    })
    if (!added) throw conflict('opt_out_known')
    return { id: added.id }
  })
}

type Lift = { version: number; note: string }

/**
 * Lifts an opt-out; `note` is the reason in the audit log. 404 for an address outside the actor's row scope, 409 if
 * `version` is stale or the opt-out is already lifted.
 */
export const liftOptOut = ({ db, clock }: Services, actor: Actor, id: string, { version, note }: Lift) =>
  db.transaction().execute(async (tx) => {
    const before = await tx
      .selectFrom('optOuts as o')
      .select(['o.version', 'o.purpose', 'o.source', 'o.liftedAt'])
      .where('o.id', '=', id)
      .where(addressesVisibleTo(actor, 'o'))
      .forUpdate()
      .executeTakeFirst()
    if (!before) throw notFound('opt-out')
    if (before.version !== version) throw conflict('stale_version')
    if (before.liftedAt) throw conflict('wrong_status')
    await tx
      .updateTable('optOuts')
      .set((eb) => ({ liftedAt: clock.now(), liftedBy: actor.accountId, version: eb('version', '+', 1) }))
      .where('id', '=', id)
      .execute()
    const { purpose, source } = before
    await recordAudits(tx, actor, [
      { action: 'opt-out.lift', on: { 'opt-out': id }, before: { purpose, source }, reason: note },
    ])
    return { id }
  })
