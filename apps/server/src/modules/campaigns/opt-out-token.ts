import { type MarketingPurpose, marketingPurposes } from '#domain/campaigns/campaigns.ts'
import type { Services } from '#server/platform/services.ts'
import { sameText, signatureOf } from '#server/platform/signed-text.ts'

export type OptOutOwner = { address: string; purpose: MarketingPurpose }

/** Part of what is signed; a change voids the links of every mail that was sent. */
const kind = 'opt-out'

/** Token of an opt-out link: the owner's address and the purpose of the message, signed; it never ends. */
export function optOutToken(services: Pick<Services, 'config'>, { address, purpose }: OptOutOwner): string {
  const text = Buffer.from(`${purpose}\n${address.toLowerCase()}`).toString('base64url')
  return `${text}.${signatureOf(services, kind, text, 'base64url')}`
}

/** Owner of an opt-out link; undefined for a token that was not made here. */
export function readOptOutToken(services: Pick<Services, 'config'>, token: string): OptOutOwner | undefined {
  const [text, signature] = token.split('.')
  if (!text || !signature || !sameText(signature, signatureOf(services, kind, text, 'base64url'))) return undefined
  const [purposeName, address] = Buffer.from(text, 'base64url').toString('utf8').split('\n')
  const purpose = marketingPurposes.find((one) => one === purposeName)
  return purpose && address ? { address, purpose } : undefined
}

/** Address of the page behind an opt-out link. */
export const optOutPage = ({ config }: Pick<Services, 'config'>, token: string) =>
  `${config.publicUrl}/berhenti-pesan/${token}`

/** The page of an opt-out, and the address that mail programs post to. */
export function optOutAddresses(services: Pick<Services, 'config'>, owner: OptOutOwner) {
  const token = optOutToken(services, owner)
  return { page: optOutPage(services, token), oneClick: `${services.config.publicUrl}/api/opt-out/${token}` }
}
