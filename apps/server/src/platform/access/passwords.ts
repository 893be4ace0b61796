import { hash, verify } from '@node-rs/argon2'
import { refuseInTransaction } from '#server/platform/database/transaction-guard.ts'

/**
 * OWASP's minimum for Argon2id (19 MiB, 2 passes, 1 lane). A higher cost could not handle the sign-ins of announcement
 * day.
 */
export const passwordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

let cost = passwordCost

/** Hashes at the lowest cost from now on, because tests sign in a thousand times; throws outside tests. */
export function hashCheaply(): void {
  if (!('__vitest_worker__' in globalThis)) throw new Error('Passwords are hashed cheaply in tests only')
  cost = { memoryCost: 8, timeCost: 1, parallelism: 1 }
}

export async function hashPassword(password: string): Promise<string> {
  refuseInTransaction('hashing a password')
  return hash(password.normalize('NFC'), cost)
}

let decoyHash: Promise<string> | undefined

/** Also hashes for an unknown account (no hash), so response time does not reveal which accounts exist. */
export async function verifyPassword(passwordHash: string | null | undefined, password: string): Promise<boolean> {
  refuseInTransaction('checking a password')
  decoyHash ??= hashPassword('no such account')
  const matches = await verify(passwordHash ?? (await decoyHash), password.normalize('NFC'))
  return matches && Boolean(passwordHash)
}
