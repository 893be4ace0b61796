import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Config } from '#server/config.ts'

/** Storage for uploaded bytes; names and types are in table `files`. */
export type FileStore = {
  put(key: string, bytes: Uint8Array, mime: string): Promise<void>
  read(key: string): Promise<Readable>
  bytes(key: string): Promise<Buffer>
  remove(key: string): Promise<void>
}

export const fileStoreFor = async ({ s3, dataDir }: Pick<Config, 's3' | 'dataDir'>): Promise<FileStore> =>
  s3 ? s3Store(s3) : localStore(path.join(dataDir, 'files'))

export function localStore(folder: string): FileStore {
  const pathOf = (key: string) => {
    const file = path.resolve(folder, key)
    if (!file.startsWith(path.resolve(folder) + path.sep)) throw new Error('file key leaves the folder')
    return file
  }
  return {
    async put(key, bytes) {
      const file = pathOf(key)
      await fs.promises.mkdir(path.dirname(file), { recursive: true })
      // Written under a temporary name, then renamed, so readers never see half a file. Random, because two
      // requests may store the same piece at once.
      const temporary = `${file}.${crypto.randomUUID()}.part`
      try {
        await fs.promises.writeFile(temporary, bytes, { mode: 0o600 })
        await fs.promises.rename(temporary, file)
      } catch (error) {
        // On a full disk the partial file would take space other uploads need.
        await fs.promises.rm(temporary, { force: true }).catch(() => {})
        throw error
      }
    },
    async read(key) {
      const handle = await fs.promises.open(pathOf(key))
      return handle.createReadStream()
    },
    bytes: (key) => fs.promises.readFile(pathOf(key)),
    remove: (key) => fs.promises.rm(pathOf(key), { force: true }),
  }
}

/** Any S3-compatible store; loads the SDK only when used. */
async function s3Store(s3: NonNullable<Config['s3']>): Promise<FileStore> {
  const { S3Client, PutObjectCommand, GetObjectCommand, DeleteObjectCommand } = await import('@aws-sdk/client-s3')
  const client = new S3Client({
    region: s3.region,
    ...(s3.endpoint && { endpoint: s3.endpoint, forcePathStyle: true }),
    ...(s3.accessKeyId &&
      s3.secretAccessKey && {
        credentials: { accessKeyId: s3.accessKeyId, secretAccessKey: s3.secretAccessKey },
      }),
  })
  const locationOf = (Key: string) => ({ Bucket: s3.bucket, Key })
  const read = async (key: string) => {
    const { Body } = await client.send(new GetObjectCommand(locationOf(key)))
    return Body as Readable
  }
  return {
    async put(key, bytes, mime) {
      await client.send(new PutObjectCommand({ ...locationOf(key), Body: bytes, ContentType: mime }))
    },
    read,
    bytes: async (key) => buffer(await read(key)),
    async remove(key) {
      await client.send(new DeleteObjectCommand(locationOf(key)))
    },
  }
}
