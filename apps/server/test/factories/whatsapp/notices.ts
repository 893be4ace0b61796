import crypto from 'node:crypto'
import { expect } from 'vitest'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { aConnection, cloudBody, graphServer } from './connections.ts'

let count = 0

/** Sender of a message, in Meta's fields. */
type Sender = { from?: string; from_user_id?: string }

/** Content of a text message. */
export const text = (body: string) => ({ type: 'text', text: { body } })

/** An office with a Meta connection whose phone is known, in the morning of a working day. */
export async function anOfficeOnWhatsapp() {
  const t = await testApp()
  const graph = await graphServer()
  t.clock.set('2027-01-04T03:00:00Z')
  const admin = await asStaff(t)
  const connection = await aConnection(admin, cloudBody(graph))
  await t.db.updateTable('whatsappConnections').set({ phone: '+628111111111' }).execute()
  return { t, graph, admin, connection }
}

/** WhatsApp messages from people, delivered as Meta webhooks, and how the office sees them. */
export function noticesOf(world: () => { t: TestApp; admin: TestActor; connection: { id: string } }) {
  const newPhone = () => `62813${String(10_000_000 + ++count)}`
  /** A person's id within the university's business; people with a user name may show no number. */
  const newUserId = () => `ID.${String(13_491_208_655_302_000_000n + BigInt(++count))}`
  /** A message from a number, or from a sender with a user id. */
  const message = (from: string | Sender, content: object, id = `wamid.in${++count}`) => ({
    ...(typeof from === 'string' ? { from } : from),
    id,
    timestamp: String(Math.floor(world().t.clock.now().getTime() / 1000)),
    ...content,
  })

  /** A signed Meta webhook with these messages. */
  const post = (messages: Sender[], { name = 'Dewi Contoh', secret = 'test-app-secret' } = {}) =>
    postValue(
      {
        contacts: messages.map(({ from, from_user_id: userId }) => ({
          ...(from && { wa_id: from }),
          ...(userId && { user_id: userId }),
          profile: { name },
        })),
        messages,
      },
      secret,
    )

  /** A signed Meta webhook whose only change has this content. */
  const postValue = (value: object, secret?: string) =>
    postBody(
      JSON.stringify({
        object: 'whatsapp_business_account',
        entry: [
          {
            id: '1',
            changes: [{ field: 'messages', value: { metadata: { phone_number_id: '106540352242922' }, ...value } }],
          },
        ],
      }),
      secret,
    )

  /** Posts bytes with Meta's signature. */
  function postBody(body: string, secret = 'test-app-secret') {
    const { t, connection } = world()
    const signature = crypto.createHmac('sha256', secret).update(body).digest('hex')
    return t.app.inject({
      method: 'POST',
      url: `/api/whatsapp/webhook/${connection.id}`,
      headers: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` },
      payload: body,
    })
  }

  /** Delivers messages from Meta and runs the jobs that follow. */
  async function receive(messages: Sender[]) {
    expect((await post(messages)).statusCode).toBe(200)
    await world().t.runJobs()
  }

  /** Sends the code from the applicant's chat from this number. */
  async function provePhone(person: TestActor, phone: string | Sender) {
    const { url } = (await person.post('/chat/own/whatsapp')).json().data
    await receive([message(phone, text(new URL(url).searchParams.get('text')!))])
  }
  const conversationOf = (phone: string) =>
    world().t.db.selectFrom('conversations').selectAll().where('phone', '=', `+${phone}`).executeTakeFirst()
  const conversationOfUser = (userId: string) =>
    world().t.db.selectFrom('conversations').selectAll().where('userId', '=', userId).executeTakeFirst()
  const bodiesIn = async (id: string) =>
    (await world().admin.get(`/chat/conversations/${id}/messages`)).json().data.map((one: { body: string }) => one.body)

  return {
    newPhone,
    newUserId,
    message,
    post,
    postValue,
    postBody,
    receive,
    provePhone,
    conversationOf,
    conversationOfUser,
    bodiesIn,
  }
}
