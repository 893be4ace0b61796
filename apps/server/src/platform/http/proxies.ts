import { isIP, isIPv6 } from 'node:net'

/** Number of proxies before the server, or their networks; 0 for none. */
export type Proxies = number | readonly string[]

const maxHops = 10
const namedNetworks = ['loopback', 'linklocal', 'uniquelocal']

/** Parses the setting; `refused` says why it is invalid. */
export function readProxies(setting: string): Proxies | { refused: string } {
  const value = setting.trim().toLowerCase()
  if (value === 'false' || value === '') return 0
  if (value === 'true')
    return {
      refused:
        'true would believe any address a caller invents. Write how many proxies stand before the server (such as 1), ' +
        'or their addresses or networks with commas between them (such as loopback or 10.0.0.0/8).',
    }
  if (/^\d+$/.test(value))
    return Number(value) <= maxHops ? Number(value) : { refused: `it counts at most ${maxHops} proxies.` }
  const networks = value.split(',').map((network) => network.trim())
  const invalidNetwork = networks.find((network) => !isNetwork(network))
  return invalidNetwork === undefined
    ? networks
    : { refused: `"${invalidNetwork}" is no address or network; the words known are ${namedNetworks.join(', ')}.` }
}

/** Whether the text is an address, a network with a prefix length above 0, or a named network. */
function isNetwork(network: string) {
  if (namedNetworks.includes(network)) return true
  const [address = '', length, ...extraParts] = network.split('/')
  if (!isIP(address) || address.includes('%') || extraParts.length > 0) return false
  if (length === undefined) return true
  return /^\d{1,3}$/.test(length) && Number(length) >= 1 && Number(length) <= (isIPv6(address) ? 128 : 32)
}

/**
 * Value of Fastify's `trustProxy`. Fastify rejects a plain number and then trusts no proxy, so a function counts the
 * hops from the connection outwards.
 */
export const trustedProxies = (proxies: Proxies) =>
  typeof proxies === 'number' ? proxies > 0 && ((_address: string, hop: number) => hop < proxies) : [...proxies]
