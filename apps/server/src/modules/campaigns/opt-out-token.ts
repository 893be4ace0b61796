import { type MarketingPurpose, marketingPurposes } from '#domain/campaigns/campaigns.ts'
import type { Services } from '#server/platform/services.ts'
import { sameText, signatureOf } from '#server/platform/signed-text.ts'

export type OptOutOwner = { address: string; purpose: MarketingPurpose }

/** Part of the signed text; changing it voids every opt-out link that was sent. */
const kind = 'opt-out'

/** Signed address and purpose for an opt-out link. The token has no expiry. */
export function optOutToken(services: Pick<Services, 'config'>, { address, purpose }: OptOutOwner): string {
  const text = Buffer.from(`${purpose}\n${address.toLowerCase()}`).toString('base64url')
  return `${text}.${signatureOf(services, kind, text, 'base64url')}`
}

/** Address and purpose in the token of an opt-out link; undefined if the token is invalid. */
export function readOptOutToken(services: Pick<Services, 'config'>, token: string): OptOutOwner | undefined {
  const [text, signature] = token.split('.')
  if (!text || !signature || !sameText(signature, signatureOf(services, kind, text, 'base64url'))) return undefined
  const [purposeName, address] = Buffer.from(text, 'base64url').toString('utf8').split('\n')
  const purpose = marketingPurposes.find((one) => one === purposeName)
  return purpose && address ? { address, purpose } : undefined
}

/** URL of the page behind an opt-out link. */
export const optOutPage = ({ config }: Pick<Services, 'config'>, token: string) =>
  `${config.publicUrl}/berhenti-pesan/${token}`

/** `page`: URL of the opt-out page. `oneClick`: URL that mail programs post to. */
export function optOutAddresses(services: Pick<Services, 'config'>, owner: OptOutOwner) {
  const token = optOutToken(services, owner)
  return { page: optOutPage(services, token), oneClick: `${services.config.publicUrl}/api/opt-out/${token}` }
}
