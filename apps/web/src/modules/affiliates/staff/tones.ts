export const entryTones = { earned: 'done', clawback: 'stopped', adjustment: 'progress', paid: 'waiting' } as const
export const holdTones = { open: 'attention', release: 'done', take_back: 'stopped' } as const
export const ruleTones = { pending: 'attention', in_force: 'done', replaced: 'waiting', refused: 'stopped' } as const
export const payoutTones = { frozen: 'attention', approved: 'progress', paid: 'done', cancelled: 'stopped' } as const
export const lineTones = { frozen: 'attention', approved: 'done', cancelled: 'waiting', returned: 'stopped' } as const
export const applicationTones = { pending: 'attention', approved: 'done', refused: 'stopped' } as const
