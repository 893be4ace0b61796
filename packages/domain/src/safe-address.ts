/** Requires https except for loopback, because keys, tokens and messages must not travel unencrypted. */
export function isSafeAddress(address: string) {
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname))
}
