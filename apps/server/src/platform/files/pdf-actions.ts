import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { encryptionOf } from './pdf-encryption.ts'

const inflate = promisify(zlib.inflate)
/** Most bytes of all inflated object streams together; larger documents are not inspected. */
const maxInflatedBytes = 64_000_000

const endOfName = String.raw`(?=[\0\s()<>[\]{}/%]|$)`
const actionName = new RegExp(`/(JavaScript|Launch)${endOfName}`)
const scriptKey = /\/JS\s*(?:[(<]|\d+\s+\d+\s+R)/

/** PDF names may write any character as `#` and its code (ISO 32000-1, 7.3.5). */
const withPlainNames = (text: string) =>
  text.replace(/#([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

/**
 * Whether a PDF can run a script or start a program, including from compressed object streams: `none`, `found`, or
 * `hidden` if a password keeps the streams unreadable. Damaged, oversized or unusually filtered object streams count as
 * `found`.
 */
export async function actionsIn(pdf: Buffer): Promise<'none' | 'found' | 'hidden'> {
  const text = pdf.toString('latin1')
  const plain = withPlainNames(text)
  if (actionName.test(plain)) return 'found'
  const encryption = encryptionOf(pdf)
  const decrypt = typeof encryption === 'function' ? encryption : undefined
  let inflatedBytes = 0
  let end = 0
  for (const { index, 0: keyword } of text.matchAll(/stream\r?\n/g)) {
    if (index < end) continue
    const before = withPlainNames(text.slice(end, index))
    if (scriptKey.test(before)) return 'found'
    const startOfObject = Math.max(0, before.lastIndexOf(' obj'))
    const dictionary = before.slice(startOfObject)
    const start = index + keyword.length
    const endOfStream = text.indexOf('endstream', start)
    end = endOfStream === -1 ? start : endOfStream + 'endstream'.length
    // The key that all object streams have and other streams lack.
    if (!/\/(ObjStm|First)/.test(dictionary)) continue
    try {
      const stored = pdf.subarray(start, endOfStream === -1 ? undefined : endOfStream)
      const [, number, generation] = /(\d+)\s+(\d+)$/.exec(before.slice(0, startOfObject)) ?? []
      const bytes = await inflate(decrypt ? decrypt(stored, Number(number), Number(generation)) : stored, {
        maxOutputLength: maxInflatedBytes - inflatedBytes,
        finishFlush: zlib.constants.Z_SYNC_FLUSH,
      })
      inflatedBytes += bytes.length
      const objects = withPlainNames(bytes.toString('latin1'))
      if (actionName.test(objects) || scriptKey.test(objects)) return 'found'
    } catch {
      return encryption === 'locked' ? 'hidden' : 'found'
    }
  }
  return scriptKey.test(withPlainNames(text.slice(end))) ? 'found' : 'none'
}
