import type { Readable } from 'node:stream'
import { uniqueNames } from '#domain/file-names.ts'
import { fillNameTemplate } from '#domain/students/files/name-template.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudits } from '#server/platform/audit.ts'
import { notFound } from '#server/platform/errors.ts'
import { extensionOf, streamZip } from '#server/platform/files/stream-zip.ts'
import { limitPlaces } from '#server/platform/places.ts'
import type { Services } from '#server/platform/services.ts'
import { getStudent } from './get-student.ts'
import { type FileFilters, matchingFiles } from './list-files.ts'

type Matching = Awaited<ReturnType<typeof matchingFiles>>

/** ZIPs streamed at once; each reads one file at a time from the store. */
const takePlace = limitPlaces({ whole: 6, perAccount: 2 })

/** ZIP with the files of one student, named by the registration code. */
export async function zipOfPerson(services: Services, actor: Actor, registrationId: string, template: string) {
  const { code } = await getStudent(services.db, actor, registrationId)
  const files = await matchingFiles(services, actor, {})
  return { name: code, content: await zipFiles(services, actor, files.where('r.id', '=', registrationId), template) }
}

/** ZIP with the files the list shows with these filters. */
export const zipOfFilter = async (services: Services, actor: Actor, filters: FileFilters, template: string) => ({
  name: 'berkas-mahasiswa',
  content: await zipFiles(services, actor, await matchingFiles(services, actor, filters), template),
})

/**
 * Records the download for each person, then streams the files one by one: memory contains all names, but only a part
 * of one file. Throws 404 if there is no file, 429 while too many ZIPs run for the account or in total.
 */
async function zipFiles(services: Services, actor: Actor, matching: Matching, template: string): Promise<Readable> {
  const freePlace = takePlace(actor.accountId)
  try {
    const rows = await filesIn(matching)
    if (rows.length === 0) throw notFound('file')
    await services.db.transaction().execute((tx) => recordAudits(tx, actor, entriesOf(rows)))
    return streamFiles(services, rows, template).once('close', freePlace)
  } catch (error) {
    freePlace()
    throw error
  }
}

const filesIn = (matching: Matching) =>
  matching
    .innerJoin('files as f', 'f.id', 'd.fileId')
    .innerJoin('applicants as a', 'a.id', 'r.applicantId')
    .leftJoin('studyProgrammes as p', 'p.id', 'r.acceptedProgrammeId')
    .leftJoin('students as s', 's.registrationId', 'r.id')
    .select([
      'r.id as registrationId',
      'r.code',
      'a.fullName',
      's.npm',
      'p.name as programme',
      'd.name',
      'd.uploadedAt',
    ])
    .select(['f.storageKey', 'f.mime'])
    .orderBy('r.code')
    .orderBy('d.sortOrder')
    .orderBy('d.id')
    .execute()

type FileRow = Awaited<ReturnType<typeof filesIn>>[number]

const entriesOf = (rows: readonly FileRow[]) =>
  [...Map.groupBy(rows, ({ registrationId }) => registrationId)].map(([id, files]) => ({
    action: 'document.zip',
    on: { registration: id },
    after: { documents: files.map(({ name }) => name) },
  }))

function streamFiles(services: Services, rows: readonly FileRow[], template: string): Readable {
  const nameOf = uniqueNames()
  return streamZip(
    services,
    rows.map((row) => {
      const name = fillNameTemplate(template, {
        npm: row.npm ?? row.code,
        kode: row.code,
        nama: row.fullName,
        prodi: row.programme ?? '',
        berkas: row.name,
      })
      return {
        name: nameOf(name, extensionOf(row.storageKey)),
        open: () => services.files.read(row.storageKey),
        modifiedAt: row.uploadedAt,
      }
    }),
  )
}
