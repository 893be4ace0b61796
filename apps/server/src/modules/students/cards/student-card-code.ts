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

/** A genuine card with its registration and whether it counts; undefined for a code with a wrong signature. */
export async function findStudentCard(services: Services, code: string) {
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
    .select(['n.registrationId', 'a.fullName', 'p.name as programme', 'r.status', 's.npm as standing'])
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
  const { registrationId, fullName, programme, standing, status, lastCopy } = card
  const isReplaced = Number(copy) > 0 && lastCopy !== Number(copy)
  const state: StudentCard['state'] =
    standing === null || status !== 'enrolled' ? 'withdrawn' : isReplaced ? 'replaced' : 'valid'
  return { registrationId, fullName, programme, state }
}

/** Whether a student card counts, with the initials only; undefined for a code that is not genuine. */
export async function verifyStudentCard(services: Services, code: string): Promise<StudentCard | undefined> {
  const card = await findStudentCard(services, code)
  if (!card) return undefined
  return { kind: 'student-card', state: card.state, initials: initialsOf(card.fullName), programme: card.programme }
}
