import type { Services } from '#server/platform/services.ts'
import type { DeviceSocket, OpenSocket } from './socket.ts'

/** Runs work after some milliseconds; returns a function that cancels it. */
export type Schedule = (ms: number, work: () => void) => () => void

export type HeldDevice = {
  id: string
  /** Replaced at every attempt; events of an earlier socket are ignored. */
  socket: DeviceSocket | null
  state: 'connecting' | 'pairing' | 'open'
  failures: number
  renewedAt: number
  /** Number for which a pairing code was requested. */
  pairedFor: string | null
  cancelRenewal: () => void
  cancelRetry: () => void
  /** Chain of events, which are handled one after another. */
  work: Promise<void>
}

/** Phones held by one process, and what it needs to hold them. */
export type Holder = {
  services: Services
  /** Identifies this process in the leases. */
  owner: string
  devices: Map<string, HeldDevice>
  schedule: Schedule
  openSocket: OpenSocket
  isStopped: boolean
}

/** A phone whose lease was just taken and that has no socket yet. */
export const newDevice = (id: string): HeldDevice => ({
  id,
  socket: null,
  state: 'connecting',
  failures: 0,
  renewedAt: performance.now(),
  pairedFor: null,
  cancelRenewal: () => {},
  cancelRetry: () => {},
  work: Promise.resolve(),
})

/** False once the phone was dropped, even if this process has taken it again since. */
export const isHeld = ({ devices }: Holder, device: HeldDevice) => devices.get(device.id) === device

/** Closes a phone's socket in this process. The caller updates the database. */
export async function drop(holder: Holder, device: HeldDevice) {
  device.cancelRenewal()
  device.cancelRetry()
  if (isHeld(holder, device)) holder.devices.delete(device.id)
  await closeSocket(holder, device)
}

/** Detaches the socket, so that its further events are ignored, and closes it. */
export function closeSocket(holder: Holder, device: HeldDevice) {
  const { socket } = device
  device.socket = null
  return closeQuietly(holder, socket)
}

/** Closes a socket. A failure is only logged. */
export async function closeQuietly({ services }: Holder, socket: DeviceSocket | null) {
  try {
    await socket?.end(undefined)
  } catch (error) {
    services.log.debug({ err: error }, 'a WhatsApp socket did not close')
  }
}

/** Runs the tasks of a device one after another. Failures are logged, so that none ends the process. */
export function runInOrder({ services }: Holder, device: HeldDevice, work: () => Promise<unknown>) {
  device.work = device.work.then(work).then(
    () => {},
    (error) => services.log.warn({ err: error, connectionId: device.id }, 'a WhatsApp connection'),
  )
  return device.work
}
