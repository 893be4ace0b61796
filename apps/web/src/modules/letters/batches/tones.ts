/** Colours of the states of a batch of letters. */
export const batchTones = { running: 'waiting', done: 'done', cancelled: 'stopped' } as const
