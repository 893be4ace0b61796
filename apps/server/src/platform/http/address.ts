import { isIP, isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'

type Caller = Pick<FastifyRequest, 'socket'> & { ip: string | undefined }

/**
 * Address a request comes from, without the port some proxies append in X-Forwarded-For. If it is not an IP address,
 * the proxy's address is used, so callers cannot invent names to evade the limit.
 */
export function addressOf({ ip, socket }: Caller): string {
  const address = (ip ?? '').replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1')
  return isIP(address) ? address : (socket.remoteAddress ?? '')
}

/**
 * Network used for counting calls: an IPv4 address, or the /64 of an IPv6 address, since providers assign a whole /64
 * to a line.
 */
export function networkOf(address: string): string {
  const mappedIpv4 = /^::ffff:([\d.]+)$/i.exec(address)?.[1]
  if (mappedIpv4 || !isIPv6(address)) return mappedIpv4 ?? address
  const [head = '', tail] = address.replace(/%.*/, '').split('::')
  const groups = (part: string | undefined) => (part ? part.split(':') : [])
  // A trailing IPv4 address counts as two groups; it is never among the first four.
  const groupsAfterGap = groups(tail).flatMap((group) => (group.includes('.') ? [group, ''] : [group]))
  const groupsBeforeGap = groups(head)
  const zeros = tail === undefined ? [] : Array(8 - groupsBeforeGap.length - groupsAfterGap.length).fill('0')
  const network = [...groupsBeforeGap, ...zeros, ...groupsAfterGap].slice(0, 4)
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
