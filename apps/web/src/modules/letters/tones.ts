/** Colours of the states of a letter in the register. */
export const letterTones = { valid: 'done', replaced: 'waiting', withdrawn: 'stopped' } as const
