import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { time } from '#entities/define/answer-time.ts'
import { languages } from '#entities/define/language.ts'

/** `manifest.json` of an evidence pack: all other files of the ZIP, in order. */
export const evidenceManifest = z.object({
  registration: z.string(),
  createdAt: time,
  createdBy: z.string(),
  files: z.array(
    z.object({
      /** Path in the ZIP. */
      name: z.string(),
      bytes: z.int(),
      /** In hexadecimal. */
      sha256: z.string(),
    }),
  ),
})
export type EvidenceManifest = z.output<typeof evidenceManifest>

export const downloadEvidence = endpoint({
  method: 'GET',
  path: '/pendaftaran/:id/evidence',
  access: 'berkas-mahasiswa-update',
  summary: 'What was decided about a registration, as a PDF with its files and a manifest of hashes (ZIP); recorded',
  params: z.object({ id: z.uuid() }),
  query: z.object({ language: z.enum(languages).optional() }),
  response: z.unknown(),
})
