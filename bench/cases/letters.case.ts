import crypto from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setImmediate as breathe, setTimeout as wait } from 'node:timers/promises'
import PDFDocument from 'pdfkit'
import pg from 'pg'
import QRCode from 'qrcode'
import { type Bench, type Case, prepare } from '../measure.ts'
import { watchingProcess } from '../watching-process.ts'

const people = Number(process.env.BENCH_LETTERS ?? 10_000)
const lettersPerFile = 500

type World = { bench: Bench; db: pg.Client; waveId: string }
let world: Promise<World> | undefined
const ready = () => {
  world ??= makeWorld()
  return world
}

/** Adds accepted applicants with a published result, in a separate wave. */
async function makeWorld(): Promise<World> {
  const bench = await prepare({ registrations: 100 })
  const db = new pg.Client({ connectionString: bench.databaseUrl })
  await db.connect()
  const { rows } = await db.query<{ id: string }>(`SELECT id FROM waves WHERE code = 'G2'`)
  const waveId = rows[0]!.id
  for (const statement of [
    `CREATE TEMP TABLE people AS SELECT n, gen_random_uuid() AS account, gen_random_uuid() AS applicant
     FROM generate_series(1, ${people}) n`,
    `INSERT INTO accounts (id, name, email, role_id)
     SELECT account, 'Peserta ' || n, 'surat-' || n || '@demo.test', (SELECT id FROM roles WHERE name = 'Mahasiswa') FROM people`,
    `INSERT INTO applicants (id, account_id, full_name)
     SELECT applicant, account, 'Kartika Dewi Lestari Puspitasari ' || n FROM people`,
    `INSERT INTO registrations (code, applicant_id, account_id, wave_id, track_id, entry_level_id, class_programme_id,
       programme_id, accepted_programme_id, status, decision, submitted_at, verified_at, decided_at)
     SELECT 'SURAT' || n, applicant, account, '${waveId}', t.track_id, d.entry_level_id, d.class_programme_id, d.programme_id,
       d.programme_id, 'decided', 'accepted', now() - interval '3 days', now() - interval '2 days', now() - interval '1 day'
     FROM people CROSS JOIN (SELECT * FROM programme_details WHERE wave_id = '${waveId}' ORDER BY id LIMIT 1) d
       CROSS JOIN (SELECT track_id FROM track_details WHERE wave_id = '${waveId}' ORDER BY id LIMIT 1) t`,
    `INSERT INTO result_publications (wave_id, track_id, publish_at)
     SELECT wave_id, track_id, now() - interval '1 minute' FROM registrations WHERE code = 'SURAT1' ON CONFLICT DO NOTHING`,
    'ANALYZE registrations, applicants, accounts',
  ])
    await db.query(statement)
  return { bench, db, waveId }
}

/** Deletes the previous round's letters, which would otherwise be printed again without new numbers. */
async function forget(db: pg.Client) {
  for (const table of ['letter_batch_members', 'letter_batch_chunks', 'letter_batches', 'letters'])
    await db.query(`DELETE FROM ${table}`)
}

/** Issues all letters as staff do and waits for the last file; returns letters per second. */
async function giveLetters({ bench: { url, token }, db, waveId }: World): Promise<number> {
  await forget(db)
  const { rows } = await db.query<{ id: string }>(`SELECT id FROM letter_kinds WHERE code = 'acceptance'`)
  const headers = {
    authorization: `Bearer ${await token('administrator@demo.test')}`,
    'content-type': 'application/json',
  }
  const startMs = performance.now()
  const answer = await fetch(`${url}/api/surat/massal`, {
    method: 'POST',
    headers: { ...headers, 'idempotency-key': crypto.randomUUID() },
    body: JSON.stringify({
      ...{ kindId: rows[0]!.id, language: 'id', waveId, programmeId: null, trackId: null, stage: 'decided' },
    }),
  })
  if (!answer.ok) throw new Error(await answer.text())
  const { data } = (await answer.json()) as { data: { id: string; total: number } }
  for (let status = 'running'; status === 'running'; ) {
    await wait(250)
    const { rows: found } = await db.query<{ status: string }>('SELECT status FROM letter_batches WHERE id = $1', [
      data.id,
    ])
    status = found[0]!.status
  }
  const seconds = (performance.now() - startMs) / 1000
  const { rows: counted } = await db.query<{ count: number; files: number; bytes: number }>(
    `SELECT (SELECT count(*)::int FROM letters) AS count, count(*)::int AS files, sum(f.bytes)::float AS bytes
     FROM letter_batch_chunks c JOIN files f ON f.id = c.file_id WHERE c.batch_id = $1`,
    [data.id],
  )
  const { count, files, bytes } = counted[0]!
  if (count < people) throw new Error(`${count} letters instead of ${people}`)
  console.log(`${count} letters in ${files} files, ${(bytes / 1e6).toFixed(0)} MB, in ${seconds.toFixed(1)} s`)
  return count / seconds
}

const onDemand = 25

/** Prints the median time to issue and print one letter, 25 in turn, in the other language. */
async function giveOnDemand({ bench: { url, token }, db }: World) {
  const authorization = `Bearer ${await token('administrator@demo.test')}`
  const { rows } = await db.query<{ id: string; kindId: string }>(
    `SELECT r.id, k.id AS "kindId" FROM registrations r, letter_kinds k
     WHERE r.code LIKE 'SURAT%' AND k.code = 'acceptance' ORDER BY r.code LIMIT ${onDemand}`,
  )
  const tookMs: number[] = []
  for (const { id, kindId } of rows) {
    const startMs = performance.now()
    const issued = await fetch(`${url}/api/pendaftaran/${id}/surat`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
      body: JSON.stringify({ kindId, language: 'en' }),
    })
    if (!issued.ok) throw new Error(await issued.text())
    const { data } = (await issued.json()) as { data: { id: string } }
    const file = await fetch(`${url}/api/surat/terbit/${data.id}/file.pdf`, { headers: { authorization } })
    if (!file.ok) throw new Error(await file.text())
    await file.arrayBuffer()
    tookMs.push(performance.now() - startMs)
  }
  tookMs.sort((a, b) => a - b)
  console.log(`One letter on demand: ${tookMs[Math.floor(tookMs.length / 2)]!.toFixed(0)} ms given and printed`)
}

const width = 483

/** The same letters drawn by a bare loop: template text, facts and QR code, without register and numbers. */
async function drawByHand({ db, bench: { url } }: World): Promise<number> {
  const { rows } = await db.query<Letter>(
    `SELECT r.id, r.code AS number, t.body_id AS body, t.title_id AS title,
       json_build_object('name', a.full_name, 'code', r.code, 'programme', p.name, 'class', c.name, 'track', k.name,
         'wave', w.name, 'academicYear', w.academic_year, 'confirmation', 'Mohon konfirmasi kursi sebelum 5 Desember 2026.') AS facts
     FROM registrations r JOIN applicants a ON a.id = r.applicant_id JOIN waves w ON w.id = r.wave_id
     JOIN study_programmes p ON p.id = r.programme_id JOIN class_programmes c ON c.id = r.class_programme_id
     JOIN tracks k ON k.id = r.track_id
     JOIN letter_kinds l ON l.code = 'acceptance'
     JOIN letter_templates t ON t.letter_kind_id = l.id AND t.version = l.template_version
     WHERE r.code LIKE 'SURAT%' ORDER BY r.code`,
  )
  const target = fs.mkdtempSync(path.join(os.tmpdir(), 'pmb-bench-letters-'))
  try {
    const startMs = performance.now()
    for (let start = 0; start < rows.length; start += lettersPerFile) {
      const doc = new PDFDocument({
        size: 'A4',
        margins: { top: 50, left: 56, right: 56, bottom: 64 },
        autoFirstPage: false,
      })
      const written = pipeline(
        doc as unknown as NodeJS.ReadableStream,
        fs.createWriteStream(path.join(target, `${start}.pdf`)),
      )
      for (const letter of rows.slice(start, start + lettersPerFile)) {
        doc.addPage()
        drawLetter(doc, letter, url)
        await breathe()
      }
      doc.end()
      await written
    }
    return rows.length / ((performance.now() - startMs) / 1000)
  } finally {
    fs.rmSync(target, { recursive: true })
  }
}

type Letter = { id: string; number: string; facts: Record<string, string>; body: string; title: string }

function drawLetter(doc: PDFKit.PDFDocument, { id, number, facts, body, title }: Letter, url: string) {
  const values: Record<string, string> = { ...facts, university: 'Universitas Contoh Nusantara' }
  doc.font('Helvetica-Bold').fontSize(14).text('Universitas Contoh Nusantara', 56, 46, { width })
  doc.font('Helvetica').fontSize(8.5).text('Jalan Pendidikan 1, Bandung', { width })
  doc.moveTo(56, 98).lineTo(539, 98).lineWidth(1.5).stroke('#2f5bea')
  doc.font('Helvetica-Bold').fontSize(15).text(title, 56, 114, { width })
  doc.font('Helvetica').fontSize(9.5).text(`Nomor: ${number}`, { width }).moveDown(1).fontSize(10.5)
  for (const line of body.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '').split('\n')) {
    const [label = '', value] = line.split(' : ')
    if (value === undefined) doc.text(label, 56, undefined, { width, lineGap: 1.5 })
    else {
      const y = doc.y
      doc.text(label, 56, y, { width: 142 }).text(value, 206, y, { width: width - 150 })
    }
  }
  const top = doc.y + 18
  const { size, data } = QRCode.create(`${url}/verifikasi/surat.${id}.${'x'.repeat(20)}`).modules
  const unit = 88 / size
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      const from = x
      while (x < size && data[y * size + x]) x++
      if (x > from) doc.rect(56 + from * unit, top + y * unit, (x - from) * unit, unit)
    }
  doc.fill('#000000')
  doc.fontSize(8.5).text('Surat ini dibuat dengan komputer. Pindai kode untuk memeriksanya.', 160, top, { width: 180 })
  doc.fontSize(10).text('23 November 2026', 369, top, { width: 170 }).text('Ketua Panitia', { width: 170 })
  doc.font('Helvetica-Bold').text('Dr. Contoh Nama', 369, doc.y + 52, { width: 170 })
}

/** 10,000 letters registered, numbered and printed into files of 500, against a bare pdfkit loop over the same letters. */
export const lettersCase: Case = {
  ownDatabase: true,
  goal: 0.6,
  unit: 'letters/s',
  ours: async () => {
    const ownWorld = await ready()
    const rate = await watchingProcess(ownWorld.bench, 'letters', () => giveLetters(ownWorld))
    await giveOnDemand(ownWorld)
    return rate
  },
  theirs: async () => drawByHand(await ready()),
  close: async () => {
    const { db, bench } = await ready()
    await db.end()
    await bench.close()
  },
}
