import net from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { type MailTransport, mailFailureOf, smtpTransport } from './mail.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

type Reply = string | 'hang up'

/** A mail server with scripted replies by command; `end` is the reply to the mail itself. */
async function server(replies: Partial<Record<'greeting' | 'MAIL' | 'RCPT' | 'DATA' | 'end', Reply>>) {
  const received: string[] = []
  const listener = net.createServer((socket) => {
    let reading = false
    let text = ''
    const say = (reply: Reply) => (reply === 'hang up' ? socket.destroy() : socket.write(`${reply}\r\n`))
    say(replies.greeting ?? '220 ready')
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      text += chunk
      if (reading && text.includes('\r\n.\r\n')) {
        reading = false
        received.push(text)
        text = ''
        say(replies.end ?? '250 taken')
        return
      }
      if (reading) return
      for (let at = text.indexOf('\r\n'); at >= 0; at = text.indexOf('\r\n')) {
        const command = text.slice(0, 4).toUpperCase()
        text = text.slice(at + 2)
        if (command === 'DATA' && !replies.DATA) reading = true
        if (command === 'DATA') say(replies.DATA ?? '354 go on')
        else if (command === 'MAIL' || command === 'RCPT') say(replies[command] ?? '250 ok')
        else say(command === 'EHLO' ? '250 here' : '250 ok')
      }
    })
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  closers.push(() => listener.close())
  return { received, port: (listener.address() as net.AddressInfo).port }
}

function transportTo(port: number): MailTransport {
  const transport = smtpTransport(`smtp://127.0.0.1:${port}`, 'PMB <pmb@demo.test>')
  closers.push(() => transport.close())
  return transport
}
const mail = { to: 'sari@example.com', subject: 'Kabar', text: 'Isi', messageId: 'a1' }
const failureWith = async (replies: Parameters<typeof server>[0]) =>
  mailFailureOf(
    await transportTo((await server(replies)).port)
      .send(mail)
      .then(
        () => undefined,
        (error) => error,
      ),
  )

test.each([
  ['a greeting that refuses', { greeting: '554 no service' }, 'channel'],
  ['a server that hangs up at once', { greeting: 'hang up' }, 'channel'],
  ['a sender that is refused', { MAIL: '550 5.7.1 sender' }, 'channel'],
  ['a receiver that does not exist', { RCPT: '550 5.1.1 no such user' }, 'no_mailbox'],
  ['a receiver that policy refuses', { RCPT: '550 5.7.1 policy' }, 'refused'],
  ['a receiver who is to wait', { RCPT: '451 4.7.1 greylisted' }, 'temporary'],
  ['a receiver who is to wait while the server hangs up', { RCPT: '421 4.7.0 try later' }, 'temporary'],
  ['a greeting that asks to wait', { greeting: '421 4.3.2 closing' }, 'channel'],
  ['a sender who is to wait', { MAIL: '421 4.3.2 closing' }, 'channel'],
  ['a mail that is refused after it was read', { end: '554 5.7.1 spam' }, 'refused'],
  ['a mail that is postponed after it was read', { end: '452 4.3.1 full' }, 'temporary'],
  ['a mail that is postponed while the server hangs up', { end: '421 4.7.0 try later' }, 'temporary'],
  ['a server that hangs up before it reads the mail', { DATA: 'hang up' }, 'channel'],
  ['a server that hangs up after it read the mail', { end: 'hang up' }, 'unknown'],
] as const)('%s', async (_name, replies, failure) => {
  expect(await failureWith(replies)).toBe(failure)
})

test('an unreachable server is a failure of the channel', async () => {
  const listener = net.createServer()
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const { port } = listener.address() as net.AddressInfo
  await new Promise((resolve) => listener.close(resolve))
  expect(
    mailFailureOf(
      await transportTo(port)
        .send(mail)
        .catch((error) => error),
    ),
  ).toBe('channel')
})

test('a mail is not sent a second time if the server read it before hanging up', async () => {
  const { received, port } = await server({ end: 'hang up' })
  const transport = transportTo(port)
  await expect(transport.send(mail)).rejects.toThrow()
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(received).toHaveLength(1)
})

test('headers are sent; a connection closed while idle is reopened', async () => {
  const { received, port } = await server({})
  const transport = transportTo(port)
  const sockets: net.Socket[] = []
  const gate = net.createServer((socket) => {
    sockets.push(socket)
    const behind = net.connect(port, '127.0.0.1')
    for (const end of [socket, behind]) end.on('error', () => {})
    socket.pipe(behind).pipe(socket)
  })
  await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve))
  closers.push(() => gate.close())
  const guarded = transportTo((gate.address() as net.AddressInfo).port)
  await guarded.send({ ...mail, headers: { 'List-Unsubscribe': '<https://pmb.example/x>' } })
  expect(received[0]).toContain('List-Unsubscribe: <https://pmb.example/x>')
  expect(received[0]).toContain('Message-ID: <a1@demo.test>')
  for (const socket of sockets) socket.destroy()
  await guarded.send(mail)
  expect(received).toHaveLength(2)
  await transport.send(mail)
  expect(received).toHaveLength(3)
})
