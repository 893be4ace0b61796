import crypto from 'node:crypto'
import { sql, type Updateable } from 'kysely'
import { forgetDevice, seal } from '#server/modules/whatsapp/connections/secrets.ts'
import { wakeWaiting } from '#server/modules/whatsapp/deliver/wake-waiting.ts'
import { takeReports } from '#server/modules/whatsapp/reports.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { backoff, endingOf } from './ending.ts'
import { loadSession } from './session-store.ts'
import { type ConnectionUpdate, type DeviceSocket, type MessageUpdate, type OpenSocket, openSocket } from './socket.ts'

const second = 1_000
const renewEvery = 5 * second
/** Longer than several renewals: a process that is only busy keeps its phone. */
const leaseSeconds = 30
const pairingHolds = 60 * second

/** Runs something after a while; gives the way to take it back. */
export type After = (ms: number, work: () => void) => () => void
const afterWhile: After = (ms, work) => {
  const timer = setTimeout(work, ms)
  timer.unref()
  return () => clearTimeout(timer)
}

type Held = {
  id: string
  /** Replaced with every try; what an earlier one still says means nothing. */
  socket: DeviceSocket | null
  state: 'connecting' | 'pairing' | 'open'
  failures: number
  renewedAt: number
  /** Number a pairing code was asked for. */
  pairedFor: string | null
  cancelRenewal: () => void
  cancelRetry: () => void
  /** What came is worked through one after the other. */
  work: Promise<void>
}

type Parts = { openSocket: OpenSocket; after: After }

/**
 * Speaks for linked phones. Of all processes one alone holds a phone, by a lease in the database that it renews; all that
 * others want of the phone (pause, log out, a pairing code) they write down, and the holder reads it there.
 */
export function createDeviceKeeper(services: Services, parts: Partial<Parts> = {}) {
  const { db, clock, log } = services
  const { after, openSocket: open } = { openSocket, after: afterWhile, ...parts }
  const owner = crypto.randomUUID()
  const held = new Map<string, Held>()
  let stopped = false

  const ownRow = (id: string) =>
    db.updateTable('whatsappConnections').where('id', '=', id).where('leaseOwner', '=', owner)
  const write = (id: string, change: Updateable<Database['whatsappConnections']>) => ownRow(id).set(change).execute()

  const nothingWrong = { problem: null, problemDetail: null, problemAt: null }
  const unpaired = { pairingSealed: null, pairingUntil: null }
  const released = { ...unpaired, pairingPhone: null, leaseOwner: null, leaseUntil: null, retryAt: null }

  /** Lets go of a phone in this process; the database is told by the caller. */
  async function drop(one: Held) {
    const { socket } = one
    one.socket = null
    one.cancelRenewal()
    one.cancelRetry()
    if (held.get(one.id) === one) held.delete(one.id)
    await closeQuietly(socket)
  }

  async function closeQuietly(socket: DeviceSocket | null) {
    try {
      await socket?.end(undefined)
    } catch (error) {
      log.debug({ err: error }, 'a WhatsApp socket did not close')
    }
  }

  /** One thing after the other, and none of them may end the process. */
  const inOrder = (one: Held, work: () => Promise<unknown>) => {
    one.work = one.work.then(work).then(
      () => {},
      (error) => log.warn({ err: error, connectionId: one.id }, 'a WhatsApp connection'),
    )
    return one.work
  }

  async function connect(one: Held) {
    if (stopped || held.get(one.id) !== one) return
    const { auth, saveCreds } = await loadSession(services, one.id, owner)
    const socket = await open(auth, (providerMessageId) => textOf(one.id, providerMessageId)).catch((error) => {
      log.warn({ err: error }, 'the WhatsApp library could not be used')
      return null
    })
    if (!socket) return ended(one, undefined)
    if (held.get(one.id) !== one) return closeQuietly(socket)
    one.socket = socket
    const mine = (work: () => Promise<unknown>) =>
      void inOrder(one, async () => (one.socket === socket ? work() : undefined))
    socket.ev.on('creds.update', () => mine(saveCreds))
    socket.ev.on('messages.update', (updates) => mine(() => noteStatuses(one.id, updates)))
    socket.ev.on('connection.update', (update) => mine(() => noteUpdate(one, update, auth.creds.me?.id)))
  }

  const textOf = async (connectionId: string, providerMessageId: string) => {
    const message = await db
      .selectFrom('messages')
      .select(['body', 'link'])
      .where('connectionId', '=', connectionId)
      .where('providerMessageId', '=', providerMessageId)
      .executeTakeFirst()
    return message && [message.body, message.link].filter(Boolean).join('\n\n')
  }

  async function noteUpdate(one: Held, update: ConnectionUpdate, me: string | undefined) {
    const { connection, qr, lastDisconnect, reachoutTimeLock } = update
    if (qr) await showPairing(one, qr)
    if (connection === 'open') await opened(one, me)
    if (reachoutTimeLock) await noteLock(one.id, reachoutTimeLock)
    if (connection === 'close') await ended(one, lastDisconnect?.error)
  }

  async function showPairing(one: Held, qr: string) {
    one.state = 'pairing'
    const { pairingPhone } = await db
      .selectFrom('whatsappConnections')
      .select('pairingPhone')
      .where('id', '=', one.id)
      .executeTakeFirstOrThrow()
    if (pairingPhone) return askPairingCode(one, pairingPhone)
    one.pairedFor = null
    await write(one.id, {
      state: 'pairing',
      ...nothingWrong,
      retryAt: null,
      pairingSealed: seal(services, one.id, 'pairing', JSON.stringify({ qr })),
      pairingUntil: new Date(clock.now().getTime() + pairingHolds),
    })
  }

  /** Once for a number: WhatsApp refuses who asks again and again. */
  async function askPairingCode(one: Held, phone: string) {
    if (one.pairedFor === phone || !one.socket) return
    one.pairedFor = phone
    const code = await one.socket.requestPairingCode(phone.replace(/\D/g, ''))
    await write(one.id, {
      state: 'pairing',
      pairingSealed: seal(services, one.id, 'pairing', JSON.stringify({ code })),
      pairingUntil: new Date(clock.now().getTime() + 3 * pairingHolds),
    })
  }

  async function opened(one: Held, me: string | undefined) {
    const now = clock.now()
    const digits = /^\d+/.exec(me ?? '')?.[0]
    one.state = 'open'
    one.failures = 0
    await write(one.id, {
      ...unpaired,
      pairingPhone: null,
      state: 'open',
      ...nothingWrong,
      retryAt: null,
      connectedAt: now,
      checkedAt: now,
      ...(digits && { phone: `+${digits}` }),
    })
    await db.transaction().execute((tx) => wakeWaiting(tx, services, one.id))
  }

  async function noteLock(
    id: string,
    { isActive, timeEnforcementEnds }: NonNullable<ConnectionUpdate['reachoutTimeLock']>,
  ) {
    if (isActive)
      await write(id, {
        problem: 'restricted',
        problemDetail: timeEnforcementEnds?.toISOString() ?? null,
        problemAt: clock.now(),
      })
    else
      await ownRow(id)
        .set({ ...nothingWrong })
        .where('problem', '=', 'restricted')
        .execute()
  }

  async function ended(one: Held, error: NonNullable<ConnectionUpdate['lastDisconnect']>['error']) {
    const ending = endingOf(error, one.state === 'pairing')
    const { socket } = one
    one.socket = null
    await closeQuietly(socket)
    const now = clock.now()
    if (ending.next === 'stop') {
      if (ending.forget) await forgetDevice(db, one.id)
      await write(one.id, {
        ...released,
        state: 'off',
        wish: 'off',
        problem: ending.problem,
        problemDetail: null,
        problemAt: now,
      })
      return drop(one)
    }
    one.state = 'connecting'
    one.pairedFor = null
    if (ending.next === 'reopen') {
      await write(one.id, { ...unpaired, state: 'connecting' })
      one.cancelRetry = after(0, () => void inOrder(one, () => connect(one)))
      return
    }
    one.failures++
    const wait = backoff(one.failures)
    await write(one.id, {
      ...unpaired,
      state: 'retrying',
      problem: ending.problem,
      problemDetail: ending.detail,
      problemAt: now,
      retryAt: new Date(now.getTime() + wait),
    })
    one.cancelRetry = after(wait, () => void inOrder(one, () => connect(one)))
  }

  const statuses: Record<number, 'failed' | 'sent' | 'delivered' | 'read'> = {
    0: 'failed',
    2: 'sent',
    3: 'delivered',
    4: 'read',
    5: 'read',
  }

  async function noteStatuses(connectionId: string, updates: MessageUpdate[]) {
    const at = clock.now()
    const reports = updates.flatMap(({ key, update }) => {
      const status = statuses[update.status ?? -1]
      if (!key.id || !status) return []
      return [
        { providerMessageId: key.id, status, at, ...(status === 'failed' && { problem: 'undeliverable' as const }) },
      ]
    })
    if (reports.length > 0) await db.transaction().execute((tx) => takeReports(tx, connectionId, reports, at))
  }

  /** Renews the lease and does what others have written down. A phone whose lease is gone belongs to somebody else. */
  async function renew(one: Held) {
    if (held.get(one.id) !== one) return
    const { rows } = await sql<{ wish: 'off' | 'on' | 'log_out'; active: boolean; pairingPhone: string | null }>`
      UPDATE whatsapp_connections SET lease_until = now() + make_interval(secs => ${leaseSeconds})
      WHERE id = ${one.id} AND lease_owner = ${owner}
      RETURNING wish, active, pairing_phone`.execute(db)
    const row = rows[0]
    if (!row) return drop(one)
    one.renewedAt = performance.now()
    if (row.wish === 'log_out') return logOut(one)
    if (row.wish === 'off' || !row.active) {
      await drop(one)
      await write(one.id, { ...released, ...nothingWrong, state: 'off', wish: 'off' })
      return
    }
    if (row.pairingPhone && one.state === 'pairing') await askPairingCode(one, row.pairingPhone)
  }

  async function logOut(one: Held) {
    const { socket } = one
    one.socket = null
    const goodbye = socket?.logout().catch(() => {})
    await Promise.race([goodbye, new Promise<void>((resolve) => after(5 * second, resolve))])
    await drop(one)
    await forgetDevice(db, one.id)
    await write(one.id, { ...released, state: 'off', wish: 'off', ...nothingWrong })
  }

  function scheduleRenewal(one: Held) {
    one.cancelRenewal = after(renewEvery, () => {
      void inOrder(one, () => renew(one)).then(() => {
        if (held.get(one.id) !== one) return
        // Without a word from the database for so long, the lease is somebody else's.
        if (performance.now() - one.renewedAt > leaseSeconds * second) void drop(one)
        else scheduleRenewal(one)
      })
    })
  }

  return {
    owner,

    /** Takes a phone that nobody holds, or looks after what is wanted of one held here. */
    async tend(id: string) {
      if (stopped) return
      const known = held.get(id)
      if (known) return inOrder(known, () => renew(known))
      const { rows } = await sql<{ id: string }>`
        UPDATE whatsapp_connections
        SET lease_owner = ${owner}, lease_until = now() + make_interval(secs => ${leaseSeconds}),
          state = CASE WHEN state = 'retrying' THEN state ELSE 'connecting' END, pairing_sealed = NULL
        WHERE id = ${id} AND kind = 'device' AND active AND wish = 'on'
          AND (lease_owner IS NULL OR lease_until < now())
        RETURNING id`.execute(db)
      if (rows.length === 0 || held.has(id)) return
      const one: Held = {
        id,
        socket: null,
        state: 'connecting',
        failures: 0,
        renewedAt: performance.now(),
        pairedFor: null,
        cancelRenewal: () => {},
        cancelRetry: () => {},
        work: Promise.resolve(),
      }
      held.set(id, one)
      scheduleRenewal(one)
      return inOrder(one, () => connect(one))
    },

    /** Does at once what is wanted of a phone that is held here. */
    async hurry(id: string) {
      const one = held.get(id)
      if (one) await inOrder(one, () => renew(one))
    },

    /** The socket of a phone that is held here and connected. */
    socketOf(id: string): DeviceSocket | undefined {
      const one = held.get(id)
      return one?.state === 'open' ? (one.socket ?? undefined) : undefined
    },

    /** Lets go of everything, so that another process can take over at once. */
    async stop() {
      stopped = true
      const all = [...held.values()]
      await Promise.all(all.map(drop))
      await Promise.all(all.map(({ work }) => work))
      if (all.length > 0)
        await db
          .updateTable('whatsappConnections')
          .set({ ...unpaired, leaseOwner: null, leaseUntil: null })
          .where('leaseOwner', '=', owner)
          .execute()
          .catch(() => {})
    },
  }
}

export type DeviceKeeper = ReturnType<typeof createDeviceKeeper>

const keepers = new WeakMap<Services, DeviceKeeper>()

/** The keeper of this process. */
export function deviceKeeperOf(services: Services): DeviceKeeper {
  const known = keepers.get(services)
  if (known) return known
  const keeper = createDeviceKeeper(services)
  keepers.set(services, keeper)
  return keeper
}

/** Puts another keeper in its place: one whose sockets are a test's own. */
export const setDeviceKeeper = (services: Services, keeper: DeviceKeeper) => keepers.set(services, keeper)
