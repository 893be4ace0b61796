import { EventEmitter, once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'

type Mail = { to: string; path: string }

/** A mail server on loopback that keeps its mails. */
export async function openMailbox() {
  const mails: Mail[] = []
  const arrivals = new EventEmitter()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    async onData(stream, _session, done) {
      const { to = [], text = '' } = await PostalMime.parse(await buffer(stream))
      const link = /https?:\/\/\S+/.exec(text)
      const { pathname, search } = new URL(link?.[0] ?? 'http://localhost/')
      mails.push({ to: to[0]?.address ?? '', path: `${pathname}${search}` })
      arrivals.emit('mail')
      done()
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    /**
     * Path of the first link that begins with `beginning` in a mail to the address; waits up to a minute for the mail.
     */
    async linkTo(address: string, beginning: string): Promise<string> {
      const deadline = AbortSignal.timeout(60_000)
      for (;;) {
        const mail = mails.find(({ to, path }) => to === address && path.startsWith(beginning))
        if (mail) return mail.path
        await once(arrivals, 'mail', { signal: deadline })
      }
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

export type Mailbox = Awaited<ReturnType<typeof openMailbox>>
