/** Published in the transaction that changes what a statement line is. */
export const lineChanged = 'statement-line.changed'
