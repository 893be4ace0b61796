import crypto from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'

const pieceBytes = 65_536

export type Spool = {
  reader: Readable
  /** Until `content` has been read to its end; the reader may take longer. */
  whole: Promise<void>
}

/**
 * Lets a slow reader take its time: `content` is read to its end as fast as it comes, through a temporary file, so that
 * the cursor or thread behind it does not wait for somebody's phone. Its failure reaches the reader after what came before.
 */
export async function spooled(content: Readable): Promise<Spool> {
  const place = path.join(os.tmpdir(), `pmb-spool-${crypto.randomUUID()}`)
  const file = await fs.promises.open(place, 'wx+', 0o600)
  // Without a name it goes with this process, however that ends.
  await fs.promises.rm(place)
  let written = 0
  let failure: unknown
  let isWhole = false
  let wake = () => {}

  async function write() {
    try {
      for await (const chunk of content) {
        const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Buffer)
        await file.write(bytes, 0, bytes.length, written)
        written += bytes.length
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
    for (let taken = 0; ; ) {
      if (taken < written) {
        const piece = Buffer.allocUnsafe(Math.min(pieceBytes, written - taken))
        const { bytesRead } = await file.read(piece, 0, piece.length, taken)
        taken += bytesRead
        yield piece.subarray(0, bytesRead)
      } else if (isWhole) {
        if (failure) throw failure
        return
      } else
        await new Promise<void>((more) => {
          wake = more
        })
    }
  }

  const reader = Readable.from(pieces(), { objectMode: false })
  reader.once('close', async () => {
    content.destroy()
    await whole.catch(() => {})
    await file.close().catch(() => {})
  })
  // Whoever waits for neither hears of a failure through the reader.
  whole.catch(() => {})
  return { reader, whole }
}
