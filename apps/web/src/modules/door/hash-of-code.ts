/** SHA-256 of a code in hex, as lists identify cards and tickets; null if the browser has no cryptography. */
export async function hashOfCode(code: string): Promise<string | null> {
  if (!globalThis.crypto?.subtle) return null
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(code))
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
