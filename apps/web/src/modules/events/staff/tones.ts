export const eventTones = { draft: 'waiting', published: 'done', closed: 'progress', cancelled: 'stopped' } as const
export const visitorTones = { registered: 'done', waiting: 'attention', cancelled: 'stopped' } as const
