import { forgetDevice } from '#server/modules/whatsapp/connections/secrets.ts'
import { drop, type HeldDevice, type Holder, isHeld, runInOrder } from './held-device.ts'
import { leaseSeconds, noLease, noProblem, renewLease, writeOwnRow } from './lease.ts'
import { askPairingCode } from './pairing.ts'

const renewEveryMs = 5_000
const logOutWaitMs = 5_000

/** Renews the lease and handles requests in the row. Drops the phone if another process has the lease. */
export async function renew(holder: Holder, device: HeldDevice) {
  if (!isHeld(holder, device)) return
  const row = await renewLease(holder, device.id)
  if (!row) return drop(holder, device)
  device.renewedAt = performance.now()
  if (row.wish === 'log_out') return logOut(holder, device)
  if (row.wish === 'off' || !row.active) {
    await drop(holder, device)
    return writeOff(holder, device)
  }
  if (row.pairingPhone && device.state === 'pairing') await askPairingCode(holder, device, row.pairingPhone)
}

async function logOut(holder: Holder, device: HeldDevice) {
  const { socket } = device
  device.socket = null
  const logoutAttempt = socket?.logout().catch(() => {})
  await Promise.race([logoutAttempt, new Promise<void>((resolve) => holder.schedule(logOutWaitMs, resolve))])
  await drop(holder, device)
  await forgetDevice(holder.services.db, device.id)
  await writeOff(holder, device)
}

const writeOff = (holder: Holder, { id }: HeldDevice) =>
  writeOwnRow(holder, id, { ...noLease, ...noProblem, state: 'off', wish: 'off' })

/** Renews the lease every few seconds while the phone is held here. */
export function scheduleRenewal(holder: Holder, device: HeldDevice) {
  device.cancelRenewal = holder.schedule(renewEveryMs, () => {
    void runInOrder(holder, device, () => renew(holder, device)).then(() => {
      if (!isHeld(holder, device)) return
      // If the database was unreachable for as long as the lease, another process may have taken the phone.
      if (performance.now() - device.renewedAt > leaseSeconds * 1_000) void drop(holder, device)
      else scheduleRenewal(holder, device)
    })
  })
}
