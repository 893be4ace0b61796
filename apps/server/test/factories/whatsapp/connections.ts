import crypto from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { queueMessages } from '#server/modules/messaging/handovers/queue-messages.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import type { TestActor } from '#server-test/actors.ts'
import type { TestApp } from '#server-test/test-app.ts'

type Asked = { method: string; path: string; headers: IncomingHttpHeaders; body: any }
type Answer = { status: number; body: unknown; wait?: Promise<unknown> }

/** A file stored at Meta. `told` overrides parts of its description, such as its URL. */
type GraphMedia = { bytes: Buffer; told?: object; downloadStatus?: number }

/** A local server that speaks Meta's documented Graph API; tests can script its answers. */
export async function graphServer(token = 'EAAJB-token') {
  const requests: Asked[] = []
  const next: (Answer | ((request: Asked) => Answer))[] = []
  const media = new Map<string, GraphMedia>()
  let count = 0
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += part
    const one: Asked = {
      method: request.method!,
      path: request.url!,
      headers: request.headers,
      body: text ? JSON.parse(text) : undefined,
    }
    requests.push(one)
    const scripted = next.shift()
    const answer = scripted ? (typeof scripted === 'function' ? scripted(one) : scripted) : usual(one)
    await answer.wait
    if (Buffer.isBuffer(answer.body)) return void response.writeHead(answer.status).end(answer.body)
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer.body))
  })
  function usual({ headers, method, path, body }: Asked): Answer {
    if (headers.authorization !== `Bearer ${token}`)
      return graphError(190, { status: 401, message: 'Error validating access token: Session has expired' })
    const [, place, name] = path.split(/[/?]/)
    const file = media.get(name ?? '')
    if (place === 'media' && file) return { status: file.downloadStatus ?? 200, body: file.bytes }
    if (file)
      return {
        status: 200,
        body: {
          messaging_product: 'whatsapp',
          id: name,
          url: `${address()}/media/${name}?ext=1`,
          sha256: crypto.createHash('sha256').update(file.bytes).digest('hex'),
          file_size: String(file.bytes.length),
          ...file.told,
        },
      }
    if (method === 'GET' && path.includes('phone_number_id='))
      return graphError(100, { subcode: 33, message: 'Unsupported get request. Object does not exist' })
    if (method === 'GET')
      return {
        status: 200,
        body: {
          verified_name: 'Universitas Contoh',
          quality_rating: 'GREEN',
          display_phone_number: '+62 811-1111-111',
          id: path.split('/')[2]!.split('?')[0],
        },
      }
    return {
      status: 200,
      body: {
        messaging_product: 'whatsapp',
        contacts: [{ input: body.to, wa_id: body.to }],
        messages: [{ id: `wamid.${++count}` }],
      },
    }
  }
  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: address(),
    /** Files by their id. */
    media,
    token,
    asked: requests,
    sent: () => requests.filter(({ method }) => method === 'POST').map(({ body }) => body),
    /** Scripted answers, used before the regular ones. */
    say: (...answers: (Answer | ((request: Asked) => Answer))[]) => next.push(...answers),
    reset() {
      requests.length = 0
      next.length = 0
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

export const graphError = (
  code: number,
  { status = 400, message = `(#${code}) refused`, subcode = 0 } = {},
): Answer => ({
  status,
  body: {
    error: {
      message,
      type: 'OAuthException',
      code,
      ...(subcode && { error_subcode: subcode }),
      error_data: { messaging_product: 'whatsapp', details: 'what Meta says of it' },
      fbtrace_id: 'Az8or2yhqkZfEZ-_4Qn_Bam',
    },
  },
})

/** Body of a connection form. */
export const connectionBody = (changes: object = {}) => ({
  kind: 'log',
  name: `Koneksi ${crypto.randomUUID().slice(0, 8)}`,
  phone: null,
  active: true,
  isDefault: true,
  perMinute: 4800,
  perDay: 100_000,
  phoneNumberId: null,
  businessAccountId: null,
  graphUrl: 'https://graph.facebook.com',
  graphVersion: 'v24.0',
  ...changes,
})

export const cloudBody = (graph: { url: string; token: string }, changes: object = {}) =>
  connectionBody({
    kind: 'cloud',
    phoneNumberId: '106540352242922',
    businessAccountId: '102290129340398',
    graphUrl: graph.url,
    accessToken: graph.token,
    appSecret: 'test-app-secret',
    ...changes,
  })

export async function aConnection(admin: TestActor, body: object) {
  const answer = await admin.post('/settings/whatsapp', body)
  if (answer.statusCode !== 201) throw new Error(answer.body)
  return answer.json().data as { id: string; version: number; name: string }
}

/** A WhatsApp message as `notify` queues it. */
export async function aQueuedMessage(t: TestApp, values: object = {}) {
  const { id, event } = await t.db
    .insertInto('messages')
    .values({
      channel: 'whatsapp',
      toAddress: '+6281298765432',
      event: 'note',
      language: 'id',
      subject: 'Judul',
      body: 'Halo Sari',
      providerTemplate: JSON.stringify({ name: 'pengumuman', parameters: ['Sari'] }),
      createdAt: t.clock.now(),
      ...values,
    })
    .returning(['id', 'event'])
    .executeTakeFirstOrThrow()
  await inTransaction(t.services, systemActor, (context) =>
    queueMessages(context, [{ id, channel: 'whatsapp', event }]),
  )
  return id
}

export const messageRow = (t: TestApp, id: string) =>
  t.db.selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** Moves the clock and runs the due jobs. */
export async function afterSeconds(t: TestApp, seconds: number) {
  t.clock.set(new Date(t.clock.now().getTime() + seconds * 1000))
  return t.runJobs()
}

/** Deletes WhatsApp messages, their reports and all templates. */
export async function removeMessages({ db }: TestApp) {
  await db.deleteFrom('messages').where('channel', '=', 'whatsapp').execute()
  await db.deleteFrom('messageTemplates').execute()
  await db.deleteFrom('whatsappReports').execute()
}
