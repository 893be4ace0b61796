import crypto from 'node:crypto'
import type { ProblemResult } from '#domain/health/connection-checks.ts'
import type { CheckResult } from '#domain/health/endpoints.ts'
import type { Services } from '#server/platform/services.ts'
import { resultOf } from './result.ts'

/** Writes, reads and removes a small object where uploads are stored. */
export async function checkStorage({ files, config }: Services): Promise<CheckResult[]> {
  const key = `health/${crypto.randomUUID()}`
  const bytes = crypto.randomBytes(64)
  const facts = { place: config.s3 ? `S3: ${config.s3.bucket}` : config.dataDir }
  const startMs = performance.now()
  try {
    await files.put(key, bytes, 'application/octet-stream')
    const isSame = (await files.bytes(key)).equals(bytes)
    await files.remove(key)
    if (!isSame) return [resultOf('storage-differs', 'red', { facts })]
    const tookMs = Math.round(performance.now() - startMs)
    return [resultOf('storage-ok', 'ok', { facts: { ...facts, tookMs } })]
  } catch (error) {
    await files.remove(key).catch(() => {})
    const { name, code = name, message } = error as NodeJS.ErrnoException
    return [resultOf(codeOf(code, name), 'red', { facts, answer: `${code}: ${message}`.slice(0, 300) })]
  }
}

const problems: Record<string, ProblemResult> = {
  ENOSPC: 'storage-full',
  EDQUOT: 'storage-full',
  EACCES: 'storage-forbidden',
  EPERM: 'storage-forbidden',
  EROFS: 'storage-forbidden',
  AccessDenied: 'storage-forbidden',
  NoSuchBucket: 'storage-bucket',
  PermanentRedirect: 'storage-bucket',
  InvalidAccessKeyId: 'storage-key',
  SignatureDoesNotMatch: 'storage-key',
  CredentialsProviderError: 'storage-key',
  ECONNREFUSED: 'storage-unreachable',
  ENOTFOUND: 'storage-unreachable',
  ETIMEDOUT: 'storage-unreachable',
  TimeoutError: 'storage-unreachable',
}

const codeOf = (code: string, name: string) => problems[code] ?? problems[name] ?? 'storage-failed'
