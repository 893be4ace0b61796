import { z } from 'zod'
import { confirmedStatuses } from '#domain/admissions/registration-status.ts'
import type { MeasuredBackground } from '#domain/students/photos/photo-format.ts'
import { defineJob } from '#server/platform/jobs.ts'
import type { Services } from '#server/platform/services.ts'
import { measureBackground } from './measure-background.ts'

const batchSize = 200

/** Measures the backgrounds of photos not yet checked. */
export const checkPhotosJob = defineJob({
  name: 'check-photos',
  schedule: '*/2 * * * *',
  data: z.object({}),
  async run(services) {
    while ((await checkSome(services)) === batchSize);
  },
})

/** Measures up to 200 photos of confirmed applicants and students; returns how many. */
async function checkSome({ db, files, pictures, clock }: Services) {
  const unchecked = await db
    .selectFrom('applicants as a')
    .innerJoin('files as f', 'f.id', 'a.photoFileId')
    .leftJoin('photoChecks as c', 'c.fileId', 'f.id')
    .select(['f.id', 'f.storageKey', 'f.thumbnailKey'])
    .where('c.fileId', 'is', null)
    .where('f.deletedAt', 'is', null)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('registrations as r')
          .whereRef('r.applicantId', '=', 'a.id')
          .where('r.status', 'in', [...confirmedStatuses]),
      ),
    )
    .limit(batchSize)
    .execute()
  for (const { id, storageKey, thumbnailKey } of unchecked) {
    const background = await pictures(
      async (): Promise<MeasuredBackground> =>
        // A file missing from the store stays unreadable until the applicant uploads another.
        files.bytes(thumbnailKey ?? storageKey).then(measureBackground, () => 'unreadable'),
    )
    await db
      .insertInto('photoChecks')
      .values({ fileId: id, background, checkedAt: clock.now() })
      .onConflict((conflicting) => conflicting.column('fileId').doNothing())
      .execute()
  }
  return unchecked.length
}
