import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { mustGet } from '#domain/must.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { demoId, nameToUuid } from './university.ts'

const hairs = ['#2b1b12', '#3b2a1e', '#1c1c1c', '#4a3426']
const shirts = ['#1f6f8b', '#7a4b94', '#2f855a', '#b7791f', '#c05621', '#2b6cb0']

/** A drawn face on the red background of Indonesian passport photos, so that no real person is shown. */
const svgOfFace = (
  variant: number,
) => `<svg xmlns="http://www.w3.org/2000/svg" width="450" height="600" viewBox="0 0 450 600">
  <rect width="450" height="600" fill="#b8202c"/>
  <path d="M60 600c10-130 80-170 165-170s155 40 165 170z" fill="${shirts[variant % shirts.length]}"/>
  <rect x="195" y="360" width="60" height="90" rx="28" fill="#d9a882"/>
  <ellipse cx="225" cy="275" rx="100" ry="128" fill="#e5b792"/>
  <path d="M120 270c-10-120 60-165 110-165s110 50 100 165c-15-60-50-85-100-85s-95 25-110 85z" fill="${hairs[variant % hairs.length]}"/>
  <circle cx="188" cy="280" r="9" fill="#222"/><circle cx="262" cy="280" r="9" fill="#222"/>
  <path d="M${190 - (variant % 3) * 3} 335q35 ${20 + (variant % 4) * 6} 70 0" stroke="#7b3f2a" stroke-width="6" fill="none" stroke-linecap="round"/>
</svg>`

const svgOfPage = (
  title: string,
  name: string,
) => `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="1270" viewBox="0 0 900 1270">
  <rect width="900" height="1270" fill="#fdfcf7"/><rect x="40" y="40" width="820" height="1190" fill="none" stroke="#555" stroke-width="3"/>
  <text x="450" y="160" font-family="sans-serif" font-size="44" text-anchor="middle" fill="#222">${title}</text>
  <text x="450" y="230" font-family="sans-serif" font-size="30" text-anchor="middle" fill="#444">${name}</text>
  ${Array.from({ length: 14 }, (_, line) => `<rect x="110" y="${320 + line * 54}" width="${680 - (line % 4) * 90}" height="14" rx="7" fill="#d6d3c6"/>`).join('')}
  <text x="450" y="820" font-family="sans-serif" font-size="130" text-anchor="middle" fill="#c53030" opacity=".35" transform="rotate(-28 450 760)">CONTOH</text>
</svg>`

type DrawnImage = { bytes: Buffer; thumbnail: Buffer; width: number; height: number }

async function draw(svg: string, width: number, height: number): Promise<DrawnImage> {
  const { default: sharp } = await import('sharp')
  const image = sharp(Buffer.from(svg))
  const [bytes, thumbnail] = await Promise.all([
    image.clone().jpeg({ quality: 80 }).toBuffer(),
    image.clone().resize(240).webp({ quality: 60 }).toBuffer(),
  ])
  return { bytes, thumbnail, width, height }
}

type Picture = { id: string; ownerAccountId: string; purpose: string; name: string; image: DrawnImage }

async function addPictures(db: Db, files: FileStore, pictures: readonly Picture[]): Promise<void> {
  for (let start = 0; start < pictures.length; start += 100) {
    const batch = pictures.slice(start, start + 100)
    await Promise.all(
      batch.flatMap(({ id, image }) => [
        files.put(`demo/${id}.jpg`, image.bytes, 'image/jpeg'),
        files.put(`demo/${id}-small.webp`, image.thumbnail, 'image/webp'),
      ]),
    )
    await db
      .insertInto('files')
      .values(
        batch.map(({ id, ownerAccountId, purpose, name, image }) => ({
          id,
          ownerAccountId,
          purpose,
          name,
          mime: 'image/jpeg',
          bytes: image.bytes.length,
          width: image.width,
          height: image.height,
          sha256: createHash('sha256').update(image.bytes).digest(),
          storageKey: `demo/${id}.jpg`,
          thumbnailKey: `demo/${id}-small.webp`,
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

/** Draws a page with a title, such as the proof of a transfer, and stores it under this id. */
export async function addPage(db: Db, files: FileStore, title: string, page: Omit<Picture, 'image'>): Promise<void> {
  await addPictures(db, files, [{ ...page, image: await draw(svgOfPage(title, 'Dokumen contoh'), 900, 1270) }])
}

/** Draws a photo for each of the first `count` demo applicants, and a page for every document they uploaded. */
export async function drawPictures(db: Db, files: FileStore, count: number): Promise<void> {
  const applicants = await db
    .selectFrom('applicants')
    .select(['id', 'accountId', 'fullName'])
    .where('photoFileId', 'is', null)
    .where(
      'id',
      'in',
      Array.from({ length: count }, (_, index) => demoApplicantId(index + 1)),
    )
    .execute()
  if (applicants.length === 0) return
  const faces = await Promise.all(Array.from({ length: 12 }, (_, variant) => draw(svgOfFace(variant), 450, 600)))
  const documents = await db
    .selectFrom('documents')
    .innerJoin('registrations', 'registrations.id', 'documents.registrationId')
    .select(['documents.id', 'documents.name', 'registrations.accountId', 'documents.uploadedAt'])
    .where('documents.fileId', 'is', null)
    .where('documents.status', 'in', ['uploaded', 'approved', 'rejected'])
    .where(
      'registrations.accountId',
      'in',
      applicants.map(({ accountId }) => accountId),
    )
    .execute()
  const titles = [...new Set(documents.map(({ name }) => name))]
  const pages = new Map<string, DrawnImage>()
  for (const title of titles) pages.set(title, await draw(svgOfPage(title, 'Dokumen contoh'), 900, 1270))

  const pictures = [
    ...applicants.map((person, index) => ({
      id: demoId(`photo:${person.id}`),
      ownerAccountId: person.accountId,
      purpose: 'photo',
      name: 'foto.jpg',
      image: faces[index % faces.length]!,
    })),
    ...documents.map((document) => ({
      id: demoId(`document:${document.id}`),
      ownerAccountId: document.accountId,
      purpose: 'document',
      name: `${document.name}.jpg`,
      image: mustGet(pages, document.name),
    })),
  ]
  await addPictures(db, files, pictures)
  await sql`
    UPDATE applicants SET photo_file_id = pictures.file_id
    FROM unnest(${applicants.map(({ id }) => id)}::uuid[], ${applicants.map(({ id }) => demoId(`photo:${id}`))}::uuid[]) AS pictures (id, file_id)
    WHERE applicants.id = pictures.id`.execute(db)
  await sql`
    UPDATE documents SET file_id = pictures.file_id
    FROM unnest(${documents.map(({ id }) => id)}::uuid[], ${documents.map(({ id }) => demoId(`document:${id}`))}::uuid[]) AS pictures (id, file_id)
    WHERE documents.id = pictures.id`.execute(db)
}

const demoApplicantId = (n: number) => nameToUuid(`demo-applicant-${n}`)
