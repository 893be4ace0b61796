import { once } from 'node:events'
import { Readable } from 'node:stream'
import yazl from 'yazl'
import type { Photo } from './photo-download.ts'

/**
 * A ZIP of photos as a stream that never holds more than a few of them: the next one is drawn when the reader has taken
 * the one before. JPEG does not shrink, so entries are stored.
 */
export function zipPhotos(photos: AsyncIterable<Photo>): Readable {
  const zip = new yazl.ZipFile()
  const output = zip.outputStream as Readable
  const closed = once(output, 'close')
  // An error reaches the reader by the stream itself.
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
