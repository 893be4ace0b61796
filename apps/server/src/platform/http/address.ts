import { isIP, isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'

type Caller = Pick<FastifyRequest, 'socket'> & { ip: string | undefined }

/**
 * Address a request comes from. Some proxies write the port behind the address in X-Forwarded-For; anything else than an
 * address there is passed over for the address of the proxy, so that nobody invents a name to be counted under.
 */
export function addressOf({ ip, socket }: Caller): string {
  const address = (ip ?? '').replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1')
  return isIP(address) ? address : (socket.remoteAddress ?? '')
}

/** What calls are counted under: an IPv4 address, or the /64 of an IPv6 address, since one line is given all of a /64. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1]
  if (mapped || !isIPv6(address)) return mapped ?? address
  const [head = '', tail] = address.replace(/%.*/, '').split('::')
  const groups = (part: string | undefined) => (part ? part.split(':') : [])
  // An IPv4 address at the end takes the room of two groups; it lies behind the first four either way.
  const behind = groups(tail).flatMap((group) => (group.includes('.') ? [group, ''] : [group]))
  const front = groups(head)
  const zeros = tail === undefined ? [] : Array(8 - front.length - behind.length).fill('0')
  const network = [...front, ...zeros, ...behind].slice(0, 4)
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
