/** `pending`: reserved here, not confirmed by the bank. `failed`: the bank refused to open it. */
export const virtualAccountStatuses = [
  'pending',
  'active',
  'paid',
  'expired',
  'replaced',
  'cancelled',
  'failed',
] as const
export type VirtualAccountStatus = (typeof virtualAccountStatuses)[number]

type Step = { from: readonly VirtualAccountStatus[]; to: VirtualAccountStatus }

/** A number is used once: no transition leads back to active. */
export const virtualAccountTransitions = {
  activate: { from: ['pending'], to: 'active' },
  fail: { from: ['pending'], to: 'failed' },
  settle: { from: ['pending', 'active', 'expired', 'replaced', 'cancelled', 'failed'], to: 'paid' },
  expire: { from: ['pending', 'active'], to: 'expired' },
  replace: { from: ['pending', 'active'], to: 'replaced' },
  cancel: { from: ['pending', 'active'], to: 'cancelled' },
} as const satisfies Record<string, Step>

export type VirtualAccountAction = keyof typeof virtualAccountTransitions

/** A bill has at most one open number per bank. */
export const isOpen = (status: VirtualAccountStatus) => status === 'pending' || status === 'active'
