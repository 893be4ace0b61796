import crypto from 'node:crypto'

const digest = (text: string) => crypto.createHash('sha256').update(text).digest()

/** Compares two texts in constant time, so that the duration does not reveal how much of them agrees. */
export const sameText = (one: string, other: string) => crypto.timingSafeEqual(digest(one), digest(other))
