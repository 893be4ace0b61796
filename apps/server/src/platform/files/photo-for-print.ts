import { AppError } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { resizePicture } from './pictures.ts'

/** A missing or unreadable photo becomes an empty frame, so the card still prints. */
export async function photoForPrint(services: Services, fileId: string | null): Promise<Buffer | undefined> {
  if (!fileId) return undefined
  const file = await services.db
    .selectFrom('files')
    .select('storageKey')
    .where('id', '=', fileId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  if (!file) return undefined
  try {
    const bytes = await services.files.bytes(file.storageKey)
    return (await resizePicture(services, bytes, { width: 360, height: 480, fit: 'cover' })).bytes
  } catch (error) {
    // Throws if the server is busy (503): the applicant retries instead of getting a card without a photo.
    if (error instanceof AppError) throw error
    services.log.warn({ err: error, fileId }, 'photo for print')
    return undefined
  }
}
