import { once } from 'node:events'
import net from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendZip } from './send-zip.ts'

const app = Fastify()
const contents: Readable[] = []
const endless = (patienceMs: number) =>
  app.get(`/endless/${patienceMs}`, (_, reply) => {
    const content = new Readable({
      read() {
        this.push(Buffer.alloc(64_000))
      },
    })
    contents.push(content)
    return sendZip(reply, { name: 'berkas', content }, patienceMs)
  })
endless(400)
// Long enough for a busy machine to transfer the bytes the reader takes.
endless(3_000)
app.get('/waits', (_, reply) => {
  const content = new Readable({ read() {} })
  contents.push(content)
  return sendZip(reply, { name: 'berkas', content }, 400)
})
let port: number
beforeAll(async () => {
  port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
})
afterAll(() => app.close())

async function connect(path: string) {
  const socket = net.connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`)
  await expect.poll(() => contents.length).toBeGreaterThan(0)
  return { socket, content: contents.pop()! }
}

test('a reader that takes nothing is cut off, and the content ends', async () => {
  const { content, socket } = await connect('/endless/400')
  socket.pause()
  await once(content, 'close', { signal: AbortSignal.timeout(10_000) })
  expect(content.readableEnded).toBe(false)
  socket.destroy()
})

test('a reader that keeps taking a little is not cut off', async () => {
  const { content, socket } = await connect('/endless/3000')
  socket.pause()
  for (let times = 0; times < 8; times++) {
    await wait(500)
    let bytes = 0
    const take = (chunk: Buffer) => {
      bytes += chunk.length
    }
    socket.on('data', take).resume()
    await expect.poll(() => bytes, { interval: 5, timeout: 30_000 }).toBeGreaterThan(4_000_000)
    socket.off('data', take).pause()
  }
  expect(content.destroyed).toBe(false)
  socket.destroy()
  await once(content, 'close')
})

test('a reader waiting for a slow store is not cut off', async () => {
  const { content, socket } = await connect('/waits')
  await wait(900)
  expect(content.destroyed).toBe(false)
  content.push(null)
  socket.destroy()
})
