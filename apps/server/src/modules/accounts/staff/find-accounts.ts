import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { applicantRole } from '#domain/access/applicant-role.ts'
import { listAccounts } from '#domain/accounts/lists.ts'
import { parsePhone } from '#domain/accounts/phone.ts'
import type { AccountRow } from '#domain/accounts/staff-endpoints.ts'
import type { FiltersOf } from '#domain/list.ts'
import { countRows } from '#server/list/count-rows.ts'
import { serveList } from '#server/list/serve-list.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { findRoles } from '#server/platform/access/reach.ts'
import { accountsVisibleTo, seesAll } from '#server/platform/access/row-scope.ts'
import { type Database, type Db, likePattern } from '#server/platform/database/database.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'

export type AccountFilter = FiltersOf<typeof listAccounts>
type AccountSort = 'name' | 'email' | 'lastSignedInAt' | 'createdAt'
type From = SelectQueryBuilder<{ a: Database['accounts'] }, 'a', object>

/** Addresses and numbers of applicants are for those who may change accounts; others find applicants by name. */
export const seesContacts = (actor: Actor) => actor.permissions.has('settings-accounts-update')

const maskEmail = (email: string) => email.replace(/^(.).*(@.*)$/, '$1•••$2')
/** `maskEmail` in SQL. */
export const maskedEmail = (email: RawBuilder<unknown>) => sql`regexp_replace(${email}, '^(.).*(@.*)$', '\\1•••\\2')`
const maskPhone = (phone: string) => `••••${phone.slice(-3)}`

/** Accounts of the filter, without columns and order. */
export async function matchingAccounts(db: Db, actor: Actor, filter: AccountFilter, now: Date): Promise<From> {
  const roles = await findRoles(db)
  const student = roles.find(({ name }) => name === applicantRole)?.id
  const staff = roles.filter(({ id }) => id !== student).map(({ id }) => id)
  let from = db.selectFrom('accounts as a') as unknown as From
  if (!seesAll(actor)) from = from.where(accountsVisibleTo(actor))
  const where = (condition: RawBuilder<boolean>) => {
    from = from.where(condition)
  }
  if (filter.q) where(searchOf(filter.q, seesContacts(actor) ? null : staff))
  if (filter.kind === 'staff') where(sql`a.role_id = ANY(${staff}::uuid[])`)
  if (filter.kind === 'applicants') where(sql`a.role_id = ${student}`)
  if (filter.roleId) where(sql`a.role_id = ${filter.roleId}`)
  if (filter.active) where(filter.active === 'true' ? sql`a.active` : sql`NOT a.active`)
  if (filter.emailVerified)
    where(sql`a.email_verified_at IS ${sql.raw(filter.emailVerified === 'true' ? 'NOT NULL' : 'NULL')}`)
  if (filter.twoFactor) where(sql`a.totp_secret IS ${sql.raw(filter.twoFactor === 'true' ? 'NOT NULL' : 'NULL')}`)
  if (filter.locked === 'true') where(sql`a.locked_until > ${now}`)
  if (filter.locked === 'false') where(sql`(a.locked_until IS NULL OR a.locked_until <= ${now})`)
  if (filter.invited === 'true') where(isInvited)
  if (filter.invited === 'false') where(sql`NOT ${isInvited}`)
  return from
}

/** Invited and not there yet: neither a password chosen nor signed in by Google. */
export const isInvited = sql<boolean>`(a.invited_at IS NOT NULL AND a.password_hash IS NULL
  AND (SELECT w.last_signed_in_at FROM account_visits w WHERE w.account_id = a.id) = '-infinity')`

/** Two letters are no trigram: of many rows they find what a word begins with. */
function searchOf(q: string, contactsOf: readonly string[] | null): RawBuilder<boolean> {
  const [starts, anywhere] = [likePattern(q).slice(1), likePattern(q)]
  const lower = q.toLowerCase()
  const name =
    q.length < 3 ? sql`a.name ILIKE ${starts} OR a.name ILIKE ${`% ${starts}`}` : sql`a.name ILIKE ${anywhere}`
  const email = sql`a.email_lower LIKE ${q.length < 3 ? likePattern(lower).slice(1) : likePattern(lower)}`
  const phone = phonePattern(q)
  const contacts = phone ? sql`${email} OR a.phone LIKE ${phone}` : email
  return contactsOf
    ? sql<boolean>`(${name} OR (a.role_id = ANY(${contactsOf}::uuid[]) AND (${contacts})))`
    : sql<boolean>`(${name} OR ${contacts})`
}

/** 0812…, 62812… and +62812… are the same number; other digits may stand anywhere in it. */
function phonePattern(q: string): string | null {
  if (!/^[+\d][\d\s().-]+$/.test(q)) return null
  const whole = parsePhone(q)
  if (whole) return `${whole}%`
  const digits = q.replace(/\D/g, '')
  if (digits.startsWith('0')) return `+62${digits.slice(1)}%`
  if (q.startsWith('+') || digits.startsWith('62')) return `+${digits}%`
  return digits.length < 3 ? `+62${digits}%` : `%${digits}%`
}

export const accountColumns = [
  'a.id',
  'a.name',
  'a.email',
  'a.phone',
  'a.roleId',
  'a.active',
  'a.emailVerifiedAt',
  'a.requireTotp',
  'a.lockedUntil',
  'a.createdAt',
  sql<boolean>`a.totp_secret IS NOT NULL`.as('hasTotp'),
  isInvited.as('invited'),
  sql<Date | null>`(SELECT nullif(w.last_signed_in_at, '-infinity') FROM account_visits w WHERE w.account_id = a.id)`.as(
    'lastSignedInAt',
  ),
] as const

/** Reads rows as the API shows them: with their role, and cut short where the reader may not see more. */
export async function rowMaker(db: Db, actor: Actor, now: Date) {
  const roles = new Map((await findRoles(db)).map((role) => [role.id, role]))
  const query = (db.selectFrom('accounts as a') as unknown as From).select(accountColumns)
  type Found = Awaited<ReturnType<typeof query.executeTakeFirstOrThrow>>
  return (row: Found): AccountRow => {
    const role = roles.get(row.roleId)
    const applicant = role?.name === applicantRole
    const masked = applicant && !seesContacts(actor) && row.id !== actor.accountId
    const locked = row.lockedUntil && row.lockedUntil > now ? row.lockedUntil : null
    const required = row.requireTotp || role?.requireTotp
    return {
      id: row.id,
      name: row.name,
      email: masked ? maskEmail(row.email) : row.email,
      phone: row.phone && (masked ? maskPhone(row.phone) : row.phone),
      role: { id: row.roleId, name: role?.name ?? '' },
      applicant,
      active: row.active,
      invited: row.invited,
      emailVerifiedAt: row.emailVerifiedAt?.toISOString() ?? null,
      twoFactor: row.hasTotp ? 'on' : required ? 'missing' : 'off',
      lockedUntil: locked?.toISOString() ?? null,
      lastSignedInAt: row.lastSignedInAt?.toISOString() ?? null,
      createdAt: row.createdAt.toISOString(),
      status: row.invited ? 'invited' : !row.active ? 'inactive' : locked ? 'locked' : 'active',
      emailVerified: row.emailVerifiedAt !== null,
    }
  }
}

type Sort = { by: RawBuilder<unknown>; type: 'text' | 'timestamptz' }

const sorts: Record<AccountSort, Sort> = {
  name: { by: sql`a.name`, type: 'text' },
  email: { by: sql`a.email_lower`, type: 'text' },
  lastSignedInAt: { by: sql`v.last_signed_in_at`, type: 'timestamptz' },
  createdAt: { by: sql`a.created_at`, type: 'timestamptz' },
}

/** With what an order needs besides the accounts themselves. */
export const inOrderOf = (from: From, sort: string): From =>
  sort.endsWith('lastSignedInAt')
    ? ((from as SelectQueryBuilder<Database & { a: Database['accounts'] }, 'a', object>).innerJoin(
        'accountVisits as v',
        'v.accountId',
        'a.id',
      ) as unknown as From)
    : from

/** The same orders behind a form that no index has. */
const sortsOfFew: Record<AccountSort, Sort> = {
  ...sorts,
  name: { by: sql`(a.name || '')`, type: 'text' },
  email: { by: sql`(a.email_lower || '')`, type: 'text' },
  createdAt: { by: sql`(a.created_at + interval '0')`, type: 'timestamptz' },
  lastSignedInAt: { by: sql`(v.last_signed_in_at + interval '0')`, type: 'timestamptz' },
}

/** Of fewer than these the search is read whole and sorted. */
const few = 50_000

/**
 * The planner takes what is searched for to be spread evenly over the list, and walks the list until it has met a
 * page of it; names that begin alike stand together at its other end. What many match is met soon, and walked for.
 */
export async function sortsFor(db: Db, filter: AccountFilter, matching: From): Promise<Record<AccountSort, Sort>> {
  if (!filter.q) return sorts
  const { total } = await countRows(db, sql`${matching.select(sql<number>`1`.as('one'))}`)
  return total > few ? sorts : sortsOfFew
}

export const serveAccounts = (app: App, services: Services) => {
  const { db } = services
  serveList(app, services, listAccounts, {
    from: ({ actor, now }, filters) => matchingAccounts(db, actor, filters, now),
    columns: (wanted) => wanted.select(accountColumns),
    sorts,
    id: sql`a.id`,
    planFor: async ({ from, filters, sort }) => ({
      from: inOrderOf(from, sort),
      sorts: await sortsFor(db, filters, from),
      ...(sort.endsWith('lastSignedInAt') && { id: sql`v.account_id` }),
    }),
    toRows: async (found, { actor, now }) => found.map(await rowMaker(db, actor, now)),
    toCells: ({ role }) => ({ role: role.name }),
    nameOf: async (filter, value) =>
      filter === 'roleId' ? (await findRoles(db)).find(({ id }) => id === value)?.name : undefined,
  })
}
