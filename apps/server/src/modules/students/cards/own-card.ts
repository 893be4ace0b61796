import { getRegistration } from '#server/modules/admissions/registrations/load-registrations.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { conflict } from '#server/platform/errors.ts'
import { photoForPrint } from '#server/platform/files/photo-for-print.ts'
import { qrOf } from '#server/platform/files/qr.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { studentCardAddress } from './student-card-code.ts'

/** The student card as shown on a phone; 409 without a student number. */
export async function ownCard(services: Services, actor: Actor, id: string) {
  const { row } = await getRegistration(services.db, actor, id, services.clock.now())
  const student = await services.db
    .selectFrom('students as s')
    .innerJoin('studyProgrammes as p', 'p.id', 's.programmeId')
    .innerJoin('faculties as f', 'f.id', 'p.facultyId')
    .select(['s.npm', 'p.name as programme', 'f.name as faculty'])
    .where('s.registrationId', '=', id)
    .executeTakeFirst()
  if (!student) throw conflict('no_student_number')
  const { universityName } = await getSettings(services.db)
  const photo = await photoForPrint(services, row.photoFileId)
  return {
    ...student,
    name: row.name,
    academicYear: row.wave.academicYear,
    university: universityName,
    photo: photo ? `data:image/jpeg;base64,${photo.toString('base64')}` : null,
    qr: qrOf(studentCardAddress(services, student.npm, 0)),
  }
}
