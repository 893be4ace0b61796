import type { VerifiedDocument } from '#domain/verification/endpoints.ts'
import { initialsOf } from '#server/platform/access/masks.ts'
import type { Services } from '#server/platform/services.ts'
import { sameText, signatureOf } from '#server/platform/signed-text.ts'

type Keys = Pick<Services, 'config'>

const kind = 'student card'

/**
 * URL in the QR code of a card: number, copy (0: on the phone) and a signature made with the installation's secret key.
 */
export function studentCardAddress(services: Keys, npm: string, copy: number): string {
  const text = `${npm}~${copy}`
  return `${services.config.publicUrl}/verifikasi/${encodeURIComponent(`${text}~${signatureOf(services, kind, text)}`)}`
}

type StudentCard = Extract<VerifiedDocument, { kind: 'student-card' }>

/** The card of a genuine code with its registration and state; undefined for a wrong signature or an unknown number. */
export async function findStudentCard(services: Services, code: string) {
  const [npm = '', copy = '', received = ''] = code.split('~')
  if (!sameText(received, signatureOf(services, kind, `${npm}~${copy}`))) return undefined
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

/** State, initials and programme of a student card; undefined for a code that is not genuine. */
export async function verifyStudentCard(services: Services, code: string): Promise<StudentCard | undefined> {
  const card = await findStudentCard(services, code)
  if (!card) return undefined
  return { kind: 'student-card', state: card.state, initials: initialsOf(card.fullName), programme: card.programme }
}
