import { once } from 'node:events'
import { Readable } from 'node:stream'
import yazl from 'yazl'
import type { Photo } from './photo-download.ts'

/**
 * A ZIP of photos as a stream. Takes the next photo only after the reader took the last, so memory contains only a few.
 * Entries are uncompressed, because JPEG does not shrink.
 */
export function zipPhotos(photos: AsyncIterable<Photo>): Readable {
  const zip = new yazl.ZipFile()
  const output = zip.outputStream as Readable
  const closed = once(output, 'close')
  // The reader gets an error from the stream itself.
  closed.catch(() => {})

  async function fill() {
    for await (const { name, bytes } of photos) {
      const entry = Readable.from([bytes], { objectMode: false })
      const read = once(entry, 'end')
      zip.addReadStream(entry, name, { compress: false })
      await Promise.race([read, closed])
      if (output.destroyed) return
    }
    zip.end()
  }
  fill().catch((error) => output.destroy(error))
  return output
}
