import { z } from 'zod'
import { OutsideFailure } from '#server/platform/breaker.ts'

/** Calls of Neo Feeder's web service that the product makes. */
export type FeederAct =
  | 'GetToken'
  | 'GetProfilPT'
  | 'GetBiodataMahasiswa'
  | 'GetListRiwayatPendidikanMahasiswa'
  | 'InsertBiodataMahasiswa'
  | 'InsertRiwayatPendidikanMahasiswa'

/** Every answer has these; only error_code 0 is a success. */
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

/** The register has the record already. */
export const alreadyThere = 200
/** The token is unknown or has expired. */
const invalidToken = 100

/** Some versions answer an expired token with another code and these words. */
export const isTokenRefusal = ({ error_code, error_desc }: FeederAnswer) =>
  error_code === invalidToken || (error_code !== 0 && /token/i.test(error_desc ?? ''))

/** The register did not carry out a call: it is away, does not know the account, or refuses the record. */
export class FeederFailure extends OutsideFailure {
  readonly act: FeederAct | undefined
  readonly errorCode: number | undefined
  /** The account of the settings is refused, which no repetition mends. */
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

/** Quotes a value for the SQL-like filter of a reading call. */
export const filterText = (value: string) => `'${value.replaceAll('\u0000', '').replaceAll("'", "''")}'`
