import { parsePhone } from '#entities/define/phone.ts'
import { keepDevicesJob } from '#server/modules/whatsapp/device/keep-devices.job.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { conflict, invalid } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { getConnection } from './find-connections.ts'
import { forgetDevice } from './secrets.ts'

/** Requests a connection; the process that holds or takes the phone's lease connects it. */
export const connectDevice = (services: Services, actor: Actor, id: string, phoneText: string | undefined) =>
  services.db.transaction().execute(async (tx) => {
    const before = await getConnection(tx, id, true)
    if (before.kind !== 'device') throw conflict('whatsapp_wrong_kind')
    if (!before.active) throw conflict('whatsapp_inactive')
    if (before.wish === 'log_out') throw conflict('still_working')
    const phone = phoneText ? parsePhone(phoneText) : null
    if (phoneText && !phone) throw invalid({ phone: 'phone_invalid' })
    if (phone && before.state === 'open') throw conflict('whatsapp_already_linked')
    const wasOff = before.wish === 'off'
    await tx
      .updateTable('whatsappConnections')
      .set({
        wish: 'on',
        pairingPhone: phone,
        ...(wasOff && { state: 'connecting', problem: null, problemDetail: null, problemAt: null, retryAt: null }),
      })
      .where('id', '=', id)
      .execute()
    if (wasOff || phone)
      await recordAudit(tx, actor, { action: 'whatsapp.connect', on: { whatsapp: id }, after: { phone } })
    await services.jobs.enqueue(tx, keepDevicesJob, {})
  })

/**
 * Disconnects a phone, or logs it out, after which it must be linked again. Without a lease holder there is no socket
 * to log out: the session is only deleted here.
 */
export const disconnectDevice = (services: Services, actor: Actor, id: string, logOut: boolean) =>
  services.db.transaction().execute(async (tx) => {
    const before = await getConnection(tx, id, true)
    if (before.kind !== 'device') throw conflict('whatsapp_wrong_kind')
    // Lease holders renew every few seconds; an expired lease means that the process died.
    const isHeld = (before.leaseUntil?.getTime() ?? 0) > Date.now()
    await tx
      .updateTable('whatsappConnections')
      .set({
        wish: logOut && isHeld ? 'log_out' : 'off',
        pairingPhone: null,
        pairingSealed: null,
        pairingUntil: null,
        retryAt: null,
        ...(!isHeld && { state: 'off', problem: null, problemDetail: null, problemAt: null, leaseOwner: null }),
      })
      .where('id', '=', id)
      .execute()
    if (logOut && !isHeld) await forgetDevice(tx, id)
    await recordAudit(tx, actor, { action: logOut ? 'whatsapp.log_out' : 'whatsapp.disconnect', on: { whatsapp: id } })
    if (isHeld) await services.jobs.enqueue(tx, keepDevicesJob, {})
  })
