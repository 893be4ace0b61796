import type { Readable } from 'node:stream'
import yazl from 'yazl'
import type { Services } from '#server/platform/services.ts'

export type ZipEntry = {
  /** Path in the ZIP. */
  name: string
  /** Called once the previous entry has been read to its end. */
  open: () => Promise<Readable>
  modifiedAt?: Date | null
  /** Pictures and PDFs are compressed already. */
  compress?: boolean
}

/** Extension of a stored file without its dot, for a name in a ZIP. */
export const extensionOf = (storageKey: string) => /\.(\w+)$/.exec(storageKey)?.[1] ?? 'bin'

/** Streams a ZIP, reading one entry after another; an unreadable entry destroys the stream. */
export function streamZip({ log }: Pick<Services, 'log'>, entries: readonly ZipEntry[]): Readable {
  const zip = new yazl.ZipFile()
  const content = zip.outputStream as Readable
  for (const { name, open, modifiedAt, compress = false } of entries)
    zip.addReadStreamLazy(name, { compress, ...(modifiedAt && { mtime: modifiedAt }) }, (give) => {
      open().then(
        (bytes) => give(null, bytes),
        (error: Error) => zip.emit('error', error),
      )
    })
  zip.on('error', (error: Error) => {
    log.error({ err: error }, 'ZIP')
    content.destroy(error)
  })
  zip.end()
  return content
}
