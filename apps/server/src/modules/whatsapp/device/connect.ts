import { wakeSender } from '#server/modules/messaging/handovers/wake.ts'
import { forgetDevice } from '#server/modules/whatsapp/connections/secrets.ts'
import { noteStatuses, textOf } from './device-messages.ts'
import { backoffMs, endingOf } from './ending.ts'
import { closeQuietly, closeSocket, drop, type HeldDevice, type Holder, isHeld, runInOrder } from './held-device.ts'
import { noLease, noPairing, noProblem, updateOwnRow, writeOwnRow } from './lease.ts'
import { showPairing } from './pairing.ts'
import { loadSession } from './session-store.ts'
import type { ConnectionUpdate } from './socket.ts'

/** Opens a socket for the phone. Its events are handled only while it is the phone's current socket. */
export async function connect(holder: Holder, device: HeldDevice) {
  const { services, owner } = holder
  if (holder.isStopped || !isHeld(holder, device)) return
  const { auth, saveCreds } = await loadSession(services, device.id, owner)
  const socket = await holder
    .openSocket(auth, (providerMessageId) => textOf(services, device.id, providerMessageId))
    .catch((error) => {
      services.log.warn({ err: error }, 'the WhatsApp library could not be used')
      return null
    })
  if (!socket) return noteEnd(holder, device, undefined)
  if (!isHeld(holder, device)) return closeQuietly(holder, socket)
  device.socket = socket
  const whileCurrent = (work: () => Promise<unknown>) =>
    void runInOrder(holder, device, async () => (device.socket === socket ? work() : undefined))
  socket.ev.on('creds.update', () => whileCurrent(saveCreds))
  socket.ev.on('messages.update', (updates) => whileCurrent(() => noteStatuses(services, device.id, updates)))
  socket.ev.on('connection.update', (update) =>
    whileCurrent(() => noteUpdate(holder, device, update, auth.creds.me?.id)),
  )
}

async function noteUpdate(holder: Holder, device: HeldDevice, update: ConnectionUpdate, ownJid: string | undefined) {
  const { connection, qr, lastDisconnect, reachoutTimeLock } = update
  if (qr) await showPairing(holder, device, qr)
  if (connection === 'open') await noteOpen(holder, device, ownJid)
  if (reachoutTimeLock) await noteLock(holder, device.id, reachoutTimeLock)
  if (connection === 'close') await noteEnd(holder, device, lastDisconnect?.error)
}

async function noteOpen(holder: Holder, device: HeldDevice, ownJid: string | undefined) {
  const { services } = holder
  const now = services.clock.now()
  const digits = /^\d+/.exec(ownJid ?? '')?.[0]
  device.state = 'open'
  device.failures = 0
  await writeOwnRow(holder, device.id, {
    ...noPairing,
    pairingPhone: null,
    state: 'open',
    ...noProblem,
    retryAt: null,
    connectedAt: now,
    checkedAt: now,
    ...(digits && { phone: `+${digits}` }),
  })
  wakeSender(services)
}

async function noteLock(
  holder: Holder,
  id: string,
  { isActive, timeEnforcementEnds }: NonNullable<ConnectionUpdate['reachoutTimeLock']>,
) {
  if (isActive)
    await writeOwnRow(holder, id, {
      problem: 'restricted',
      problemDetail: timeEnforcementEnds?.toISOString() ?? null,
      problemAt: holder.services.clock.now(),
    })
  else await updateOwnRow(holder, id).set(noProblem).where('problem', '=', 'restricted').execute()
}

async function noteEnd(
  holder: Holder,
  device: HeldDevice,
  error: NonNullable<ConnectionUpdate['lastDisconnect']>['error'],
) {
  const { db, clock } = holder.services
  const ending = endingOf(error, device.state === 'pairing')
  await closeSocket(holder, device)
  const now = clock.now()
  if (ending.next === 'stop') {
    if (ending.forget) await forgetDevice(db, device.id)
    await writeOwnRow(holder, device.id, {
      ...noLease,
      state: 'off',
      wish: 'off',
      problem: ending.problem,
      problemDetail: null,
      problemAt: now,
    })
    return drop(holder, device)
  }
  device.state = 'connecting'
  device.pairedFor = null
  if (ending.next === 'reopen') {
    await writeOwnRow(holder, device.id, { ...noPairing, state: 'connecting' })
    return connectAfter(holder, device, 0)
  }
  device.failures++
  const waitMs = backoffMs(device.failures)
  await writeOwnRow(holder, device.id, {
    ...noPairing,
    state: 'retrying',
    problem: ending.problem,
    problemDetail: ending.detail,
    problemAt: now,
    retryAt: new Date(now.getTime() + waitMs),
  })
  connectAfter(holder, device, waitMs)
}

function connectAfter(holder: Holder, device: HeldDevice, waitMs: number) {
  device.cancelRetry = holder.schedule(waitMs, () => void runInOrder(holder, device, () => connect(holder, device)))
}
