import type net from 'node:net'
import { connect } from 'node:net'
import { multipartBody, type TestActor } from './actors.ts'
import type { TestApp } from './test-app.ts'

export type Answer = { status: number; headers: string; body: any }

/** A request on its own socket, whose rest the test sends later. */
export type HalfSent = {
  /** Bytes after the file. */
  ending: Buffer
  /** Sends these bytes; without an argument, all the rest. */
  send(bytes?: Buffer): void
  /** The answer so far; null while the server waits. */
  answered(): Answer | null
  answer(): Promise<Answer>
  hangUp(): void
}

const listening = new WeakMap<TestApp, Promise<number>>()

async function listen({ app }: TestApp): Promise<number> {
  await app.listen({ port: 0, host: '127.0.0.1' })
  return (app.server.address() as net.AddressInfo).port
}

function portOf(t: TestApp) {
  const port = listening.get(t) ?? listen(t)
  listening.set(t, port)
  return port
}

/** Starts uploading a file and stops after the first `sent` bytes of the file itself. */
export async function sendHalf(
  t: TestApp,
  actor: TestActor,
  path: string,
  file: Buffer = Buffer.alloc(20_000, 'x'),
  sent = 1_000,
): Promise<HalfSent> {
  const { body, contentType } = multipartBody({ name: 'berkas.jpg', type: 'image/jpeg', bytes: file })
  const held = body.subarray(body.indexOf(file) + sent)
  const socket = connect(await portOf(t), '127.0.0.1')
  let received = ''
  let answer: Answer | null = null
  let settle: (answer: Answer) => void = () => {}
  const settled = new Promise<Answer>((resolve, reject) => {
    settle = resolve
    socket.on('close', () => reject(new Error(`the server hung up: ${received}`)))
  })
  settled.catch(() => {})
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    received += chunk
    const end = received.indexOf('\r\n\r\n')
    const length = Number(/content-length: (\d+)/i.exec(received)?.[1])
    if (answer || end < 0 || Buffer.byteLength(received.slice(end + 4)) < length) return
    const text = received.slice(end + 4)
    answer = {
      status: Number(received.slice(9, 12)),
      headers: received.slice(0, end).toLowerCase(),
      body: text && JSON.parse(text),
    }
    settle(answer)
    // Unless the socket is destroyed, closing the server would wait for the rest of the refused body.
    socket.destroy()
  })
  socket.write(
    `POST /api${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${actor.token}\r\naccept-language: en\r\n` +
      `content-type: ${contentType}\r\ncontent-length: ${body.length}\r\n\r\n`,
  )
  socket.write(body.subarray(0, body.length - held.length))
  return {
    ending: held.subarray(-(body.length - body.indexOf(file) - file.length)),
    send: (bytes = held) => socket.write(bytes),
    answered: () => answer,
    answer: () => settled,
    hangUp: () => socket.destroy(),
  }
}
