import crypto from 'node:crypto'

const digest = (text: string) => crypto.createHash('sha256').update(text).digest()

/** Whether two texts are the same, without telling by its time how much of them is. */
export const sameText = (one: string, other: string) => crypto.timingSafeEqual(digest(one), digest(other))
