import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import sharp from 'sharp'
import type { Db } from '#server/platform/database/database.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { demoId, nameToUuid } from './university.ts'

const hairs = ['#2b1b12', '#3b2a1e', '#1c1c1c', '#4a3426']
const shirts = ['#1f6f8b', '#7a4b94', '#2f855a', '#b7791f', '#c05621', '#2b6cb0']

/** A drawn face on a red background, as a passport photo wants it; nobody's likeness. */
const face = (
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

const page = (
  title: string,
  name: string,
) => `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="1270" viewBox="0 0 900 1270">
  <rect width="900" height="1270" fill="#fdfcf7"/><rect x="40" y="40" width="820" height="1190" fill="none" stroke="#555" stroke-width="3"/>
  <text x="450" y="160" font-family="sans-serif" font-size="44" text-anchor="middle" fill="#222">${title}</text>
  <text x="450" y="230" font-family="sans-serif" font-size="30" text-anchor="middle" fill="#444">${name}</text>
  ${Array.from({ length: 14 }, (_, line) => `<rect x="110" y="${320 + line * 54}" width="${680 - (line % 4) * 90}" height="14" rx="7" fill="#d6d3c6"/>`).join('')}
  <text x="450" y="820" font-family="sans-serif" font-size="130" text-anchor="middle" fill="#c53030" opacity=".35" transform="rotate(-28 450 760)">CONTOH</text>
</svg>`

type Drawn = { bytes: Buffer; thumbnail: Buffer; width: number; height: number }

async function draw(svg: string, width: number, height: number): Promise<Drawn> {
  const image = sharp(Buffer.from(svg))
  const [bytes, thumbnail] = await Promise.all([
    image.clone().jpeg({ quality: 80 }).toBuffer(),
    image.clone().resize(240).webp({ quality: 60 }).toBuffer(),
  ])
  return { bytes, thumbnail, width, height }
}

/** Gives the first demo applicants a drawn photo and every document they sent a drawn page. */
export async function drawPictures(db: Db, files: FileStore, upTo: number): Promise<void> {
  const people = await db
    .selectFrom('applicants')
    .select(['id', 'accountId', 'fullName'])
    .where('photoFileId', 'is', null)
    .where(
      'id',
      'in',
      Array.from({ length: upTo }, (_, index) => demoApplicantId(index + 1)),
    )
    .execute()
  if (people.length === 0) return
  const faces = await Promise.all(Array.from({ length: 12 }, (_, variant) => draw(face(variant), 450, 600)))
  const documents = await db
    .selectFrom('documents')
    .innerJoin('registrations', 'registrations.id', 'documents.registrationId')
    .select(['documents.id', 'documents.name', 'registrations.accountId', 'documents.uploadedAt'])
    .where('documents.fileId', 'is', null)
    .where('documents.status', 'in', ['uploaded', 'approved', 'rejected'])
    .where(
      'registrations.accountId',
      'in',
      people.map(({ accountId }) => accountId),
    )
    .execute()
  const titles = [...new Set(documents.map(({ name }) => name))]
  const pages = new Map<string, Drawn>()
  for (const title of titles) pages.set(title, await draw(page(title, 'Dokumen contoh'), 900, 1270))

  const wanted = [
    ...people.map((person, index) => ({
      id: demoId(`photo:${person.id}`),
      ownerAccountId: person.accountId,
      purpose: 'photo',
      name: 'foto.jpg',
      drawn: faces[index % faces.length]!,
    })),
    ...documents.map((document) => ({
      id: demoId(`document:${document.id}`),
      ownerAccountId: document.accountId,
      purpose: 'document',
      name: `${document.name}.jpg`,
      drawn: pages.get(document.name)!,
    })),
  ]
  for (let start = 0; start < wanted.length; start += 100) {
    const batch = wanted.slice(start, start + 100)
    await Promise.all(
      batch.flatMap(({ id, drawn }) => [
        files.put(`demo/${id}.jpg`, drawn.bytes, 'image/jpeg'),
        files.put(`demo/${id}-small.webp`, drawn.thumbnail, 'image/webp'),
      ]),
    )
    await db
      .insertInto('files')
      .values(
        batch.map(({ id, ownerAccountId, purpose, name, drawn }) => ({
          id,
          ownerAccountId,
          purpose,
          name,
          mime: 'image/jpeg',
          bytes: drawn.bytes.length,
          width: drawn.width,
          height: drawn.height,
          sha256: createHash('sha256').update(drawn.bytes).digest(),
          storageKey: `demo/${id}.jpg`,
          thumbnailKey: `demo/${id}-small.webp`,
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  await sql`
    UPDATE applicants SET photo_file_id = given.file_id
    FROM unnest(${people.map(({ id }) => id)}::uuid[], ${people.map(({ id }) => demoId(`photo:${id}`))}::uuid[]) AS given (id, file_id)
    WHERE applicants.id = given.id`.execute(db)
  await sql`
    UPDATE documents SET file_id = given.file_id
    FROM unnest(${documents.map(({ id }) => id)}::uuid[], ${documents.map(({ id }) => demoId(`document:${id}`))}::uuid[]) AS given (id, file_id)
    WHERE documents.id = given.id`.execute(db)
}

const demoApplicantId = (n: number) => nameToUuid(`demo-applicant-${n}`)
