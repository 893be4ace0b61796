import crypto from 'node:crypto'
import type { VerifiedDocument } from '#domain/verification/endpoints.ts'
import { initialsOf } from '#server/modules/admissions/registrations/registration-card.ts'
import type { Services } from '#server/platform/services.ts'

type Keys = Pick<Services, 'config'>

const signature = ({ config }: Keys, text: string) =>
  crypto.createHmac('sha256', config.secretKey).update(`student card\n${text}`).digest('hex').slice(0, 20)

/** Address in the QR code of a card: number, copy (0: on the phone) and a signature by the installation's secret key. */
export function studentCardAddress(services: Keys, npm: string, copy: number): string {
  const text = `${npm}~${copy}`
  return `${services.config.publicUrl}/verifikasi/${encodeURIComponent(`${text}~${signature(services, text)}`)}`
}

type StudentCard = Extract<VerifiedDocument, { kind: 'student-card' }>

/** Whether a student card counts; undefined for a code that is not genuine. */
export async function verifyStudentCard(services: Services, code: string) {
  const [npm = '', copy = '', received = ''] = code.split('~')
  const expected = Buffer.from(signature(services, `${npm}~${copy}`))
  const actual = Buffer.from(received)
  if (expected.length !== actual.length || !crypto.timingSafeEqual(expected, actual)) return undefined
  const card = await services.db
    .selectFrom('everyStudentNumber as n')
    .innerJoin('registrations as r', 'r.id', 'n.registrationId')
    .innerJoin('applicants as a', 'a.id', 'r.applicantId')
    .innerJoin('studyProgrammes as p', 'p.id', 'n.programmeId')
    .leftJoin('students as s', 's.npm', 'n.npm')
    .select(['a.fullName', 'p.name as programme', 'r.status', 's.npm as standing'])
    .select((eb) =>
      eb
        .selectFrom('studentCards')
        .select(({ fn }) => fn.max('copy').as('copy'))
        .whereRef('studentCards.npm', '=', 'n.npm')
        .as('lastCopy'),
    )
    .where('n.npm', '=', npm)
    .executeTakeFirst()
  if (!card) return undefined
  const isReplaced = Number(copy) > 0 && card.lastCopy !== Number(copy)
  return {
    kind: 'student-card',
    state: card.standing === null || card.status !== 'enrolled' ? 'withdrawn' : isReplaced ? 'replaced' : 'valid',
    initials: initialsOf(card.fullName),
    programme: card.programme,
  } satisfies StudentCard
}
