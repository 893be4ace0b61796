import { isIP, isIPv6 } from 'node:net'

/** How many proxies stand before the server, or the networks they stand in; 0 when nothing does. */
export type Proxies = number | readonly string[]

const mostHops = 10
const namedNetworks = ['loopback', 'linklocal', 'uniquelocal']

/** What the setting names, or in a sentence why that cannot be used. */
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
    return Number(value) <= mostHops ? Number(value) : { refused: `it counts at most ${mostHops} proxies.` }
  const networks = value.split(',').map((network) => network.trim())
  const wrong = networks.find((network) => !isNetwork(network))
  return wrong === undefined
    ? networks
    : { refused: `"${wrong}" is no address or network; the words known are ${namedNetworks.join(', ')}.` }
}

/** An address, a network with its length, or a word for one; all addresses at once are no network. */
function isNetwork(network: string) {
  if (namedNetworks.includes(network)) return true
  const [address = '', length, ...more] = network.split('/')
  if (!isIP(address) || address.includes('%') || more.length > 0) return false
  if (length === undefined) return true
  return /^\d{1,3}$/.test(length) && Number(length) >= 1 && Number(length) <= (isIPv6(address) ? 128 : 32)
}

/**
 * Which addresses Fastify believes, from the connection outwards. It takes a plain number for a mistake and then believes
 * nobody, so hops are counted here.
 */
export const trustedProxies = (proxies: Proxies) =>
  typeof proxies === 'number' ? proxies > 0 && ((_address: string, hop: number) => hop < proxies) : [...proxies]
