/** Steps of a registration that may earn commission, in order. */
export const commissionStages = ['submitted', 'paid', 'enrolled'] as const

export type CommissionStage = (typeof commissionStages)[number]

export const entryKinds = ['earned', 'clawback', 'adjustment', 'paid'] as const

export const entryCauses = ['step', 'payment', 'refund', 'hold', 'payout', 'entry'] as const

/** Whether closing a registration takes back its commission, or only refunds take back their share. */
export const closingRules = ['refunds', 'all'] as const

export type ClosingRule = (typeof closingRules)[number]
