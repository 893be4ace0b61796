import crypto from 'node:crypto'
import { trialTokenStart } from '#domain/trial/trial-token.ts'

/**
 * Ids of trials are UUIDs of version 8, which nothing else uses, so a trial's requests are recognised without a query.
 */
const idPattern = '[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}'
const tokenForm = new RegExp(`^bearer ${trialTokenStart.replace('.', '\\.')}(${idPattern})\\.`, 'i')
/** The reader in the signed address of a file or picture, which is opened without a token. */
const linkForm = new RegExp(
  `^/(?:getImage|api/files/[^/?]+/download)\\?(?:.*&)?(?:reader|key)=(${idPattern})(?:[.&]|$)`,
)

export function newTrialId() {
  const id = crypto.randomUUID()
  return `${id.slice(0, 14)}8${id.slice(15)}`
}

/** Schema with a trial's tables, named as the database function `trial_schema` names it. */
export const schemaOf = (id: string) => `trial_${id.replaceAll('-', '')}`

export const newTrialToken = (id: string) => `${trialTokenStart}${id}.${crypto.randomBytes(32).toString('base64url')}`

/** The trial a request belongs to, by its token or signed address; undefined for any other request. */
export function trialOfRequest(authorization: string | undefined, method: string, url: string) {
  const byToken = authorization && tokenForm.exec(authorization)?.[1]
  if (byToken) return { id: byToken, hasToken: true }
  const byLink = method === 'GET' && linkForm.exec(url)?.[1]
  return byLink ? { id: byLink, hasToken: false } : undefined
}
