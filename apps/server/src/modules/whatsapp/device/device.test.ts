import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import {
  aConnection,
  afterSeconds,
  aQueuedMessage,
  connectionBody,
  messageRow,
} from '#server-test/factories/whatsapp/connections.ts'
import { aWorld } from '#server-test/factories/whatsapp/device.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { loadSession } from './session-store.ts'

let t: TestApp
let admin: TestActor
let world: ReturnType<typeof aWorld>
let id: string

beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  t.clock.set('2027-01-04T01:00:00Z')
  admin = await asStaff(t)
  await t.db.deleteFrom('messages').where('channel', '=', 'whatsapp').execute()
  await t.db.deleteFrom('whatsappConnections').where('kind', '=', 'device').execute()
  world = aWorld(t)
  id = (await aConnection(admin, connectionBody({ kind: 'device', perMinute: 60 }))).id
})

const pairingOf = async () => (await admin.get(`/settings/whatsapp/${id}`)).json().data
const row = () => t.db.selectFrom('whatsappConnections').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const until = (state: string) => expect.poll(async () => (await row()).state).toBe(state)
const connect = async (body: object = {}) => {
  const answer = await admin.post(`/settings/whatsapp/${id}/connect`, body)
  await t.runJobs()
  return answer
}
const linked = async () => {
  await connect()
  await expect.poll(() => world.sockets.length).toBe(1)
  world.last().open()
  await until('open')
}

describe('linking a phone', () => {
  test('shows the code, follows its changes, reopens when WhatsApp asks, and connects', async () => {
    const answer = await connect()
    expect(answer.json().data).toMatchObject({ standing: 'connecting', pairing: null })
    await expect.poll(() => world.sockets.length).toBe(1)
    world.last().update({ qr: '2@first,code' })
    await until('pairing')
    const first = await pairingOf()
    expect(first).toMatchObject({ standing: 'pairing', pairing: { code: null, qr: { size: expect.any(Number) } } })
    world.last().update({ qr: '2@second,code' })
    await expect.poll(async () => (await pairingOf()).pairing.qr.path).not.toBe(first.pairing.qr.path)
    world.last().close(515)
    await expect.poll(() => world.waits.some(({ ms }) => ms === 0)).toBe(true)
    world.pass(0)
    await expect.poll(() => world.sockets.length).toBe(2)
    world.last().open()
    await until('open')
    expect(await pairingOf()).toMatchObject({
      standing: 'ready',
      phone: '+6281211112222',
      connectedAt: '2027-01-04T01:00:00.000Z',
      problem: null,
      pairing: null,
    })
  })

  test('shows the code to users who may edit connections, until it expires', async () => {
    await connect()
    await expect.poll(() => world.sockets.length).toBe(1)
    world.last().update({ qr: '2@secret-of-the-link' })
    await until('pairing')
    expect(JSON.stringify(await row())).not.toContain('secret-of-the-link')
    const reader = await asWithPermissions(t, ['settings-whatsapp-view'])
    expect((await reader.get(`/settings/whatsapp/${id}`)).json().data.pairing).toBeNull()
    t.clock.set('2027-01-04T01:01:30Z')
    expect((await pairingOf()).pairing).toBeNull()
  })

  test('works with a pairing code, which is requested once per number', async () => {
    await connect()
    await expect.poll(() => world.sockets.length).toBe(1)
    world.last().update({ qr: '2@code' })
    await until('pairing')
    expect((await connect({ phone: '0812' })).json().errors.phone).toBeTruthy()
    await connect({ phone: '0812 1111 2222' })
    await expect.poll(async () => (await pairingOf()).pairing?.code).toBe('ABCD-2345')
    world.last().update({ qr: '2@another' })
    await world.keeper.tend(id)
    expect(world.last().calls).toEqual(['pair 6281211112222'])
    expect((await pairingOf()).pairing.code).toBe('ABCD-2345')
  })

  test('ends without a scan and can be started again', async () => {
    await connect()
    await expect.poll(() => world.sockets.length).toBe(1)
    world.last().update({ qr: '2@code' })
    await until('pairing')
    world.last().close(408)
    await until('off')
    expect(await pairingOf()).toMatchObject({ standing: 'problem', problem: 'scan_timed_out' })
    await connect()
    await expect.poll(() => world.sockets.length).toBe(2)
    expect(await pairingOf()).toMatchObject({ standing: 'connecting', problem: null })
  })
})

describe('a connection that ends', () => {
  test('for lack of a network retries after growing waits and stores the problem', async () => {
    await connect()
    for (const [turn, wait] of [5_000, 10_000, 20_000, 40_000].entries()) {
      await expect.poll(() => world.sockets.length).toBe(turn + 1)
      world.last().close(408, 'ENOTFOUND')
      await expect.poll(async () => (await row()).retryAt?.getTime()).toBe(t.clock.now().getTime() + wait)
      expect(await pairingOf()).toMatchObject({
        standing: 'retrying',
        problem: 'unreachable',
        problemDetail: 'ENOTFOUND',
        retryAt: new Date(t.clock.now().getTime() + wait).toISOString(),
      })
      if (wait !== 5_000) world.pass(wait)
      // The renewal of the lease has the same delay as the first retry.
      else for (const one of world.waits.splice(0).filter(({ ms }) => ms === 5_000)) one.work()
    }
    await expect.poll(() => world.sockets.length).toBe(5)
    world.last().open()
    await until('open')
    world.last().close(428)
    await until('retrying')
    expect(world.waits.some(({ ms }) => ms === 5_000)).toBe(true)
    expect(await pairingOf()).toMatchObject({ problem: 'connection_lost', problemDetail: '428' })
  })

  test.each([
    [401, 'logged_out', 0],
    [403, 'blocked', 1],
    [411, 'mismatch', 0],
    [440, 'replaced', 1],
    [500, 'bad_session', 0],
  ])('with %i is %s: no retry, and the session stays (%i) or is deleted', async (code, problem, storedRows) => {
    await linked()
    world.last().credentials()
    await expect.poll(async () => (await keys()).length).toBe(1)
    world.last().close(code)
    await until('off')
    expect(await pairingOf()).toMatchObject({ standing: 'problem', problem })
    expect(await keys()).toHaveLength(storedRows)
    await t.runJobs()
    await world.keeper.tend(id)
    expect(world.sockets).toHaveLength(1)
  })

  test('because WhatsApp restricts the phone is stored as a problem; the phone stays connected', async () => {
    await linked()
    world.last().update({ reachoutTimeLock: { isActive: true, timeEnforcementEnds: new Date('2027-01-05T00:00:00Z') } })
    await expect.poll(async () => (await pairingOf()).problem).toBe('restricted')
    world.last().update({ reachoutTimeLock: { isActive: false } })
    await expect.poll(async () => (await pairingOf()).standing).toBe('ready')
  })

  test('by logging out tells WhatsApp and deletes the session; disconnecting keeps it', async () => {
    await linked()
    world.last().credentials()
    await expect.poll(async () => (await keys()).length).toBe(1)
    await admin.post(`/settings/whatsapp/${id}/disconnect`, { logOut: false })
    await t.runJobs()
    await until('off')
    expect(world.last().calls).toEqual(['end'])
    expect(await keys()).toHaveLength(1)
    expect((await pairingOf()).standing).toBe('off')
    await connect()
    await expect.poll(() => world.sockets.length).toBe(2)
    world.last().open()
    await until('open')
    await admin.post(`/settings/whatsapp/${id}/disconnect`, { logOut: true })
    await t.runJobs()
    await until('off')
    expect(world.last().calls).toContain('logout')
    expect(await keys()).toHaveLength(0)
    expect(await row()).toMatchObject({ leaseOwner: null, wish: 'off' })
  })
})

const keys = () => t.db.selectFrom('whatsappDeviceKeys').selectAll().where('connectionId', '=', id).execute()

describe('the session', () => {
  test('is sealed in the database, loads unchanged, and is written only by the lease holder', async () => {
    await linked()
    const { auth } = world.last()
    auth.creds.myAppStateKeyId = 'of-the-phone'
    world.last().credentials()
    await auth.keys.set({
      session: { 'one.0': new Uint8Array([1, 2, 3]) },
      'pre-key': { '7': { public: Buffer.from('public'), private: Buffer.from('very-private') } },
    })
    await expect.poll(async () => (await keys()).length).toBe(3)
    expect(JSON.stringify(await keys())).not.toMatch(/of-the-phone|very-private|dmVyeS1wcml2YXRl/)
    const again = await loadSession(t.services, id, world.keeper.owner)
    expect(again.auth.creds).toMatchObject({ myAppStateKeyId: 'of-the-phone' })
    expect(again.auth.creds.noiseKey.private).toEqual(auth.creds.noiseKey.private)
    const found = await again.auth.keys.get('pre-key', ['7', '8'])
    expect(Object.keys(found)).toEqual(['7'])
    expect(Buffer.from(found['7']!.private).toString()).toBe('very-private')
    await again.auth.keys.set({ 'pre-key': { '7': null } })
    expect(await keys()).toHaveLength(2)
    const stranger = await loadSession(t.services, id, crypto.randomUUID())
    await stranger.auth.keys.set({ session: { 'two.0': new Uint8Array([4]), 'one.0': null } as never })
    expect((await keys()).map(({ name }) => name).sort()).toEqual(['creds', 'session:one.0'])
  })
})

describe('two processes', () => {
  test('never hold a phone at the same time; the second takes over after the first dies', async () => {
    await linked()
    const other = await testApp({ sameDatabaseAs: t })
    const second = aWorld(other)
    await Promise.all([second.keeper.tend(id), second.keeper.tend(id), second.keeper.tend(id)])
    expect(second.sockets).toHaveLength(0)
    // The lease expired, as if the process had slept or lost the database.
    await t.db
      .updateTable('whatsappConnections')
      .set({ leaseUntil: new Date(Date.now() - 1000) })
      .where('id', '=', id)
      .execute()
    await second.keeper.tend(id)
    expect(second.sockets).toHaveLength(1)
    await world.keeper.tend(id)
    expect(world.last().calls).toContain('end')
    expect(world.keeper.socketOf(id)).toBeUndefined()
    expect((await row()).leaseOwner).toBe(second.keeper.owner)
    await other.close()
    expect((await row()).leaseOwner).toBeNull()
  })

  test('that both want a free phone: only one gets it', async () => {
    const other = await testApp({ sameDatabaseAs: t })
    const second = aWorld(other)
    await admin.post(`/settings/whatsapp/${id}/connect`, {})
    await Promise.all([world.keeper.tend(id), second.keeper.tend(id), world.keeper.tend(id), second.keeper.tend(id)])
    expect(world.sockets.length + second.sockets.length).toBe(1)
    await other.close()
  })

  test('a process without the lease leaves a message to the lease holder', async () => {
    await linked()
    const other = await testApp({ sameDatabaseAs: t })
    other.clock.set(t.clock.now())
    aWorld(other)
    const message = await aQueuedMessage(t)
    await other.runJobs()
    expect(await messageRow(t, message)).toMatchObject({ status: 'queued', attempts: 0 })
    await afterSeconds(t, 4)
    expect((await messageRow(t, message)).status).toBe('sent')
    await other.close()
  })
})

describe('a message', () => {
  test('is sent by the phone as text, and its reports are stored', async () => {
    await linked()
    const message = await aQueuedMessage(t, { link: 'http://localhost:3000/dashboard' })
    await t.runJobs()
    const [sent] = world.last().sent
    expect(sent).toMatchObject({
      jid: '6281298765432@s.whatsapp.net',
      text: 'Halo Sari\n\nhttp://localhost:3000/dashboard',
    })
    expect(await messageRow(t, message)).toMatchObject({ status: 'sent', providerMessageId: sent!.messageId })
    for (const [code, status] of [
      [2, 'sent'],
      [3, 'delivered'],
      [4, 'read'],
      [3, 'read'],
    ] as const) {
      world.last().statuses([{ key: { id: sent!.messageId }, update: { status: code } }])
      await world.keeper.tend(id)
      expect((await messageRow(t, message)).status).toBe(status)
    }
  })

  test('to a number that is not on WhatsApp fails', async () => {
    await linked()
    const message = await aQueuedMessage(t, { toAddress: '+628000000000' })
    await t.runJobs()
    expect(await messageRow(t, message)).toMatchObject({ status: 'failed', error: 'not_on_whatsapp' })
  })

  test('waits while the phone is disconnected and is sent once it is connected', async () => {
    const message = await aQueuedMessage(t)
    await t.runJobs()
    expect(await messageRow(t, message)).toMatchObject({ status: 'queued', error: 'not_connected', attempts: 0 })
    await linked()
    // The first run may still find the phone disconnected.
    await vi.waitFor(async () => {
      await t.runJobs()
      expect((await messageRow(t, message)).status).toBe('sent')
    }, 10_000)
  })

  test('whose sending breaks off is sent again under the same id, so the receiver sees it once', async () => {
    await linked()
    const { socket, sent } = world.last()
    const send = socket.sendMessage
    socket.sendMessage = async (...messageIds) => {
      await send(...messageIds)
      throw new Error('Connection Closed')
    }
    const message = await aQueuedMessage(t)
    await t.runJobs()
    expect(await messageRow(t, message)).toMatchObject({ status: 'queued', error: 'connection_lost' })
    socket.sendMessage = send
    await afterSeconds(t, 31)
    expect((await messageRow(t, message)).status).toBe('sent')
    expect(sent).toHaveLength(2)
    expect(sent[0]!.messageId).toBe(sent[1]!.messageId)
  })
})

test('without a phone to connect, the library is not loaded and no lease is taken', async () => {
  await t.runJobs()
  await world.keeper.tend(id)
  expect(world.sockets).toHaveLength(0)
  expect(world.waits).toHaveLength(0)
})
