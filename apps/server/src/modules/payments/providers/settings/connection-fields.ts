import crypto from 'node:crypto'
import type { FieldChange, Fields, FieldValue } from '#domain/payments/approvals/compare-fields.ts'
import {
  type ProviderKind,
  type ProviderSecret,
  type SnapSettings,
  snapSettings,
  usualMaximumAmount,
} from '#domain/payments/providers/provider-kinds.ts'
import type { Content } from './check-input.ts'

/** The part of a request stored as plain text: everything but its keys, which are sealed in `approval_secrets`. */
export type RequestedConnection = Omit<Content, 'secrets'> & {
  action: 'add' | 'edit' | 'keys'
  /** Chosen before the connection exists, because its keys are sealed for this id. */
  id: string
  code: string
  kind: ProviderKind
  replacedKeys: ProviderSecret[]
  removedKeys: ProviderSecret[]
  /**
   * For each new key, the start of a digest of its sealed box; a check of the books uses it to detect an exchanged box.
   */
  boxes: Partial<Record<ProviderSecret, string>>
  /** Public half of a key pair made here. */
  publicKey?: string
}

type Values = Pick<Content, 'name' | 'active' | 'baseUrl' | 'maximumAmount' | 'snap'> & {
  code: string
  kind: string
  banks: readonly Omit<Content['banks'][number], 'id'>[]
  /** State of each key, never the key itself. */
  secrets: Partial<Record<ProviderSecret, 'stored' | 'new'>>
}

/** The values of a connection one by one, to show a change field by field. A bank is identified by its code. */
export const fieldsOfConnection = ({
  code,
  kind,
  name,
  active,
  baseUrl,
  maximumAmount = usualMaximumAmount,
  snap,
  banks,
  secrets,
}: Values): Fields => ({
  code,
  kind,
  name,
  active,
  baseUrl,
  maximumAmount,
  ...prefixed('snap', snap ? fieldsOfSnap(snap) : {}),
  ...prefixed('secrets', secrets),
  ...Object.assign(
    {},
    ...banks.map((bank) =>
      prefixed(`banks.${bank.code}`, {
        name: bank.name,
        channel: bank.channel,
        prefix: bank.prefix,
        customerDigits: bank.customerDigits,
        firstNumber: bank.firstNumber,
        lastNumber: bank.lastNumber,
        amountType: bank.amountType,
        active: bank.active,
      }),
    ),
  ),
})

/**
 * In the order of the schema, because PostgreSQL reorders the keys of stored JSON. Requests older than a setting get
 * its default.
 */
function fieldsOfSnap(settings: SnapSettings): Fields {
  const snap = snapSettings.parse(settings)
  return Object.fromEntries(
    (Object.keys(snapSettings.shape) as (keyof SnapSettings)[]).map((name) => [
      name,
      name === 'bankPublicKey' && snap[name] ? fingerprintOf(snap[name]) : snap[name],
    ]),
  )
}

const prefixed = (prefix: string, values: Record<string, FieldValue | undefined>): Fields =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}.${name}`, value ?? null]))

/** The first 16 hexadecimal digits of a SHA-256 hash, to compare a long public key with the bank's. */
const fingerprintOf = (pem: string) =>
  crypto.createHash('sha256').update(pem.replace(/\s+/g, '')).digest('hex').slice(0, 16)

/** Names that staff and applicants read. They do not affect money, so they change without a second person. */
export const isOnlyName = ({ field, before }: FieldChange) =>
  before !== null && (field === 'name' || /^banks\.[^.]+\.name$/.test(field))
