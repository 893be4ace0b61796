import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { applicantRole } from '#domain/access/applicant-role.ts'
import { listAccounts } from '#domain/accounts/lists.ts'
import { phonePartsOf } from '#domain/accounts/phone.ts'
import type { AccountRow } from '#domain/accounts/staff-endpoints.ts'
import type { FiltersOf } from '#domain/list.ts'
import { countRows } from '#server/list/count-rows.ts'
import { serveList, sourceFor } from '#server/list/serve-list.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { maskEmail, maskPhone } from '#server/platform/access/masks.ts'
import { findRoles } from '#server/platform/access/reach.ts'
import { accountsVisibleTo, seesAll } from '#server/platform/access/row-scope.ts'
import { contains, type Database, type Db, likePattern, searchPattern } from '#server/platform/database/database.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'

export type AccountFilter = FiltersOf<typeof listAccounts>
type AccountSort = 'name' | 'email' | 'lastSignedInAt' | 'createdAt'
type From = SelectQueryBuilder<{ a: Database['accounts']; accountVisits: Database['accountVisits'] }, 'a', object>

/** Whether the actor sees e-mails and phone numbers of applicants; others find applicants by name. */
export const maySeeContacts = (actor: Actor) => actor.permissions.has('settings-accounts-update')

/** Role id of applicants, and role ids of staff. */
async function rolesByKind(db: Db) {
  const roles = await findRoles(db)
  const applicantRoleId = roles.find(({ name }) => name === applicantRole)?.id
  return { applicantRoleId, staffRoleIds: roles.filter(({ id }) => id !== applicantRoleId).map(({ id }) => id) }
}

/** Invited, without a password and never signed in. */
export const isInvited = sql<boolean>`(a.invited_at IS NOT NULL AND a.password_hash IS NULL
  AND (SELECT w.last_signed_in_at FROM account_visits w WHERE w.account_id = a.id) = '-infinity')`

/** Trigram indexes need three letters: shorter searches match the beginning of words only. */
function searchCondition(q: string, contactRoleIds: readonly string[] | null): RawBuilder<boolean> {
  const lower = q.toLowerCase()
  const startPattern = searchPattern(q).slice(1)
  const name =
    q.length < 3
      ? sql`search_key(a.name) LIKE ${startPattern} OR search_key(a.name) LIKE ${`% ${startPattern}`}`
      : contains('a.name', q)
  const email = sql`a.email_lower LIKE ${q.length < 3 ? likePattern(lower).slice(1) : likePattern(lower)}`
  const phones = phonePatterns(q).map((pattern) => sql`a.phone LIKE ${pattern}`)
  const contacts = sql.join([email, ...phones], sql` OR `)
  return contactRoleIds
    ? sql<boolean>`(${name} OR (a.role_id = ANY(${contactRoleIds}::uuid[]) AND (${contacts})))`
    : sql<boolean>`(${name} OR ${contacts})`
}

/** Digits match anywhere in the number; fewer than three match only its beginning, with or without 62. */
const phonePatterns = (q: string): string[] =>
  phonePartsOf(q).map((digits) => {
    if (digits.length > 2) return likePattern(digits)
    return digits.startsWith('62') ? `+${digits}%` : `+62${digits}%`
  })

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

/** Returns a function that builds list rows with their role; masks contacts the actor may not see. */
export async function makeRowBuilder(db: Db, actor: Actor, now: Date) {
  const roles = new Map((await findRoles(db)).map((role) => [role.id, role]))
  const query = (db.selectFrom('accounts as a') as unknown as From).select(accountColumns)
  type Found = Awaited<ReturnType<typeof query.executeTakeFirstOrThrow>>
  return (row: Found): AccountRow => {
    const role = roles.get(row.roleId)
    const applicant = role?.name === applicantRole
    const masked = applicant && !maySeeContacts(actor) && row.id !== actor.accountId
    const locked = row.lockedUntil && row.lockedUntil > now ? row.lockedUntil : null
    const totpRequired = row.requireTotp || role?.requireTotp
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
      twoFactor: row.hasTotp ? 'on' : totpRequired ? 'missing' : 'off',
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

/** Joins the table that this sort order needs. */
export const joinForSort = (from: From, sort: string): From =>
  sort.endsWith('lastSignedInAt')
    ? (from.innerJoin('accountVisits as v', 'v.accountId', 'a.id') as unknown as From)
    : from

/** The same sort orders as expressions that no index covers. */
const sortsWithoutIndex: Record<AccountSort, Sort> = {
  ...sorts,
  name: { by: sql`(a.name || '')`, type: 'text' },
  email: { by: sql`(a.email_lower || '')`, type: 'text' },
  createdAt: { by: sql`(a.created_at + interval '0')`, type: 'timestamptz' },
  lastSignedInAt: { by: sql`(v.last_signed_in_at + interval '0')`, type: 'timestamptz' },
}

/** Up to this number of matches, the search is read whole and sorted. */
const maxSortedRows = 50_000

/**
 * The planner assumes that matches are spread evenly over the list and walks an ordered index until it has a page. If
 * names with the same beginning are all at the other end, that walk reads nearly everything. With few matches,
 * therefore, the index is avoided; with many the walk ends soon.
 */
export async function chooseSorts(db: Db, filter: AccountFilter, matching: From): Promise<Record<AccountSort, Sort>> {
  if (!filter.q) return sorts
  const { total } = await countRows(db, sql`${matching.select(sql<number>`1`.as('one'))}`)
  return total > maxSortedRows ? sorts : sortsWithoutIndex
}

export const accountSource = ({ db }: Pick<Services, 'db'>) =>
  sourceFor(listAccounts, {
    from: () => db.selectFrom('accounts as a') as unknown as From,
    scope: ({ actor }) => (seesAll(actor) ? 'everyone' : accountsVisibleTo(actor)),
    filters: {
      q: async (q, { actor }) =>
        searchCondition(q, maySeeContacts(actor) ? null : (await rolesByKind(db)).staffRoleIds),
      kind: async (kind) => {
        const { staffRoleIds, applicantRoleId } = await rolesByKind(db)
        return kind === 'staff'
          ? sql<boolean>`a.role_id = ANY(${staffRoleIds}::uuid[])`
          : sql<boolean>`a.role_id = ${applicantRoleId}`
      },
      roleId: 'a.roleId',
      active: (active) => (active === 'true' ? sql<boolean>`a.active` : sql<boolean>`NOT a.active`),
      emailVerified: (verified) => (eb) => eb('a.emailVerifiedAt', verified === 'true' ? 'is not' : 'is', null),
      twoFactor: (twoFactor) => (eb) => eb('a.totpSecret', twoFactor === 'true' ? 'is not' : 'is', null),
      locked: (locked, { now }) =>
        locked === 'true'
          ? sql<boolean>`a.locked_until > ${now}`
          : sql<boolean>`(a.locked_until IS NULL OR a.locked_until <= ${now})`,
      invited: (invited) => (invited === 'true' ? isInvited : sql<boolean>`NOT ${isInvited}`),
    },
    columns: (matching) => matching.select(accountColumns),
    sorts,
    id: sql`a.id`,
    planFor: async ({ from, filters, sort }) => ({
      from: joinForSort(from, sort),
      sorts: await chooseSorts(db, filters, from),
      ...(sort.endsWith('lastSignedInAt') && { id: sql`v.account_id` }),
    }),
    toRows: async (found, { connection, actor, now }) => found.map(await makeRowBuilder(connection, actor, now)),
    toCells: ({ role }) => ({ role: role.name }),
  })

export const serveAccounts = (app: App, services: Services) =>
  serveList(app, services, listAccounts, accountSource(services))
