import crypto from 'node:crypto'
import { z } from 'zod'
import type { MediaFailure } from '#domain/chat/media.ts'
import { isSafeAddress } from '#domain/safe-address.ts'
import { whatsappProblems } from '#domain/whatsapp/problems.ts'
import { refuseInTransaction } from '#server/platform/database/transaction-guard.ts'
import { type CloudAccess, callGraph } from './cloud.ts'

const downloadMs = 60_000

const mediaAnswer = z.object({
  url: z.url(),
  sha256: z.string().optional().catch(undefined),
  file_size: z.coerce.number().optional().catch(undefined),
})

/** Hosts of Meta that serve files, besides the configured one. The access token goes to no other host. */
const hostsOfMeta = ['fbsbx.com', 'facebook.com', 'fbcdn.net', 'whatsapp.net']

function mayFetch(address: string, { graphUrl }: CloudAccess) {
  const { origin, hostname, protocol } = new URL(address)
  if (origin === new URL(graphUrl).origin) return isSafeAddress(address)
  return protocol === 'https:' && hostsOfMeta.some((host) => hostname === host || hostname.endsWith(`.${host}`))
}

export type FetchedMedia = { bytes: Buffer } | { isTooLarge: true } | { failure: MediaFailure }

/** Fetches the file of a message: first its URL, which is valid for minutes, then the bytes. */
export async function fetchMedia(access: CloudAccess, mediaId: string, maxBytes: number): Promise<FetchedMedia> {
  refuseInTransaction('fetching a file of WhatsApp')
  const query = new URLSearchParams({ phone_number_id: access.phoneNumberId })
  const answer = await callGraph(access, `${encodeURIComponent(mediaId)}?${query}`)
  if ('problem' in answer) {
    // Meta's code for an unknown id, which here is the file's.
    if (answer.problem === 'wrong_number_id') return { failure: 'expired' }
    const remedy = whatsappProblems[answer.problem]
    return { failure: remedy === 'retry' ? 'unreachable' : remedy === 'wait' ? 'connection' : 'expired' }
  }
  const { data: media } = mediaAnswer.safeParse(answer.body)
  if (!media) return { failure: 'unreachable' }
  if ((media.file_size ?? 0) > maxBytes) return { isTooLarge: true }
  if (!mayFetch(media.url, access)) return { failure: 'address' }
  const bytes = await download(media.url, access, maxBytes)
  if (!Buffer.isBuffer(bytes)) return bytes
  const digest = crypto.createHash('sha256').update(bytes).digest('hex')
  const isChanged =
    media.sha256 !== undefined && /^[0-9a-f]{64}$/i.test(media.sha256) && media.sha256.toLowerCase() !== digest
  return isChanged ? { failure: 'changed' } : { bytes }
}

async function download(
  address: string,
  { accessToken }: CloudAccess,
  maxBytes: number,
): Promise<Buffer | FetchedMedia> {
  try {
    const answer = await fetch(address, {
      headers: { authorization: `Bearer ${accessToken}` },
      // A redirect would send the token to an address that was not checked.
      redirect: 'error',
      signal: AbortSignal.timeout(downloadMs),
    })
    if (!answer.ok) {
      await answer.body?.cancel()
      return { failure: answer.status >= 500 || answer.status === 429 ? 'unreachable' : 'expired' }
    }
    const parts: Uint8Array[] = []
    let length = 0
    // Returning from the loop aborts the download.
    for await (const part of answer.body ?? []) {
      length += part.length
      if (length > maxBytes) return { isTooLarge: true }
      parts.push(part)
    }
    return Buffer.concat(parts)
  } catch {
    return { failure: 'unreachable' }
  }
}
