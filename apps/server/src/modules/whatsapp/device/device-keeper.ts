import crypto from 'node:crypto'
import type { Services } from '#server/platform/services.ts'
import { connect } from './connect.ts'
import { drop, type Holder, newDevice, runInOrder, type Schedule } from './held-device.ts'
import { releaseLeases, takeLease } from './lease.ts'
import { renew, scheduleRenewal } from './renew.ts'
import { type DeviceSocket, openSocket } from './socket.ts'

const startTimer: Schedule = (ms, work) => {
  const timer = setTimeout(work, ms)
  timer.unref()
  return () => clearTimeout(timer)
}

type Parts = { openSocket: Holder['openSocket']; after: Schedule }

/**
 * Holds the sockets of linked phones. A lease in the database, which is renewed regularly, assigns a phone to one
 * process. Other processes write requests (disconnect, log out, pairing code) into the row, and the lease holder reads
 * them there.
 */
export function createDeviceKeeper(services: Services, parts: Partial<Parts> = {}) {
  const owner = crypto.randomUUID()
  const devices: Holder['devices'] = new Map()
  const holder: Holder = {
    services,
    owner,
    devices,
    schedule: parts.after ?? startTimer,
    openSocket: parts.openSocket ?? openSocket,
    isStopped: false,
  }

  return {
    owner,

    /** Takes the lease of a phone that no process holds, or handles requests for a phone held here. */
    async tend(id: string) {
      if (holder.isStopped) return
      const heldDevice = devices.get(id)
      if (heldDevice) return runInOrder(holder, heldDevice, () => renew(holder, heldDevice))
      const isTaken = await takeLease(holder, id)
      if (!isTaken || devices.has(id)) return
      const device = newDevice(id)
      devices.set(id, device)
      scheduleRenewal(holder, device)
      return runInOrder(holder, device, () => connect(holder, device))
    },

    /** Handles waiting requests at once if this process holds the phone. */
    async hurry(id: string) {
      const device = devices.get(id)
      if (device) await runInOrder(holder, device, () => renew(holder, device))
    },

    /** The socket of a phone that is held here and connected. */
    socketOf(id: string): DeviceSocket | undefined {
      const device = devices.get(id)
      return device?.state === 'open' ? (device.socket ?? undefined) : undefined
    },

    /** Releases all leases, so that another process can take over at once. */
    async stop() {
      holder.isStopped = true
      const heldDevices = [...devices.values()]
      await Promise.all(heldDevices.map((device) => drop(holder, device)))
      await Promise.all(heldDevices.map(({ work }) => work))
      if (heldDevices.length > 0) await releaseLeases(holder)
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

/** Replaces the device keeper; for tests with fake sockets. */
export const setDeviceKeeper = (services: Services, keeper: DeviceKeeper) => keepers.set(services, keeper)

/** Connects phones that should be connected and have no lease, and releases phones that should be off. */
export async function tendDevices(services: Services) {
  const connections = await services.db
    .selectFrom('whatsappConnections')
    .select('id')
    .where('kind', '=', 'device')
    .where((eb) => eb.or([eb('wish', '!=', 'off'), eb('leaseOwner', 'is not', null)]))
    .execute()
  for (const { id } of connections) await deviceKeeperOf(services).tend(id)
}
