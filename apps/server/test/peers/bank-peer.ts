import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** A simulated bank or gateway, written from its documentation; keeps its own books. */
export type BankPeer = {
  /** Faults of calls to the bank from now on. */
  trouble: 'none' | 'down' | 'slow' | 'answer_lost'
  /** Number of requests for a transfer number. */
  requestCount(): number
  /** A transfer number in the bank's books. */
  account(number: string): { open: boolean; amount: number | null; name: string } | undefined
  /** Books money at the bank without reporting it. */
  receive(number: string, amount: number, at?: Date): Money
  /** Resolves once received money is in the books of a bank that keeps them outside the test. */
  booked?(): Promise<unknown>
  /** Reports a payment by the protocol, or spoilt in the given way. */
  report(money: Money, spoilt?: Spoilt): Promise<Heard>
  close(): Promise<void>
}

export type Money = { reference: string; number: string; amount: number; at: Date }
export type Spoilt = {
  signature?: boolean
  json?: boolean
  amount?: number
  /** Texts that replace those of the report. */
  reference?: string
  channel?: string
  time?: string
  currency?: string
}

/** The bank's reaction to our answer: accepts it, gives up, or sends the report again. */
export type Heard = { status: number; body: string; verdict: 'accepted' | 'refused' | 'again' }

export type Call = { method: string; path: string; headers: http.IncomingHttpHeaders; body: string }
export type Reply = { status: number; body: unknown }

/** A small HTTP server that can be down, slow, or lose its answer after doing the work. */
export async function listen(peer: { trouble: BankPeer['trouble'] }, handle: (call: Call) => Reply | Promise<Reply>) {
  const heldResponses = new Set<http.ServerResponse>()
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { trouble } = peer
    if (trouble === 'slow') return heldResponses.add(response)
    if (trouble === 'down') return response.writeHead(503).end('down')
    const body = Buffer.concat(chunks).toString('utf8')
    const reply = await handle({ method: request.method!, path: request.url!, headers: request.headers, body })
    if (trouble === 'answer_lost') return response.destroy()
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(JSON.stringify(reply.body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        for (const response of heldResponses) response.destroy()
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

export async function post(url: string, headers: Record<string, string>, body: string) {
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })
  return { status: answer.status, body: await answer.text() }
}
