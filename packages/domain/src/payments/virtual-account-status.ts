export const virtualAccountStatuses = ['active', 'paid', 'expired', 'replaced', 'cancelled'] as const
export type VirtualAccountStatus = (typeof virtualAccountStatuses)[number]

type Step = { from: readonly VirtualAccountStatus[]; to: VirtualAccountStatus }

/** A number is used once: no step leads back to active. */
export const virtualAccountTransitions = {
  settle: { from: ['active', 'expired', 'replaced'], to: 'paid' },
  expire: { from: ['active'], to: 'expired' },
  replace: { from: ['active'], to: 'replaced' },
  cancel: { from: ['active'], to: 'cancelled' },
} as const satisfies Record<string, Step>

export type VirtualAccountAction = keyof typeof virtualAccountTransitions
