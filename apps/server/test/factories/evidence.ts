import { buffer } from 'node:stream/consumers'
import zlib from 'node:zlib'
import { expect } from 'vitest'
import yauzl from 'yauzl'
import { evidenceManifest } from '#domain/evidence/endpoints.ts'
import type { TestActor } from '#server-test/actors.ts'

export const pathOf = (id: string, language = 'en') => `/pendaftaran/${id}/evidence?language=${language}`

/** Files of a ZIP by path, in order. */
const unzip = (bytes: Buffer) =>
  new Promise<Map<string, Buffer>>((resolve, reject) => {
    yauzl.fromBuffer(bytes, { lazyEntries: true }, (error, zip) => {
      if (error) return reject(error)
      const files = new Map<string, Buffer>()
      zip.on('entry', (entry: yauzl.Entry) =>
        zip.openReadStream(entry, (failure, content) => {
          if (failure) return reject(failure)
          buffer(content).then((file) => {
            files.set(entry.fileName, file)
            zip.readEntry()
          }, reject)
        }),
      )
      zip.on('end', () => resolve(files))
      zip.on('error', reject)
      zip.readEntry()
    })
  })

/** Text of a pdfkit PDF, which stores it in hexadecimal pieces. */
export function textOf(pdf: Buffer): string {
  const streams = [...pdf.toString('latin1').matchAll(/stream\n([\s\S]*?)\nendstream/g)].flatMap(([, content]) => {
    try {
      return zlib.inflateSync(Buffer.from(content!, 'latin1')).toString('latin1')
    } catch {
      return []
    }
  })
  return streams
    .flatMap((content) => content.split('\n'))
    .map((line) => [...line.matchAll(/<([0-9a-f]+)>/g)].map(([, hex]) => Buffer.from(hex!, 'hex').toString('latin1')))
    .map((pieces) => pieces.join(''))
    .filter(Boolean)
    .join(' ')
}

/** Downloads and reads a registration's evidence pack. */
export async function packOf(reader: TestActor, id: string) {
  const answer = await reader.get(pathOf(id))
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/zip'])
  const files = await unzip(answer.rawPayload)
  const { manifest, pdf } = {
    manifest: evidenceManifest.parse(JSON.parse(files.get('manifest.json')!.toString())),
    pdf: [...files].find(([name]) => /^[^/]+\.pdf$/.test(name))![1],
  }
  return { files, manifest, text: textOf(pdf) }
}

export type Pack = Awaited<ReturnType<typeof packOf>>
