import { sql } from 'kysely'

/** Providers of payments that no bank reported: their `provider_reference` is the id of a row of ours. */
const withoutReports = ['manual', 'statement'] as const

type Named = { provider: string; reference: string | null; providerReference: string }

/** What the bank, or the person who entered the payment, calls it; null if neither gave it a name. */
export const bankReferenceOf = ({ provider, reference, providerReference }: Named): string | null =>
  reference ?? ((withoutReports as readonly string[]).includes(provider) ? null : providerReference)

/** `bankReferenceOf` for the payment `p`. */
export const bankReference = sql<
  string | null
>`coalesce(p.reference, CASE WHEN p.provider NOT IN ('manual', 'statement') THEN p.provider_reference END)`
