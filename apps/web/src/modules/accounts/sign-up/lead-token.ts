import { readStored, writeStored } from '#web/ui/stored.ts'

const key = 'lead'
/** For browsers that forbid storage: lasts as long as the page. */
let unstored: string | null = null

/** Token of the link that staff gave a visitor; kept in this tab until sign-up. */
export const keptLead = () => readStored<string>('sessionStorage', key) ?? unstored

export function keepLead(token: string | null) {
  unstored = token
  writeStored('sessionStorage', key, token)
}
