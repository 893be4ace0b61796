import crypto from 'node:crypto'
import { sql, type Updateable } from 'kysely'
import { forgetDevice, seal } from '#server/modules/whatsapp/connections/secrets.ts'
import { wakeWaiting } from '#server/modules/whatsapp/deliver/wake-waiting.ts'
import { takeReports } from '#server/modules/whatsapp/reports.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { backoffMs, endingOf } from './ending.ts'
import { loadSession } from './session-store.ts'
import { type ConnectionUpdate, type DeviceSocket, type MessageUpdate, type OpenSocket, openSocket } from './socket.ts'

const secondMs = 1_000
const renewEveryMs = 5 * secondMs
/** Longer than several renewals, so that a busy process keeps its phone. */
const leaseSeconds = 30
const pairingMs = 60 * secondMs

/** Runs work after some milliseconds; returns a function that cancels it. */
export type Schedule = (ms: number, work: () => void) => () => void
const startTimer: Schedule = (ms, work) => {
  const timer = setTimeout(work, ms)
  timer.unref()
  return () => clearTimeout(timer)
}

type HeldDevice = {
  id: string
  /** Replaced with every attempt; events of an earlier socket are ignored. */
  socket: DeviceSocket | null
  state: 'connecting' | 'pairing' | 'open'
  failures: number
  renewedAt: number
  /** Number that a pairing code was requested for. */
  pairedFor: string | null
  cancelRenewal: () => void
  cancelRetry: () => void
  /** Chain of events, handled one after another. */
  work: Promise<void>
}

type Parts = { openSocket: OpenSocket; after: Schedule }

/**
 * Holds the sockets of linked phones. A phone belongs to one process, by a lease in the database that the process
 * renews. Other processes write requests (disconnect, log out, pairing code) into the row, and the holder reads them
 * there.
 */
export function createDeviceKeeper(services: Services, parts: Partial<Parts> = {}) {
  const { db, clock, log } = services
  const { after: schedule, openSocket: open } = { openSocket, after: startTimer, ...parts }
  const owner = crypto.randomUUID()
  const devices = new Map<string, HeldDevice>()
  let isStopped = false

  const updateOwnRow = (id: string) =>
    db.updateTable('whatsappConnections').where('id', '=', id).where('leaseOwner', '=', owner)
  const write = (id: string, change: Updateable<Database['whatsappConnections']>) =>
    updateOwnRow(id).set(change).execute()

  const noProblem = { problem: null, problemDetail: null, problemAt: null }
  const noPairing = { pairingSealed: null, pairingUntil: null }
  const noLease = { ...noPairing, pairingPhone: null, leaseOwner: null, leaseUntil: null, retryAt: null }

  /** Closes a phone's socket in this process; the caller updates the database. */
  async function drop(device: HeldDevice) {
    const { socket } = device
    device.socket = null
    device.cancelRenewal()
    device.cancelRetry()
    if (devices.get(device.id) === device) devices.delete(device.id)
    await closeQuietly(socket)
  }

  async function closeQuietly(socket: DeviceSocket | null) {
    try {
      await socket?.end(undefined)
    } catch (error) {
      log.debug({ err: error }, 'a WhatsApp socket did not close')
    }
  }

  /** Runs work of a device one after another and logs failures, so that none ends the process. */
  const runInOrder = (device: HeldDevice, work: () => Promise<unknown>) => {
    device.work = device.work.then(work).then(
      () => {},
      (error) => log.warn({ err: error, connectionId: device.id }, 'a WhatsApp connection'),
    )
    return device.work
  }

  async function connect(device: HeldDevice) {
    if (isStopped || devices.get(device.id) !== device) return
    const { auth, saveCreds } = await loadSession(services, device.id, owner)
    const socket = await open(auth, (providerMessageId) => textOf(device.id, providerMessageId)).catch((error) => {
      log.warn({ err: error }, 'the WhatsApp library could not be used')
      return null
    })
    if (!socket) return noteEnd(device, undefined)
    if (devices.get(device.id) !== device) return closeQuietly(socket)
    device.socket = socket
    const whileCurrent = (work: () => Promise<unknown>) =>
      void runInOrder(device, async () => (device.socket === socket ? work() : undefined))
    socket.ev.on('creds.update', () => whileCurrent(saveCreds))
    socket.ev.on('messages.update', (updates) => whileCurrent(() => noteStatuses(device.id, updates)))
    socket.ev.on('connection.update', (update) => whileCurrent(() => noteUpdate(device, update, auth.creds.me?.id)))
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

  async function noteUpdate(device: HeldDevice, update: ConnectionUpdate, ownJid: string | undefined) {
    const { connection, qr, lastDisconnect, reachoutTimeLock } = update
    if (qr) await showPairing(device, qr)
    if (connection === 'open') await noteOpen(device, ownJid)
    if (reachoutTimeLock) await noteLock(device.id, reachoutTimeLock)
    if (connection === 'close') await noteEnd(device, lastDisconnect?.error)
  }

  async function showPairing(device: HeldDevice, qr: string) {
    device.state = 'pairing'
    const { pairingPhone } = await db
      .selectFrom('whatsappConnections')
      .select('pairingPhone')
      .where('id', '=', device.id)
      .executeTakeFirstOrThrow()
    if (pairingPhone) return askPairingCode(device, pairingPhone)
    device.pairedFor = null
    await write(device.id, {
      state: 'pairing',
      ...noProblem,
      retryAt: null,
      pairingSealed: seal(services, device.id, 'pairing', JSON.stringify({ qr })),
      pairingUntil: new Date(clock.now().getTime() + pairingMs),
    })
  }

  /** Requests a pairing code once per number: WhatsApp refuses repeated requests. */
  async function askPairingCode(device: HeldDevice, phone: string) {
    if (device.pairedFor === phone || !device.socket) return
    device.pairedFor = phone
    const code = await device.socket.requestPairingCode(phone.replace(/\D/g, ''))
    await write(device.id, {
      state: 'pairing',
      pairingSealed: seal(services, device.id, 'pairing', JSON.stringify({ code })),
      pairingUntil: new Date(clock.now().getTime() + 3 * pairingMs),
    })
  }

  async function noteOpen(device: HeldDevice, ownJid: string | undefined) {
    const now = clock.now()
    const digits = /^\d+/.exec(ownJid ?? '')?.[0]
    device.state = 'open'
    device.failures = 0
    await write(device.id, {
      ...noPairing,
      pairingPhone: null,
      state: 'open',
      ...noProblem,
      retryAt: null,
      connectedAt: now,
      checkedAt: now,
      ...(digits && { phone: `+${digits}` }),
    })
    await db.transaction().execute((tx) => wakeWaiting(tx, services, device.id))
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
      await updateOwnRow(id)
        .set({ ...noProblem })
        .where('problem', '=', 'restricted')
        .execute()
  }

  async function noteEnd(device: HeldDevice, error: NonNullable<ConnectionUpdate['lastDisconnect']>['error']) {
    const ending = endingOf(error, device.state === 'pairing')
    const { socket } = device
    device.socket = null
    await closeQuietly(socket)
    const now = clock.now()
    if (ending.next === 'stop') {
      if (ending.forget) await forgetDevice(db, device.id)
      await write(device.id, {
        ...noLease,
        state: 'off',
        wish: 'off',
        problem: ending.problem,
        problemDetail: null,
        problemAt: now,
      })
      return drop(device)
    }
    device.state = 'connecting'
    device.pairedFor = null
    if (ending.next === 'reopen') {
      await write(device.id, { ...noPairing, state: 'connecting' })
      device.cancelRetry = schedule(0, () => void runInOrder(device, () => connect(device)))
      return
    }
    device.failures++
    const waitMs = backoffMs(device.failures)
    await write(device.id, {
      ...noPairing,
      state: 'retrying',
      problem: ending.problem,
      problemDetail: ending.detail,
      problemAt: now,
      retryAt: new Date(now.getTime() + waitMs),
    })
    device.cancelRetry = schedule(waitMs, () => void runInOrder(device, () => connect(device)))
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

  /** Renews the lease and handles requests in the row. Without the lease, another process has the phone. */
  async function renew(device: HeldDevice) {
    if (devices.get(device.id) !== device) return
    const { rows } = await sql<{ wish: 'off' | 'on' | 'log_out'; active: boolean; pairingPhone: string | null }>`
      UPDATE whatsapp_connections SET lease_until = now() + make_interval(secs => ${leaseSeconds})
      WHERE id = ${device.id} AND lease_owner = ${owner}
      RETURNING wish, active, pairing_phone`.execute(db)
    const row = rows[0]
    if (!row) return drop(device)
    device.renewedAt = performance.now()
    if (row.wish === 'log_out') return logOut(device)
    if (row.wish === 'off' || !row.active) {
      await drop(device)
      await write(device.id, { ...noLease, ...noProblem, state: 'off', wish: 'off' })
      return
    }
    if (row.pairingPhone && device.state === 'pairing') await askPairingCode(device, row.pairingPhone)
  }

  async function logOut(device: HeldDevice) {
    const { socket } = device
    device.socket = null
    const logoutAttempt = socket?.logout().catch(() => {})
    await Promise.race([logoutAttempt, new Promise<void>((resolve) => schedule(5 * secondMs, resolve))])
    await drop(device)
    await forgetDevice(db, device.id)
    await write(device.id, { ...noLease, state: 'off', wish: 'off', ...noProblem })
  }

  function scheduleRenewal(device: HeldDevice) {
    device.cancelRenewal = schedule(renewEveryMs, () => {
      void runInOrder(device, () => renew(device)).then(() => {
        if (devices.get(device.id) !== device) return
        // If the database was unreachable for the length of the lease, another process may have taken the phone.
        if (performance.now() - device.renewedAt > leaseSeconds * secondMs) void drop(device)
        else scheduleRenewal(device)
      })
    })
  }

  return {
    owner,

    /** Takes the lease of a phone no process holds, or handles the requests for a phone held here. */
    async tend(id: string) {
      if (isStopped) return
      const heldDevice = devices.get(id)
      if (heldDevice) return runInOrder(heldDevice, () => renew(heldDevice))
      const { rows } = await sql<{ id: string }>`
        UPDATE whatsapp_connections
        SET lease_owner = ${owner}, lease_until = now() + make_interval(secs => ${leaseSeconds}),
          state = CASE WHEN state = 'retrying' THEN state ELSE 'connecting' END, pairing_sealed = NULL
        WHERE id = ${id} AND kind = 'device' AND active AND wish = 'on'
          AND (lease_owner IS NULL OR lease_until < now())
        RETURNING id`.execute(db)
      if (rows.length === 0 || devices.has(id)) return
      const device: HeldDevice = {
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
      devices.set(id, device)
      scheduleRenewal(device)
      return runInOrder(device, () => connect(device))
    },

    /** Handles the requests for a phone held here at once. */
    async hurry(id: string) {
      const device = devices.get(id)
      if (device) await runInOrder(device, () => renew(device))
    },

    /** The socket of a connected phone held here. */
    socketOf(id: string): DeviceSocket | undefined {
      const device = devices.get(id)
      return device?.state === 'open' ? (device.socket ?? undefined) : undefined
    },

    /** Releases every lease, so that another process can take over at once. */
    async stop() {
      isStopped = true
      const heldDevices = [...devices.values()]
      await Promise.all(heldDevices.map(drop))
      await Promise.all(heldDevices.map(({ work }) => work))
      if (heldDevices.length > 0)
        await db
          .updateTable('whatsappConnections')
          .set({ ...noPairing, leaseOwner: null, leaseUntil: null })
          .where('leaseOwner', '=', owner)
          .execute()
          .catch(() => {})
    },
  }
}

export type DeviceKeeper = ReturnType<typeof createDeviceKeeper>

const keepers = new WeakMap<Services, DeviceKeeper>()

/** The device keeper of this process. */
export function deviceKeeperOf(services: Services): DeviceKeeper {
  const existing = keepers.get(services)
  if (existing) return existing
  const keeper = createDeviceKeeper(services)
  keepers.set(services, keeper)
  return keeper
}

/** Replaces the device keeper, in tests with their own sockets. */
export const setDeviceKeeper = (services: Services, keeper: DeviceKeeper) => keepers.set(services, keeper)
