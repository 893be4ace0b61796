import { touchDays } from '#domain/affiliates/affiliates.ts'
import { readStored, writeStored } from '#web/ui/stored.ts'

/**
 * Affiliate a visitor came through: kept on the device until sign-up, for 30 days from the last visit by such a link.
 */
type Kept = { ref?: string; voucher?: string; device: string; until: number }

const key = 'referral'
const lifetimeMs = touchDays * 24 * 3_600_000
/** For browsers that forbid storage: lasts as long as the page's address. */
let unstored: Kept | null = null

function read(): Kept | null {
  const stored = readStored<Kept>('localStorage', key) ?? unstored
  return stored && stored.until > Date.now() ? stored : null
}

function write(change: Partial<Kept>) {
  const next = { device: crypto.randomUUID(), ...read(), ...change, until: Date.now() + lifetimeMs }
  unstored = next
  writeStored('localStorage', key, next)
  return next
}

/** A page may be rendered several times, but a visit is reported once. */
const sentCodes = new Set<string>()

/** Stores the codes of an address and reports the visit to the server; the codes are stored even without network. */
export function rememberReferral({ ref, voucher }: { ref?: string | undefined; voucher?: string | undefined }) {
  const code = ref ?? voucher
  if (!code || sentCodes.has(code)) return
  sentCodes.add(code)
  const { device } = write({ ...(ref && { ref }), ...(voucher && { voucher }) })
  import('./tell-touch.ts')
    .then(({ tellTouch }) => tellTouch({ code, device, source: ref ? 'link' : 'voucher' }))
    .then(
      (winner) => winner && write({ ref: winner }),
      () => sentCodes.delete(code),
    )
}

export const keptReferral = () => read()?.ref
export const keptVoucher = () => read()?.voucher
/** Random id of a device that came through an affiliate. */
export const keptDevice = () => read()?.device

const forget = (part: 'ref' | 'voucher') => {
  if (read()) write({ [part]: undefined })
}
export const forgetReferral = () => forget('ref')
export const forgetVoucher = () => forget('voucher')
