import type { Bill } from '#server/modules/payments/bills/change/issue-bill.ts'
import { getBill } from '#server/modules/payments/bills/visible-bills.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { maskName } from '#server/platform/access/masks.ts'
import type { Db } from '#server/platform/database/database.ts'
import { invalid } from '#server/platform/errors.ts'

/** The student named by a sibling discount, the name masked; 422 for an unknown number or the payer's own. */
export async function getSibling(db: Db, { accountId }: Pick<Bill, 'accountId'>, number: string) {
  const student = await findStudent(db, number)
  if (!student) throw invalid({ siblingNumber: 'student_unknown' })
  if (student.accountId === accountId) throw invalid({ siblingNumber: 'sibling_is_self' })
  return toSibling(student)
}

const findStudent = (db: Db, number: string) =>
  db
    .selectFrom('students as s')
    .innerJoin('registrations as r', 'r.id', 's.registrationId')
    .innerJoin('applicants as a', 'a.id', 'r.applicantId')
    .innerJoin('studyProgrammes as p', 'p.id', 's.programmeId')
    .select(['s.npm', 's.accountId', 'a.fullName', 'p.name as programme'])
    .where('s.npm', '=', number)
    .executeTakeFirst()

type Student = { npm: string; fullName: string; programme: string }
const toSibling = ({ npm, fullName, programme }: Student) => ({ number: npm, name: maskName(fullName), programme })

/** The student a sibling discount would name for a bill the actor may see; null for a number that is not allowed. */
export async function findSibling(db: Db, actor: Actor, billId: string, number: string) {
  const { accountId } = await getBill(db, actor, billId)
  const student = await findStudent(db, number)
  return student && student.accountId !== accountId ? toSibling(student) : null
}

/** A registration may have one sibling discount on all its bills; 422 for the second. */
export async function requireNoSiblingDiscount(db: Db, registrationId: string) {
  const use = await db
    .selectFrom('discountUses as u')
    .innerJoin('discounts as d', 'd.id', 'u.discountId')
    .select('u.id')
    .where('u.registrationId', '=', registrationId)
    .where('u.releasedAt', 'is', null)
    .where('d.condition', '=', 'sibling')
    .executeTakeFirst()
  if (use) throw invalid({ discountId: 'sibling_given' })
}
