import { sql } from 'kysely'
import { bareDigits, proposalProblems } from '#domain/applicants/profile-problems.ts'
import { foundProblems } from '#domain/body-check.ts'
import { theOnly } from '#domain/must.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { type FieldErrors, invalid } from '#server/platform/errors.ts'
import { schoolPatterns } from '#server/platform/school-words.ts'
import type { Services } from '#server/platform/services.ts'

const schoolsForForm = (db: Db) =>
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

/** The query of `searchSchools`, exported so that a test can read its plan. */
export function querySchools(db: Db, q: string, cityId?: string) {
  let schools = schoolsForForm(db).where('s.active', '=', true)
  for (const pattern of schoolPatterns(q)) schools = schools.where('f.words', 'like', pattern)
  if (cityId) schools = schools.where('s.cityId', '=', cityId)
  return schools.orderBy('s.verified', 'desc').orderBy(sql`length(s.name)`).orderBy('s.name').orderBy('s.id').limit(20)
}

/** The twenty best matches by name, NPSN or city; without a match, the ten most similar names. */
export async function searchSchools(db: Db, q: string, cityId?: string) {
  if (schoolPatterns(q).length === 0) return []
  const schools = await querySchools(db, q, cityId).execute()
  if (schools.length > 0 || q.length < 4) return schools
  const lowered = q.toLowerCase()
  let similar = schoolsForForm(db).where('s.active', '=', true).where(sql<boolean>`f.words %> ${lowered}`)
  if (cityId) similar = similar.where('s.cityId', '=', cityId)
  return similar.orderBy(sql`word_similarity(${lowered}, f.words)`, 'desc').orderBy('s.name').limit(10).execute()
}

type Proposal = {
  name: string
  npsn?: string | undefined
  schoolTypeId: string
  status: 'negeri' | 'swasta'
  cityId: string
  address?: string | undefined
}

/**
 * Adds an unverified school for staff to check. Returns the existing school if the NPSN, or the name in the same city,
 * is already known.
 */
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

    const findExisting = () =>
      schoolsForForm(tx)
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
                  // NPSN of a school that was merged into this school.
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
    const existing = await findExisting()
    if (existing) return { ...existing, existed: true }

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
    // Imported lists contain provisional numbers too, so the next free number may take several attempts.
    for (let attempt = 0; attempt < 50; attempt++) {
      const added = await tx
        .insertInto('schools')
        .values({ ...values, npsn: npsn ?? (await nextProvisionalNpsn(tx)) })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst()
      if (added) {
        await recordAudit(tx, actor, { action: 'school.propose', on: { school: added.id }, after: values })
        return { ...(await schoolsForForm(tx).where('s.id', '=', added.id).executeTakeFirstOrThrow()), existed: false }
      }
      const conflicting = npsn && (await findExisting())
      if (conflicting) return { ...conflicting, existed: true }
    }
    throw new Error('No provisional NPSN is free')
  })
}

async function nextProvisionalNpsn(tx: Db) {
  const { rows } = await sql<{ n: number }>`SELECT nextval('school_provisional_numbers') AS n`.execute(tx)
  return `NP${String(theOnly(rows).n).padStart(6, '0')}`
}
