import crypto from 'node:crypto'
import type { studentCardStates } from '#domain/students/endpoints.ts'
import { initialsOf } from '#server/modules/admissions/registrations/registration-card.ts'
import { notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'

type Keys = Pick<Services, 'config'>

const signature = ({ config }: Keys, text: string) =>
  crypto.createHmac('sha256', config.secretKey).update(`student card\n${text}`).digest('hex').slice(0, 20)

/** Address in the QR code of a card: number, copy (0: on the phone) and a signature by the installation's secret key. */
export function studentCardAddress(services: Keys, npm: string, copy: number): string {
  const text = `${npm}~${copy}`
  return `${services.config.publicUrl}/verifikasi-mahasiswa/${encodeURIComponent(`${text}~${signature(services, text)}`)}`
}

/** A genuine card with its registration and whether it counts; undefined for a code with a wrong signature. */
export async function findStudentCard(services: Services, code: string) {
  const [npm = '', copy = '', signed = ''] = code.split('~')
  const expected = Buffer.from(signature(services, `${npm}~${copy}`))
  const received = Buffer.from(signed)
  if (expected.length !== received.length || !crypto.timingSafeEqual(expected, received)) return undefined
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
  const isReplaced = Number(copy) > 0 && card.lastCopy !== Number(copy)
  const state: (typeof studentCardStates)[number] =
    card.standing === null || card.status !== 'enrolled' ? 'withdrawn' : isReplaced ? 'replaced' : 'valid'
  return { registrationId: card.registrationId, fullName: card.fullName, programme: card.programme, state }
}

/** What a card says and whether it counts; 404 for a code that is not ours. Of the holder only the initials. */
export async function verifyStudentCard(services: Services, code: string) {
  const card = await findStudentCard(services, code)
  if (!card) throw notFound('card')
  return { initials: initialsOf(card.fullName), programme: card.programme, state: card.state }
}
