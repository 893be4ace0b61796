import { seal } from '#server/modules/whatsapp/connections/secrets.ts'
import type { HeldDevice, Holder } from './held-device.ts'
import { noProblem, writeOwnRow } from './lease.ts'

const qrValidMs = 60_000
const codeValidMs = 3 * qrValidMs

/** Stores the QR code of a phone that is not linked, or requests a pairing code if a number was entered. */
export async function showPairing(holder: Holder, device: HeldDevice, qr: string) {
  const { services } = holder
  device.state = 'pairing'
  const { pairingPhone } = await services.db
    .selectFrom('whatsappConnections')
    .select('pairingPhone')
    .where('id', '=', device.id)
    .executeTakeFirstOrThrow()
  if (pairingPhone) return askPairingCode(holder, device, pairingPhone)
  device.pairedFor = null
  await writeOwnRow(holder, device.id, {
    state: 'pairing',
    ...noProblem,
    retryAt: null,
    pairingSealed: seal(services, device.id, 'pairing', JSON.stringify({ qr })),
    pairingUntil: new Date(services.clock.now().getTime() + qrValidMs),
  })
}

/** Requests a pairing code once per number: WhatsApp refuses repeated requests. */
export async function askPairingCode(holder: Holder, device: HeldDevice, phone: string) {
  const { services } = holder
  if (device.pairedFor === phone || !device.socket) return
  device.pairedFor = phone
  const code = await device.socket.requestPairingCode(phone.replace(/\D/g, ''))
  await writeOwnRow(holder, device.id, {
    state: 'pairing',
    pairingSealed: seal(services, device.id, 'pairing', JSON.stringify({ code })),
    pairingUntil: new Date(services.clock.now().getTime() + codeValidMs),
  })
}
