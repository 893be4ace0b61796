import crypto from 'node:crypto'
import { Readable, Transform } from 'node:stream'
import { sql } from 'kysely'
import type { EvidenceManifest } from '#domain/evidence/endpoints.ts'
import { uniqueNames } from '#domain/file-names.ts'
import { fillNameTemplate } from '#domain/students/files/name-template.ts'
import type { Language } from '#entities/define/language.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { extensionOf, streamZip, type ZipEntry } from '#server/platform/files/stream-zip.ts'
import { limitPlaces } from '#server/platform/places.ts'
import type { Services } from '#server/platform/services.ts'
import { drawEvidence } from './draw-evidence.ts'
import { type Evidence, type EvidencePart, readEvidence } from './read-evidence.ts'

/** Each pack reads a whole registration and draws a PDF, hence the limit. */
const takePlace = limitPlaces({ whole: 3, perAccount: 2 })

/**
 * The evidence of a registration as a ZIP: the PDF, the files it names, and last `manifest.json` with the hash of each,
 * computed while its bytes are sent. Before the first byte the audit log records the actor and the owners of the
 * documents. Memory holds the PDF and one piece of a file. 429 if the account, or all accounts together, make too many
 * at once.
 */
export async function zipEvidence(services: Services, actor: Actor, id: string, language: Language) {
  const freePlace = takePlace(actor.accountId)
  try {
    const { name, content } = await makeEvidence(services, actor, id, language)
    return { name, content: content.once('close', freePlace) }
  } catch (error) {
    freePlace()
    throw error
  }
}

async function makeEvidence(services: Services, actor: Actor, id: string, language: Language) {
  const { db, clock } = services
  const evidence = await readEvidence(services, actor, id, language)
  const { code } = evidence.registration
  const [pdf, rows] = [await drawEvidence(services, actor, evidence, language), await filesOf(db, id, evidence)]
  await recordAudit(db, actor, {
    action: 'evidence.download',
    on: { registration: id },
    after: { documents: rows.map(({ title }) => title) },
  })
  const manifest: EvidenceManifest = {
    registration: code,
    createdAt: clock.now().toISOString(),
    createdBy: actor.name,
    files: [],
  }
  const hashed = (entry: ZipEntry): ZipEntry => ({
    ...entry,
    open: async () => noteHash(await entry.open(), (file) => manifest.files.push({ name: entry.name, ...file })),
  })
  const nameOf = uniqueNames()
  const content = streamZip(services, [
    hashed({ name: `${code}.pdf`, open: async () => Readable.from([pdf]) }),
    ...evidence.selection.map((run) =>
      hashed({
        name: nameOf(
          fillNameTemplate('selection/{berkas}', { npm: '', kode: code, nama: '', prodi: '', berkas: run.name }),
          'json',
        ),
        open: async () => Readable.from([selectionFile(run)]),
        modifiedAt: run.adoptedAt,
      }),
    ),
    ...rows.map(({ part, title, storageKey, createdAt }) =>
      hashed({
        name: nameOf(
          fillNameTemplate(`${part}/{berkas}`, { npm: '', kode: code, nama: '', prodi: '', berkas: title }),
          extensionOf(storageKey),
        ),
        open: () => services.files.read(storageKey),
        modifiedAt: createdAt,
      }),
    ),
    {
      name: 'manifest.json',
      open: async () => Readable.from([Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)]),
      compress: true,
    },
  ])
  return { name: `${code}-evidence`, content }
}

/** Rules, result and hashes of a selection, as stored. */
function selectionFile({ name, rules, counts, checks, adoptedAt, adoptedBy, ...run }: Evidence['selection'][number]) {
  const { inputHash, outputHash, verifiedHash } = run
  const choices = run.choices.map(({ position, programme, outcome, rank, reserveRank, total, why }) => ({
    ...{ position, programme, outcome, rank, reserveRank, total, why },
  }))
  const content = { name, adoptedAt, adoptedBy, rules, counts, checks, inputHash, outputHash, verifiedHash, choices }
  return Buffer.from(`${JSON.stringify(content, null, 2)}\n`)
}

/** Passes the bytes on and reports their number and hash at the end. */
function noteHash(source: Readable, onEnd: (file: { bytes: number; sha256: string }) => void): Readable {
  const hash = crypto.createHash('sha256')
  let bytes = 0
  const passed = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
    flush(done) {
      onEnd({ bytes, sha256: hash.digest('hex') })
      done()
    },
  })
  source.on('error', (error) => passed.destroy(error))
  passed.on('close', () => source.destroy())
  return source.pipe(passed)
}

type StoredRow = { part: string; title: string; storageKey: string; createdAt: Date; needs: EvidencePart }

/** Documents, photo, licence scan, letters and proofs of payment that the reader of the evidence may see. */
async function filesOf(db: Db, registrationId: string, { hidden }: Evidence): Promise<StoredRow[]> {
  const { rows } = await sql<StoredRow>`
    SELECT x.part, x.title, x.needs, f.storage_key, f.created_at FROM (
      SELECT 1 AS place, 'documents' AS part, d.name AS title, d.file_id, 'documents' AS needs, d.sort_order AS position
        FROM documents d WHERE d.registration_id = ${registrationId}
      UNION ALL SELECT 2, 'profile', 'photo', a.photo_file_id, 'documents', 0
        FROM registrations r JOIN applicants a ON a.id = r.applicant_id WHERE r.id = ${registrationId}
      UNION ALL SELECT 3, 'profile', 'driving-licence', l.file_id, 'licence', 0
        FROM registrations r JOIN driving_licences l ON l.account_id = r.account_id WHERE r.id = ${registrationId}
      UNION ALL SELECT 4, 'letters', l.number, l.file_id, 'letters', 0
        FROM letters l WHERE l.registration_id = ${registrationId}
      UNION ALL SELECT DISTINCT 5, 'payments', coalesce(p.receipt_number, p.provider_reference), p.proof_file_id, 'payments', 0
        FROM payments p JOIN allocations y ON y.payment_id = p.id JOIN bills b ON b.id = y.bill_id
        WHERE b.registration_id = ${registrationId}) x
    JOIN files f ON f.id = x.file_id AND f.deleted_at IS NULL
    ORDER BY x.place, x.position, x.title, f.id`.execute(db)
  return rows.filter(({ needs }) => !hidden.includes(needs))
}
