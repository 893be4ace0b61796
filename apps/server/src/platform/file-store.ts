import type { Readable } from 'node:stream'

/** Where the bytes of uploads live; the table `files` knows what they are. */
export type FileStore = {
  put(key: string, bytes: Uint8Array, mime: string): Promise<void>
  read(key: string): Promise<Readable>
  bytes(key: string): Promise<Buffer>
  remove(key: string): Promise<void>
}
