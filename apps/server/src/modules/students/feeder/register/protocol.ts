import { z } from 'zod'
import { OutsideFailure } from '#server/platform/breaker.ts'

/** Calls the product makes to Neo Feeder's web service. */
export type FeederAct =
  | 'GetToken'
  | 'GetProfilPT'
  | 'GetBiodataMahasiswa'
  | 'GetListRiwayatPendidikanMahasiswa'
  | 'InsertBiodataMahasiswa'
  | 'InsertRiwayatPendidikanMahasiswa'

/** Fields of every answer; only `error_code` 0 means success. */
export const feederAnswer = z.object({
  error_code: z.coerce.number().int(),
  error_desc: z.string().nullish(),
  data: z.unknown(),
})
export type FeederAnswer = z.output<typeof feederAnswer>

/** Sends one call and returns the text of the answer. */
export type FeederTransport = (
  body: { act: FeederAct } & Record<string, unknown>,
) => Promise<{ status: number; text: string }>

/** Error code: the register already has the record. */
export const alreadyThere = 200
/** Error code: the token is unknown or has expired. */
const invalidToken = 100

/** Some versions answer an expired token with another code and a text with "token". */
export const isTokenRefusal = ({ error_code, error_desc }: FeederAnswer) =>
  error_code === invalidToken || (error_code !== 0 && /token/i.test(error_desc ?? ''))

/** The register did not carry out a call: it is unavailable, rejects the account, or refuses the record. */
export class FeederFailure extends OutsideFailure {
  readonly act: FeederAct | undefined
  readonly errorCode: number | undefined
  /** Whether the account in the settings was rejected; retrying does not help. */
  readonly isSignIn: boolean
  constructor(
    kind: 'unavailable' | 'refused',
    detail: string,
    { act, errorCode, isSignIn = false }: { act?: FeederAct; errorCode?: number | undefined; isSignIn?: boolean } = {},
  ) {
    super(kind, detail)
    this.act = act
    this.errorCode = errorCode
    this.isSignIn = isSignIn
  }
}

/** Quotes a value for the SQL-like filter of a read call. */
export const filterText = (value: string) => `'${value.replaceAll('\u0000', '').replaceAll("'", "''")}'`
