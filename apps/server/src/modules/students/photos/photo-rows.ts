import { type RawBuilder, sql } from 'kysely'
import { defaultPhotoSize, type PhotoSize, type PhotoState, photoSizeOf } from '#domain/students/photos/photo-format.ts'
import type { Db } from '#server/platform/database/database.ts'

export type PhotoFilter = {
  state?: string | null | undefined
  size?: string | null | undefined
  wanted?: string | null | undefined
  waveId?: string | null | undefined
  programmeId?: string | null | undefined
  status?: string | null | undefined
  q?: string | null | undefined
}

/** Photo size in a filter; 3 × 4 cm if missing or invalid. */
export const sizeOf = ({ size }: PhotoFilter): PhotoSize => photoSizeOf(size ?? '') ?? photoSizeOf(defaultPhotoSize)!

/** Whether photo `f` with check `c` is usable for the filter's size and background. Photos are never enlarged. */
function photoState(filter: PhotoFilter): RawBuilder<PhotoState> {
  const { width, height } = sizeOf(filter)
  const background = filter.wanted
    ? sql`WHEN c.background IS NULL THEN 'unchecked' WHEN c.background <> ${filter.wanted} THEN 'other_background'`
    : sql``
  return sql<PhotoState>`CASE WHEN f.id IS NULL OR c.background = 'unreadable' THEN 'missing'
    WHEN f.width < ${width}::int OR f.height < ${height}::int THEN 'too_small' ${background} ELSE 'usable' END`
}

/** Registrations `r` with applicants `a`, photos `f`, checks `c` and photo states `v`. */
export const photosOf = (db: Db, filter: PhotoFilter) =>
  db
    .selectFrom('registrations as r')
    .innerJoin('applicants as a', 'a.id', 'r.applicantId')
    .leftJoin('files as f', (join) => join.onRef('f.id', '=', 'a.photoFileId').on('f.deletedAt', 'is', null))
    .leftJoin('photoChecks as c', 'c.fileId', 'f.id')
    .innerJoinLateral(sql<{ state: PhotoState }>`(SELECT ${photoState(filter)} AS state)`.as('v'), (join) =>
      join.onTrue(),
    )
