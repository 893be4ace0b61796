/** Keys, tokens and messages travel encrypted, except to the machine itself. */
export function isSafeAddress(address: string) {
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname))
}
