import { sql } from 'kysely'
import { bareDigits, proposalProblems } from '#domain/applicants/profile-problems.ts'
import { schoolPatterns } from '#domain/applicants/school-words.ts'
import { foundProblems } from '#domain/body-check.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { type FieldErrors, invalid } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'

const shown = (db: Db) =>
  db
    .selectFrom('schools as s')
    .innerJoin('schoolSearch as f', 'f.schoolId', 's.id')
    .innerJoin('schoolTypes as t', 't.id', 's.schoolTypeId')
    .innerJoin('cities as c', 'c.id', 's.cityId')
    .innerJoin('provinces as p', 'p.id', 'c.provinceId')
    .select([
      's.id',
      's.npsn',
      's.name',
      's.schoolTypeId',
      't.name as schoolType',
      's.status',
      's.cityId',
      'c.name as city',
      'p.name as province',
      's.verified',
    ])

/** The query of `searchSchools`, apart so that a test can ask PostgreSQL for its plan. */
export function schoolQuery(db: Db, q: string, cityId?: string) {
  let found = shown(db).where('s.active', '=', true)
  for (const pattern of schoolPatterns(q)) found = found.where('f.words', 'like', pattern)
  if (cityId) found = found.where('s.cityId', '=', cityId)
  return found.orderBy('s.verified', 'desc').orderBy(sql`length(s.name)`).orderBy('s.name').orderBy('s.id').limit(20)
}

/** The twenty best schools by name, NPSN or city; when no word matches, the ones written most alike. */
export async function searchSchools(db: Db, q: string, cityId?: string) {
  if (schoolPatterns(q).length === 0) return []
  const found = await schoolQuery(db, q, cityId).execute()
  if (found.length > 0 || q.length < 4) return found
  const typed = q.toLowerCase()
  let alike = shown(db).where('s.active', '=', true).where(sql<boolean>`f.words %> ${typed}`)
  if (cityId) alike = alike.where('s.cityId', '=', cityId)
  return alike.orderBy(sql`word_similarity(${typed}, f.words)`, 'desc').orderBy('s.name').limit(10).execute()
}

type Proposal = {
  name: string
  npsn?: string | undefined
  schoolTypeId: string
  status: 'negeri' | 'swasta'
  cityId: string
  address?: string | undefined
}

/** Adds a school staff have still to check; the same name in the same city, or the same NPSN, is the school we have. */
export async function proposeSchool({ db }: Services, actor: Actor, proposal: Proposal) {
  const npsn = bareDigits(proposal.npsn ?? '') || null
  const name = proposal.name.replace(/\s+/g, ' ')
  return db.transaction().execute(async (tx) => {
    const problems: FieldErrors = foundProblems(proposalProblems(proposal))
    const [type, city] = await Promise.all([
      tx.selectFrom('schoolTypes').select('id').where('id', '=', proposal.schoolTypeId).executeTakeFirst(),
      tx.selectFrom('cities').select('id').where('id', '=', proposal.cityId).executeTakeFirst(),
    ])
    if (!type) problems.schoolTypeId = 'not_found'
    if (!city) problems.cityId = 'not_found'
    if (Object.keys(problems).length > 0) throw invalid(problems)

    const existing = () =>
      shown(tx)
        .where((eb) =>
          eb.or([
            eb.and([
              eb('s.active', '=', true),
              eb('s.cityId', '=', proposal.cityId),
              eb(sql`lower(s.name)`, '=', name.toLowerCase()),
            ]),
            ...(npsn
              ? [
                  eb(sql`lower(s.npsn)`, '=', npsn),
                  // The number of a school that was merged into this one.
                  eb(
                    's.id',
                    'in',
                    eb.selectFrom('schoolAliases').select('schoolId').where(sql`lower(npsn)`, '=', npsn),
                  ),
                ]
              : []),
          ]),
        )
        .executeTakeFirst()
    const known = await existing()
    if (known) return { ...known, existed: true }

    const values = {
      name,
      schoolTypeId: proposal.schoolTypeId,
      status: proposal.status,
      cityId: proposal.cityId,
      address: proposal.address || null,
      verified: false,
      proposedBy: actor.accountId,
      createdBy: actor.accountId,
      updatedBy: actor.accountId,
    }
    // Imported lists hold provisional numbers too, so the next free one may take a few turns.
    for (let turn = 0; turn < 50; turn++) {
      const added = await tx
        .insertInto('schools')
        .values({ ...values, npsn: npsn ?? (await nextProvisionalNpsn(tx)) })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst()
      if (added) {
        await recordAudit(tx, actor, 'school.propose', { type: 'school', id: added.id }, { after: values })
        return { ...(await shown(tx).where('s.id', '=', added.id).executeTakeFirstOrThrow()), existed: false }
      }
      const taken = npsn && (await existing())
      if (taken) return { ...taken, existed: true }
    }
    throw new Error('No provisional NPSN is free')
  })
}

async function nextProvisionalNpsn(tx: Db) {
  const { rows } = await sql<{ n: number }>`SELECT nextval('school_provisional_numbers') AS n`.execute(tx)
  return `NP${String(rows[0]!.n).padStart(6, '0')}`
}
