import { hash, verify } from '@node-rs/argon2'
import { refuseInTransaction } from '#server/platform/database/transaction-guard.ts'

/** OWASP's minimum for Argon2id: 19 MiB, 2 passes, 1 lane, so that announcement day survives. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export async function hashPassword(password: string): Promise<string> {
  refuseInTransaction('hashing a password')
  return hash(password.normalize('NFC'), cost)
}

let decoy: Promise<string> | undefined

/** Takes as long for an unknown account (no hash) as for a known one, so that time does not tell them apart. */
export async function verifyPassword(passwordHash: string | null | undefined, password: string): Promise<boolean> {
  refuseInTransaction('checking a password')
  decoy ??= hashPassword('no such account')
  const matches = await verify(passwordHash ?? (await decoy), password.normalize('NFC'))
  return matches && Boolean(passwordHash)
}
