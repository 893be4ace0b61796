import { theOnly } from '#domain/must.ts'
import { moveRegistration } from '#server/modules/admissions/steps/move-registration.ts'
import { counterScope } from '#server/modules/admissions/steps/start-registration.ts'
import { notify } from '#server/modules/messaging/notify.ts'
import { numberUnlock } from '#server/modules/payments/bills/unlock.ts'
import { formatNumber, takeNumbers } from '#server/platform/database/numbers.ts'
import { conflict } from '#server/platform/errors.ts'
import { getSettings } from '#server/platform/settings.ts'
import type { Context } from '#server/platform/use-case.ts'

/**
 * Makes a confirmed applicant a student: number, status and message in one transaction. Moves the status first, so
 * parallel calls issue one number. Locks the counter's row late, so others wait only briefly.
 */
export async function issueStudentNumber(context: Context, registrationId: string) {
  const { tx, actor, now } = context
  const moved = await moveRegistration(context, registrationId, 'enrol')
  const unlocked = await numberUnlock(tx, registrationId, now)
  if (unlocked?.missing !== 0) throw conflict('not_unlocked')
  const programmeId = moved.acceptedProgrammeId!
  const facts = await tx
    .selectFrom('studyProgrammes as p')
    .innerJoin('faculties as f', 'f.id', 'p.facultyId')
    .innerJoin('degreeLevels as l', 'l.id', 'p.degreeLevelId')
    .innerJoin('waves as w', (join) => join.on('w.id', '=', moved.waveId))
    .innerJoin('tracks as t', (join) => join.on('t.id', '=', moved.trackId))
    .innerJoin('accounts as u', (join) => join.on('u.id', '=', moved.accountId))
    .select([
      'p.name',
      'p.nameEn',
      'p.npmCode',
      'f.code as faculty',
      'l.code as level',
      'w.code as wave',
      'w.academicYear',
      't.code as track',
      'u.language',
    ])
    .where('p.id', '=', programmeId)
    .executeTakeFirstOrThrow()
  const { studentNumber: template } = await getSettings(tx)
  // Year of the first semester, even if the number is issued later.
  const year = facts.academicYear.slice(0, 4)
  const tokens = {
    YYYY: year,
    YY: year.slice(2),
    prodi: facts.npmCode,
    faculty: facts.faculty,
    level: facts.level,
    wave: facts.wave,
    track: facts.track,
  }
  const scope = counterScope(template, tokens)
  const value = theOnly(await takeNumbers(tx, 'student', scope, 1))
  const npm = formatNumber(template, tokens, value)
  const student = await tx
    .insertInto('students')
    .values({
      registrationId,
      accountId: moved.accountId,
      programmeId,
      npm,
      numberScope: scope,
      numberValue: value,
      issuedAt: now,
      issuedBy: actor.accountId || null,
      ...unlocked.unlock,
    })
    .returning(['registrationId', 'npm', 'issuedAt'])
    .executeTakeFirstOrThrow()
  await notify(context, {
    accountId: moved.accountId,
    event: 'student-number-issued',
    params: { number: npm, programme: (facts.language === 'en' && facts.nameEn) || facts.name },
    link: `/pendaftaran/${registrationId}`,
  })
  return student
}
