import type { FastifyRequest } from 'fastify'
import { maxPhotoBytes } from '#domain/surveys/surveys.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { claimFile, storeUpload, type UploadRules } from '#server/platform/files/stored-files.ts'
import { receiveUpload } from '#server/platform/files/uploads.ts'
import type { Services } from '#server/platform/services.ts'
import { questionOfPhoto } from './answer-rows.ts'
import { definitionsOf } from './survey-rows.ts'

const photoRules: UploadRules = {
  kind: 'image',
  maxBytes: maxPhotoBytes,
  acceptedTypes: ['image/jpeg', 'image/png', 'image/webp'],
  purpose: 'survey-photo',
}

type Named = { slug: string; id: string; photoId: string }

/** Finds the question that a photo answers; 404 if no answer of a stored response names the photo. */
async function questionOf(db: Db, { slug, id, photoId }: Named, lock = false): Promise<string> {
  const response = await db
    .selectFrom('surveyResponses as r')
    .innerJoin('surveyLinks as l', 'l.id', 'r.linkId')
    .select(['r.surveyId', 'r.version', 'r.answers'])
    .where('r.id', '=', id)
    .where('l.slug', '=', slug.toLowerCase())
    .$if(lock, (rows) => rows.forUpdate('r'))
    .executeTakeFirst()
  const definition = response && (await definitionsOf(db, response.surveyId, [response.version])).get(response.version)
  const question = definition && questionOfPhoto(definition, response.answers, photoId)
  if (!question) throw new AppError(404, 'survey_photo_unknown')
  return question
}

const isStored = async (db: Db, { id, photoId }: Named) =>
  (await db
    .selectFrom('surveyPhotos')
    .select('photoId')
    .where('responseId', '=', id)
    .where('photoId', '=', photoId)
    .executeTakeFirst()) !== undefined

/** Stores a photo of a response; a repeated upload is `known`. 404 if no answer of the response names the photo. */
export async function takePhoto(services: Services, request: FastifyRequest, named: Named) {
  const { db } = services
  await questionOf(db, named)
  if (await isStored(db, named)) return { id: named.photoId, outcome: 'known' as const }
  const file = await receiveUpload(services, request, photoRules, (part) =>
    storeUpload(services, { accountId: '' }, part, photoRules),
  )
  return db.transaction().execute(async (tx) => {
    // Check again under the lock, because the answer may have been erased during the upload.
    const question = await questionOf(tx, named, true)
    if (await isStored(tx, named)) return { id: named.photoId, outcome: 'known' as const }
    await tx
      .insertInto('surveyPhotos')
      .values({ responseId: named.id, photoId: named.photoId, question, fileId: file.id })
      .execute()
    await claimFile(tx, file)
    return { id: named.photoId, outcome: 'stored' as const }
  })
}
