import { AppError } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { resizePicture } from './pictures.ts'

/** A photo that is missing or cannot be read leaves an empty frame: the card still prints. */
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
    // A busy server (503) throws: the applicant tries again instead of getting a card without photo.
    if (error instanceof AppError) throw error
    services.log.warn({ err: error, fileId }, 'photo for print')
    return undefined
  }
}
