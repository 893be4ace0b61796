import { type RawBuilder, sql } from 'kysely'
import { applicantRole } from '#domain/access/applicant-role.ts'
import { type Actor, systemActor } from './authorization.ts'
import { publicProgrammeIn, seesUnpublished } from './decision-scope.ts'

/*
 * Every row scope of the server. Modules, lists and reports use these conditions in their WHERE, so a row out of scope
 * gives 404, as if it did not exist. `scripts/rules/scope-rules.ts` refuses copies elsewhere.
 */

type Scoped = Pick<Actor, 'scope'>

/** Applicants see only what belongs to their account. */
export const isApplicant = ({ scope }: Scoped) => scope.kind === 'own'

/** Whether the actor sees the rows of the whole university. */
export const seesAll = ({ scope }: Scoped) => scope.kind === 'all'

/** Whether the actor's role is limited to some study programmes. */
export const isLimited = ({ scope }: Scoped) => scope.kind === 'programmes'

/** Ids of the study programmes the actor's role is limited to; null without such a limit. */
export const programmeIdsOf = ({ scope }: Scoped): readonly string[] | null =>
  scope.kind === 'programmes' ? scope.programmeIds : null

/**
 * Whether a study programme is within the limit of the actor's role. Null (no programme yet) is outside every limit.
 */
export const reachesProgramme = ({ scope }: Scoped, programmeId: string | null): boolean =>
  scope.kind !== 'programmes' || (programmeId !== null && scope.programmeIds.includes(programmeId))

/**
 * SQL condition: whether a column with a study programme id, such as `p.id`, is within the limit of the actor's role.
 */
export const programmeVisibleTo = ({ scope }: Scoped, column: string): RawBuilder<boolean> =>
  scope.kind === 'programmes'
    ? sql<boolean>`${sql.ref(column)} = ANY(${scope.programmeIds}::uuid[])`
    : sql<boolean>`true`

/**
 * Registrations the actor sees: an applicant's own, those of a limited role's programmes, or all. A registration
 * belongs to its first choice until an acceptance for another programme is public; for roles that decide or publish,
 * until it is made. `alias` names the table `registrations` in the query. Bills, virtual accounts, documents and seats
 * join it.
 */
export function visibleTo(actor: Actor, alias = 'r'): RawBuilder<boolean> {
  if (actor.scope.kind === 'own') return sql<boolean>`${sql.ref(`${alias}.account_id`)} = ${actor.accountId}`
  return actor.scope.kind === 'all' || seesUnpublished(actor)
    ? programmeVisibleTo(actor, `${alias}.programme_id`)
    : publicProgrammeIn(actor.scope.programmeIds, actor.at ?? null, alias)
}

/** Whether the actor answers chats as staff. Applicants hold the same permission for their own side. */
export const isOffice = (actor: Actor) => !isApplicant(actor) && actor.permissions.has('private-chat')

/**
 * Conversations the actor sees on the office side: all, for a limited role those of its applicants, none for an
 * applicant. Rooms are visible to all staff. `alias` names the table `conversations`.
 */
export function conversationsVisibleTo(actor: Actor, alias = 'v'): RawBuilder<boolean> {
  const accountId = sql.ref(`${alias}.account_id`)
  if (actor.scope.kind === 'own') return sql<boolean>`false`
  if (actor.scope.kind === 'all') return sql<boolean>`true`
  return sql<boolean>`(${sql.ref(`${alias}.kind`)} = 'room'
    OR EXISTS (SELECT FROM registrations r WHERE r.account_id = ${accountId} AND ${visibleTo(actor)}))`
}

/** What an actor without a limit to programmes sees besides their own rows. Conditions here depend on nothing else. */
export type Sight = { ownOnly: boolean; unpublished: boolean }

/** What the actor sees; null for a limited role, whose programmes are part of a condition. */
export const sightOf = (actor: Actor): Sight | null =>
  actor.scope.kind === 'programmes'
    ? null
    : { ownOnly: actor.scope.kind === 'own', unpublished: seesUnpublished(actor) }

/** An actor of this sight for conditions that several actors share; `accountId` may stand for each one's account. */
export const readerWith = ({ ownOnly, unpublished }: Sight, accountId: string): Actor => ({
  ...systemActor,
  accountId,
  scope: { kind: ownOnly ? 'own' : 'all' },
  permissions: new Set(unpublished ? ['pendaftaran-decide'] : []),
})

/** Registrations the actor does not see. */
export const hiddenFrom = (actor: Actor, alias = 'r'): RawBuilder<boolean> =>
  sql<boolean>`(${visibleTo(actor, alias)}) IS NOT TRUE`

/**
 * Payments the actor sees, for a query that left-joins `registrations`. Money without a bill is visible to its payer
 * and to actors who see the whole university.
 */
export const paymentsVisibleTo = (actor: Actor, payments = 'p', registrations = 'r'): RawBuilder<boolean> =>
  actor.scope.kind === 'own'
    ? sql<boolean>`${sql.ref(`${payments}.account_id`)} = ${actor.accountId}`
    : visibleTo(actor, registrations)

/**
 * Accounts the actor sees: all, or for a limited role the staff limited to the same programmes and the applicants who
 * registered there; always the actor's own. Staff limited to a faculty are visible to roles that see the whole faculty.
 */
export function accountsVisibleTo(actor: Actor, alias = 'a'): RawBuilder<boolean> {
  const { accountId, role, scope } = actor
  if (scope.kind === 'all') return sql<boolean>`true`
  const [id, roleId] = [sql.ref(`${alias}.id`), sql.ref(`${alias}.role_id`)]
  if (scope.kind === 'own') return sql<boolean>`${id} = ${accountId}`
  const programmes = sql`${scope.programmeIds}::uuid[]`
  return sql<boolean>`(${id} = ${accountId}
    OR ${roleId} = ANY(ARRAY(SELECT s.role_id FROM role_scopes s JOIN roles o ON o.id = s.role_id
      WHERE o.name <> ${applicantRole} GROUP BY s.role_id
      HAVING bool_and(s.programme_id = ANY(${programmes}) IS TRUE
        OR s.faculty_id IN (SELECT w.faculty_id FROM role_scopes w WHERE w.role_id = ${role.id}) IS TRUE)))
    OR EXISTS (SELECT FROM registrations r WHERE r.account_id = ${id} AND ${visibleTo(actor)}))`
}
