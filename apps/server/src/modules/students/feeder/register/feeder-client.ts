import type { FeederAccess } from '#server/modules/students/feeder/connection.ts'
import { callUnlessPaused } from '#server/platform/breaker.ts'
import { parseAnswer, withoutZeros } from '#server/platform/read-answer.ts'
import type { Services } from '#server/platform/services.ts'
import { demoRegister } from './demo-register.ts'
import { httpRegister } from './http-register.ts'
import {
  type FeederAct,
  type FeederAnswer,
  FeederFailure,
  feederAnswer,
  filterText,
  isTokenRefusal,
} from './protocol.ts'

const keptCharacters = 20_000
/** Limit for records of one person; a filter that reaches it is refused as too wide. */
const mostRecords = 50

export type FeederRecord = Record<string, string | number | null>
export type FeederRow = Record<string, unknown>
type Insert = 'InsertBiodataMahasiswa' | 'InsertRiwayatPendidikanMahasiswa'
type Call = { act: FeederAct; registrationId?: string } & Record<string, unknown>

export type FeederClient = ReturnType<typeof feederClient>

/** Client for one run of the job. Fetches a token at the first call and renews it when the register refuses it. */
export function feederClient(services: Services, access: FeederAccess) {
  const { target, address, username, password } = access
  const send = target === 'demo' ? demoRegister(services) : httpRegister(services, target, address ?? '')
  let token: string | undefined

  /** Makes one call and stores the answer. Of GetToken no text is stored: the token would be as good as a password. */
  async function callOnce({ registrationId, ...body }: Call): Promise<FeederAnswer> {
    const { act } = body
    const at = services.clock.now()
    const began = performance.now()
    const keep = (answer: { errorCode?: number; text?: string; error?: string }) =>
      services.db
        .insertInto('feederAnswers')
        .values({
          registrationId: registrationId ?? null,
          target,
          act,
          errorCode: answer.errorCode ?? null,
          answer: act === 'GetToken' ? null : (withoutZeros(answer.text)?.slice(0, keptCharacters) ?? null),
          error: answer.error?.slice(0, 300) ?? null,
          at,
          tookMs: Math.round(performance.now() - began),
        })
        .execute()
    const { status, text } = await send(body).catch(async (error: unknown) => {
      if (error instanceof FeederFailure) await keep({ error: error.detail })
      throw error
    })
    const read = feederAnswer.safeParse(parseAnswer(text))
    if (status < 400 && read.success) {
      await keep({ errorCode: read.data.error_code, text })
      return read.data
    }
    const error = status >= 400 ? `HTTP ${status}` : 'an answer of another kind'
    await keep({ text, error })
    throw new FeederFailure('unavailable', error, { act })
  }

  const callPatiently = (call: Call) =>
    callUnlessPaused(services, `feeder ${target}`, () => callOnce(call), FeederFailure)

  async function signIn() {
    const { error_code: errorCode, error_desc, data } = await callPatiently({ act: 'GetToken', username, password })
    const found = (data as { token?: unknown } | null | undefined)?.token
    if (errorCode !== 0 || typeof found !== 'string' || found === '')
      throw new FeederFailure('refused', error_desc || 'no token', { act: 'GetToken', errorCode, isSignIn: true })
    token = found
  }

  async function callSigned(call: Call): Promise<FeederAnswer> {
    if (token === undefined) await signIn()
    const answer = await callPatiently({ ...call, token })
    if (!isTokenRefusal(answer)) return answer
    await signIn()
    return callPatiently({ ...call, token })
  }

  async function read(call: Call): Promise<FeederRow[]> {
    const { act } = call
    const {
      error_code: errorCode,
      error_desc,
      data,
    } = await callSigned({
      ...{ filter: '', order: '', limit: mostRecords, offset: 0 },
      ...call,
    })
    if (errorCode !== 0) throw new FeederFailure('refused', error_desc || 'refused', { act, errorCode })
    const rows = [data ?? []].flat().filter((row): row is FeederRow => typeof row === 'object' && row !== null)
    if (rows.length >= mostRecords) throw new FeederFailure('refused', 'too many records of one person', { act })
    return rows
  }

  return {
    target,
    signIn,
    async readUniversity() {
      const [row] = await read({ act: 'GetProfilPT' })
      const id = row?.id_perguruan_tinggi
      if (typeof id !== 'string' || id === '')
        throw new FeederFailure('refused', 'no university', { act: 'GetProfilPT' })
      return { id, name: String(row?.nama_perguruan_tinggi ?? id) }
    },
    findPeople: (registrationId: string, filter: Record<string, string>) =>
      read({ act: 'GetBiodataMahasiswa', registrationId, filter: filterOf(filter) }),
    findStudies: (registrationId: string, filter: Record<string, string>) =>
      read({ act: 'GetListRiwayatPendidikanMahasiswa', registrationId, filter: filterOf(filter) }),
    /** Inserts a record. The caller distinguishes a refusal from a record that already exists. */
    insert: (act: Insert, registrationId: string, record: FeederRecord) => callSigned({ act, registrationId, record }),
  }
}

const filterOf = (filter: Record<string, string>) =>
  Object.entries(filter)
    .map(([column, value]) => `${column} = ${filterText(value)}`)
    .join(' and ')
