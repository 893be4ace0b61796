import http from 'node:http'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { demoPassword } from '#seeds/demo/university.ts'

export type Reply = { status: number; ms: number; isJson: boolean; body: any }
export type Reader = { name: string; get(path: string): Promise<Reply> }

const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
let sentCount = 0
/**
 * Another address for every request, so that no limit per address applies; the server trusts the header from loopback.
 */
const nextAddress = () => {
  sentCount += 1
  return `127.${(sentCount >> 16) & 255}.${(sentCount >> 8) & 255}.${sentCount & 255}`
}

const decompress: Record<string, (bytes: Buffer) => Promise<Buffer>> = {
  br: promisify(zlib.brotliDecompress),
  gzip: promisify(zlib.gunzip),
  deflate: promisify(zlib.inflate),
}

/** Longest time a file may take, in milliseconds; slower ones are given up. */
const patienceMs = 60_000

type Sent = { method?: string; token?: string; body?: string }

/** Sends one request as a browser does and reads the answer to the end. */
function send(url: string, { method = 'GET', token, body }: Sent): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const startMs = performance.now()
    const headers = {
      'accept-encoding': 'gzip, deflate, br',
      'x-forwarded-for': nextAddress(),
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    }
    const request = http.request(url, { agent, method, headers, timeout: patienceMs }, (answer) => {
      const pieces: Buffer[] = []
      answer.on('data', (piece) => pieces.push(piece))
      answer.once('error', reject)
      answer.once('end', async () => {
        const ms = performance.now() - startMs
        const sent = Buffer.concat(pieces)
        const isJson = /json/.test(answer.headers['content-type'] ?? '')
        const bytes = isJson ? await decompress[answer.headers['content-encoding'] ?? '']?.(sent) : undefined
        const text = (bytes ?? sent).toString('utf8')
        resolve({ status: answer.statusCode!, ms, isJson, body: isJson && text ? JSON.parse(text) : undefined })
      })
    })
    request.once('timeout', () => request.destroy(new Error(`no answer in ${patienceMs} ms`)))
    request.once('error', reject)
    request.end(body)
  })
}

/** Signs in a demo account; its requests share one connection. */
export async function signIn(url: string, email: string): Promise<Reader> {
  const credentials = JSON.stringify({ email, password: demoPassword })
  const { status, body } = await send(`${url}/api/login`, { method: 'POST', body: credentials })
  if (status !== 200) throw new Error(`${email} could not sign in: ${status} ${JSON.stringify(body)}`)
  const token: string = body.access_token
  return { name: email.split('@')[0]!, get: (path) => send(`${url}${path}`, { token }) }
}
