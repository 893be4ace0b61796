import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** A bank or gateway as the other side of the line, made from its documents. It keeps its own books. */
export type BankPeer = {
  /** What goes wrong from now on with calls that reach it. */
  trouble: 'none' | 'down' | 'slow' | 'answer_lost'
  /** How often it was asked for a number. */
  asked(): number
  /** A number as the bank has it. */
  account(number: string): { open: boolean; amount: number | null; name: string } | undefined
  /** Money arrives at the bank. Nobody is told yet. */
  receive(number: string, amount: number, at?: Date): Money
  /** Tells of it, the way the protocol says; or in a way it must not. */
  report(money: Money, spoilt?: Spoilt): Promise<Heard>
  close(): Promise<void>
}

export type Money = { reference: string; number: string; amount: number; at: Date }
export type Spoilt = {
  signature?: boolean
  json?: boolean
  amount?: number
  /** Words of the report in place of its own. */
  reference?: string
  channel?: string
  time?: string
}

/** What the bank makes of our answer: it is content, it gives up, or it sends the report again. */
export type Heard = { status: number; body: string; verdict: 'accepted' | 'refused' | 'again' }

export type Call = { method: string; path: string; headers: http.IncomingHttpHeaders; body: string }
export type Reply = { status: number; body: unknown }

/** A small HTTP server that can be down, slow, or lose its answer after the work was done. */
export async function listen(peer: { trouble: BankPeer['trouble'] }, handle: (call: Call) => Reply | Promise<Reply>) {
  const held = new Set<http.ServerResponse>()
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { trouble } = peer
    if (trouble === 'slow') return held.add(response)
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
        for (const response of held) response.destroy()
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

export async function post(url: string, headers: Record<string, string>, body: string) {
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })
  return { status: answer.status, body: await answer.text() }
}
