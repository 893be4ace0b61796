import crypto from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'

const pieceBytes = 65_536

export type Spool = {
  reader: Readable
  /** Resolves when `content` has been read to its end; the reader may take longer. */
  whole: Promise<void>
}

/**
 * Reads `content` to its end at full speed into a temporary file, so that the cursor or thread producing it does not
 * wait for a slow reader. If `content` fails, the reader gets the bytes before the failure, then the error.
 */
export async function openSpool(content: Readable): Promise<Spool> {
  const temporaryPath = path.join(os.tmpdir(), `pmb-spool-${crypto.randomUUID()}`)
  const file = await fs.promises.open(temporaryPath, 'wx+', 0o600)
  // An unlinked file disappears with this process, however the process ends.
  await fs.promises.rm(temporaryPath)
  let writtenBytes = 0
  let failure: unknown
  let isWhole = false
  let wake = () => {}

  async function write() {
    try {
      for await (const chunk of content) {
        const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Buffer)
        await file.write(bytes, 0, bytes.length, writtenBytes)
        writtenBytes += bytes.length
        wake()
      }
    } catch (error) {
      failure = error
      throw error
    } finally {
      isWhole = true
      wake()
    }
  }
  const whole = write()

  async function* pieces() {
    for (let readBytes = 0; ; ) {
      if (readBytes < writtenBytes) {
        const piece = Buffer.allocUnsafe(Math.min(pieceBytes, writtenBytes - readBytes))
        const { bytesRead } = await file.read(piece, 0, piece.length, readBytes)
        readBytes += bytesRead
        yield piece.subarray(0, bytesRead)
      } else if (isWhole) {
        if (failure) throw failure
        return
      } else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
  }

  const reader = Readable.from(pieces(), { objectMode: false })
  reader.once('close', async () => {
    content.destroy()
    await whole.catch(() => {})
    await file.close().catch(() => {})
  })
  // The reader reports the failure; this only avoids an unhandled rejection.
  whole.catch(() => {})
  return { reader, whole }
}
