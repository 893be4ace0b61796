import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { networkOf } from './address.ts'
import { type Proxies, readProxies } from './proxies.ts'

const perMinute = 60
let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

type Call = { forwarded?: string; from?: string }

/** Number of `calls` refused with 429 by a server behind these proxies. */
async function refusedBy(trustProxy: Proxies, calls: Call[]) {
  const server = await testApp({ config: { trustProxy }, sameDatabaseAs: t })
  try {
    const statuses: number[] = []
    for (const { forwarded, from = '203.0.113.9' } of calls) {
      const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
      const answer = await server.app.inject({
        url: '/api/verifikasi-kuitansi/tidak-ada',
        remoteAddress: from,
        headers,
      })
      statuses.push(answer.statusCode)
    }
    return statuses.filter((status) => status === 429).length
  } finally {
    await server.close()
  }
}

const times = (count: number, call: (n: number) => Call) => Array.from({ length: count }, (_, n) => call(n))
const inventedAddress = (n: number) => `198.51.${n >> 8}.${n & 255}`

describe('calls with a newly invented address each time', () => {
  test('are counted by their connection if there is no proxy before the server', async () => {
    expect(
      await refusedBy(
        0,
        times(perMinute + 20, (n) => ({ forwarded: inventedAddress(n) })),
      ),
    ).toBe(20)
  })

  test('are counted by the address that the single proxy appends', async () => {
    const inventedCalls = times(perMinute + 20, (n) => ({
      forwarded: `${inventedAddress(n)}, 192.0.2.7`,
      from: '10.0.0.1',
    }))
    expect(await refusedBy(1, inventedCalls)).toBe(20)
  })

  test("are counted by their connection if it comes from outside the proxies' networks", async () => {
    expect(
      await refusedBy(
        ['10.0.0.0/8'],
        times(perMinute + 20, (n) => ({ forwarded: inventedAddress(n) })),
      ),
    ).toBe(20)
  })

  test("are counted by the last address outside the proxies' networks, whatever precedes it", async () => {
    const inventedCalls = times(perMinute + 20, (n) => ({
      forwarded: `${inventedAddress(n)}, 192.0.2.7, 10.0.0.2`,
      from: '10.0.0.1',
    }))
    expect(await refusedBy(['uniquelocal'], inventedCalls)).toBe(20)
  })

  test('are counted by the proxy if the forwarded name is not an address', async () => {
    const inventedCalls = times(perMinute + 20, (n) => ({ forwarded: `nobody-${n}`, from: '10.0.0.1' }))
    expect(await refusedBy(1, inventedCalls)).toBe(20)
  })

  test('are counted together within one IPv6 /64, and separately beyond it', async () => {
    const callsOfNetwork = times(perMinute + 20, (n) => ({ from: `2001:db8:0:1:${n.toString(16)}::1` }))
    expect(await refusedBy(0, callsOfNetwork)).toBe(20)
    const callsOfNetworks = times(perMinute + 20, (n) => ({ from: `2001:db8:0:${n.toString(16)}::1` }))
    expect(await refusedBy(0, callsOfNetworks)).toBe(0)
  })
})

test('callers behind a known proxy are each counted by their own address', async () => {
  const callers = times(perMinute + 20, (n) => ({ forwarded: `${inventedAddress(n)}:4711`, from: '10.0.0.1' }))
  expect(await refusedBy(1, callers)).toBe(0)
})

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:DB8:0:0:ffff::1', '2001:db8:0:0::/64'],
  ['2001:0db8:0000:0000:1:2:3:4', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
])('%s is counted under %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

describe('the setting TRUST_PROXY', () => {
  test.each([
    ['0', 0],
    ['false', 0],
    ['2', 2],
    ['loopback, 10.0.0.0/8,2001:db8::/32', ['loopback', '10.0.0.0/8', '2001:db8::/32']],
  ])('%s', (setting, proxies) => {
    expect(readProxies(setting)).toEqual(proxies)
  })

  test.each(['true', '99', 'everything', '10.0.0.0/33', '0.0.0.0/0', '::/0', '10.0.0.1,', '10.0.0'])(
    '%s is refused',
    (setting) => {
      expect(readProxies(setting)).toHaveProperty('refused')
    },
  )
})
