import crypto from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'

type Row = Record<string, string>
type Call = { act: string; token?: string; filter?: string; record?: Row; username?: string; password?: string }

/**
 * A small Neo Feeder on a loopback port: it answers with error_code, error_desc and data, and fails if a test says so.
 */
export async function feederServer() {
  const people: Row[] = []
  const studies: Row[] = []
  const calls: (Call & { path: string })[] = []
  const tokens = new Set<string>()
  const state = {
    people,
    studies,
    calls,
    password: 'rahasia-feeder',
    /** Calls after which a token is refused. */
    tokenLasts: Number.POSITIVE_INFINITY,
    /** Answers to acts instead of the usual ones, each used once. */
    refuse: new Map<string, { error_code: number; error_desc: string }>(),
    /** Acts whose answer is lost after the record was written. */
    loseAnswerOf: new Set<string>(),
    /** Milliseconds before every answer. */
    slowMs: 0,
    isDown: false,
    /** Runs before every answer. */
    onCall: async () => {},
    url: '',
    close: async () => {},
  }
  let sinceToken = 0
  const ok = (data: unknown) => ({ error_code: 0, error_desc: '', data })
  const found = (rows: Row[], filter = '') => {
    const conditions = [...filter.matchAll(/(\w+)\s*=\s*'((?:[^']|'')*)'/g)].map(([, key, value]) => [
      key!,
      value!.replaceAll("''", "'"),
    ])
    return rows.filter((row) => conditions.every(([key, value]) => row[key!] === value))
  }

  function answer({ act, token, filter, record, username, password }: Call) {
    const refusal = state.refuse.get(act)
    state.refuse.delete(act)
    if (refusal) return { ...refusal, data: [] }
    if (act === 'GetToken') {
      if (username !== 'operator' || password !== state.password)
        return { error_code: 12, error_desc: 'Username/Password salah', data: [] }
      const newToken = crypto.randomUUID()
      tokens.add(newToken)
      sinceToken = 0
      return ok({ token: newToken })
    }
    if (!token || !tokens.has(token) || ++sinceToken > state.tokenLasts)
      return { error_code: 100, error_desc: 'Invalid Token. Token tidak ada atau token sudah expired.', data: [] }
    if (act === 'GetProfilPT')
      return ok([{ id_perguruan_tinggi: crypto.randomUUID(), nama_perguruan_tinggi: 'Universitas Uji' }])
    if (act === 'GetBiodataMahasiswa') return ok(found(people, filter))
    if (act === 'GetListRiwayatPendidikanMahasiswa') return ok(found(studies, filter))
    if (act === 'InsertBiodataMahasiswa') {
      const { nik, nama_mahasiswa, tanggal_lahir } = record!
      if (
        people.some(
          (row) => row.nik === nik && row.nama_mahasiswa === nama_mahasiswa && row.tanggal_lahir === tanggal_lahir,
        )
      )
        return { error_code: 200, error_desc: 'Data mahasiswa sudah ada', data: [] }
      const id_mahasiswa = crypto.randomUUID()
      people.push({ ...record!, id_mahasiswa })
      return ok({ id_mahasiswa })
    }
    const id_registrasi_mahasiswa = crypto.randomUUID()
    studies.push({ ...record!, id_registrasi_mahasiswa })
    return ok({ id_registrasi_mahasiswa })
  }

  const server = http.createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const call = JSON.parse(Buffer.concat(parts).toString('utf8')) as Call
    calls.push({ ...call, path: request.url! })
    await state.onCall()
    if (state.isDown) return response.writeHead(503).end('busy')
    const answered = answer(call)
    if (state.slowMs) await new Promise((resolve) => setTimeout(resolve, state.slowMs))
    if (state.loseAnswerOf.delete(call.act)) return request.socket.destroy()
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answered))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  state.close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return state
}
export type FeederServer = Awaited<ReturnType<typeof feederServer>>
