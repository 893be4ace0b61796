import { execFile } from 'node:child_process'
import crypto from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import sharp from 'sharp'
import type { Bench, Case } from '../measure.ts'
import { watchingProcess } from '../watching-process.ts'

const photos = Number(process.env.BENCH_PHOTOS ?? 5_000)
const different = 40
const folder = 'photo-zip'
/** 3 × 4 cm at 300 dpi. */
const size = { width: 354, height: 472 }
const drawnAtOnce = 2

/** A phone portrait: 900 × 1,200 pixels with enough detail for about 300 kB. */
const portrait = (index: number) =>
  sharp({
    create: {
      width: 900,
      height: 1200,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 90 + index, sigma: 18 },
    },
  })
    .jpeg({ quality: 86 })
    .toBuffer()

/**
 * Gives 5,000 confirmed applicants and students a photo each; the files are links to 40 pictures. Returns their paths.
 */
async function makeWorld(db: pg.Client, dataDir: string): Promise<string[]> {
  const store = path.join(dataDir, 'files', folder)
  fs.mkdirSync(store, { recursive: true })
  const sources: string[] = []
  for (let index = 0; index < different; index++) {
    const file = path.join(store, `source-${index}.jpg`)
    fs.writeFileSync(file, await portrait(index))
    sources.push(file)
  }
  const { rows } = await db.query<{ id: string; key: string }>(
    `WITH people AS (SELECT DISTINCT applicant_id AS id FROM registrations WHERE status IN ('confirmed', 'enrolled') LIMIT $1),
       made AS (INSERT INTO files (id, purpose, name, mime, bytes, width, height, sha256, storage_key)
         SELECT id, '${folder}', 'foto.jpg', 'image/jpeg', 1, 900, 1200, '\\x00', '${folder}/' || id || '.jpg' FROM people
         ON CONFLICT DO NOTHING RETURNING id, storage_key AS key)
     SELECT * FROM made`,
    [photos],
  )
  await db.query(
    `UPDATE applicants a SET photo_file_id = f.id FROM files f WHERE f.id = a.id AND f.purpose = '${folder}'`,
  )
  const files = rows.map(({ key }, index) => {
    const file = path.join(dataDir, 'files', key)
    fs.linkSync(sources[index % different]!, file)
    return file
  })
  if (files.length < photos)
    throw new Error(`only ${files.length} confirmed applicants and students for ${photos} photos`)
  return files
}

async function removeWorld(db: pg.Client, dataDir: string) {
  await db.query(
    `UPDATE applicants a SET photo_file_id = NULL FROM files f WHERE f.id = a.photo_file_id AND f.purpose = '${folder}'`,
  )
  await db.query(`DELETE FROM files WHERE purpose = '${folder}'`)
  fs.rmSync(path.join(dataDir, 'files', folder), { recursive: true, force: true })
}

async function withWorld(bench: Bench, work: (files: string[]) => Promise<number>): Promise<number> {
  const db = new pg.Client({ connectionString: bench.databaseUrl })
  await db.connect()
  try {
    return await work(await makeWorld(db, bench.dataDir))
  } finally {
    await removeWorld(db, bench.dataDir)
    await db.end()
  }
}

async function bytesOf(stream: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0
  for await (const chunk of stream) bytes += chunk.byteLength
  return bytes
}

/** Registers the download and reads its ZIP as a browser would; returns photos per second. */
async function downloadOnce({ url, token }: Bench): Promise<number> {
  const authorization = `Bearer ${await token('panitia@demo.test')}`
  const startMs = performance.now()
  const answer = await fetch(`${url}/api/download-foto-mahasiswa/photo-downloads`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
    body: JSON.stringify({
      kind: 'zip',
      size: '3x4cm',
      template: '{npm}_{nama}',
      state: null,
      wanted: null,
      waveId: null,
      programmeId: null,
      status: null,
      q: null,
    }),
  })
  if (!answer.ok) throw new Error(await answer.text())
  const { data } = (await answer.json()) as { data: { total: number; url: string } }
  // A person with two registrations is drawn twice.
  if (data.total < photos) throw new Error(`${data.total} usable photos instead of ${photos}`)
  const zip = await fetch(`${url}${data.url}`)
  const bytes = await bytesOf(zip.body as unknown as AsyncIterable<Uint8Array>)
  const tookMs = performance.now() - startMs
  console.log(`${data.total} photos, ${(bytes / 1e6).toFixed(0)} MB of ZIP in ${seconds(tookMs)}`)
  return data.total / (tookMs / 1000)
}

/**
 * The same photos drawn into a folder by a bare loop, then stored in one file by the command `zip`, without the
 * product.
 */
async function zipByHand(files: readonly string[]): Promise<number> {
  sharp.concurrency(1)
  const target = path.join(os.tmpdir(), `pmb-bench-photos-${process.pid}`)
  fs.mkdirSync(target)
  try {
    const startMs = performance.now()
    for (let next = 0; next < files.length; next += drawnAtOnce)
      await Promise.all(
        files.slice(next, next + drawnAtOnce).map(async (file, offset) => {
          const drawn = sharp(await fs.promises.readFile(file)).resize({ ...size, fit: 'cover' })
          await drawn.jpeg({ quality: 88 }).toFile(path.join(target, `${next + offset}.jpg`))
        }),
      )
    const zipStartMs = performance.now()
    await promisify(execFile)('zip', ['-q', '-r', '-0', 'all.zip', '.'], { cwd: target })
    const endMs = performance.now()
    console.log(`By hand: drawn in ${seconds(zipStartMs - startMs)}, zip -0 in ${seconds(endMs - zipStartMs)}`)
    return files.length / ((endMs - startMs) / 1000)
  } finally {
    fs.rmSync(target, { recursive: true })
  }
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

/** 5,000 portraits cropped to 3 × 4 cm and sent as one ZIP, against a loop with sharp and the command `zip`. */
export const photoZipCase: Case = {
  goal: 0.7,
  unit: 'photos/s',
  ours: (bench) => withWorld(bench, () => watchingProcess(bench, 'photo ZIP', () => downloadOnce(bench))),
  theirs: (bench) => withWorld(bench, (files) => watchingProcess(process, 'loop and zip', () => zipByHand(files))),
}
