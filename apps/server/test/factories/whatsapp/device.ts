import {
  createDeviceKeeper,
  type DeviceKeeper,
  setDeviceKeeper,
} from '#server/modules/whatsapp/device/device-keeper.ts'
import type { Schedule } from '#server/modules/whatsapp/device/held-device.ts'
import type {
  ConnectionUpdate,
  DeviceSocket,
  MessageUpdate,
  OpenSocket,
} from '#server/modules/whatsapp/device/socket.ts'
import type { TestApp } from '#server-test/test-app.ts'

/** A socket like the library's, controlled by the test. */
function aSocket(auth: Parameters<OpenSocket>[0]) {
  const listeners: { event: string; listener: (value: any) => void }[] = []
  const calls: string[] = []
  const sent: { jid: string; text: string; messageId: string }[] = []
  const socket: DeviceSocket = {
    ev: { on: (event: string, listener: (value: any) => void) => void listeners.push({ event, listener }) },
    requestPairingCode: async (digits) => {
      calls.push(`pair ${digits}`)
      return 'ABCD2345'
    },
    onWhatsApp: async (digits) =>
      digits === '628000000000' ? [] : [{ jid: `${digits}@s.whatsapp.net`, exists: true }],
    sendMessage: async (jid, { text }, { messageId }) => {
      sent.push({ jid, text, messageId })
      return { key: { id: messageId } }
    },
    logout: async () => void calls.push('logout'),
    end: () => void calls.push('end'),
  }
  const emit = (event: string, value?: unknown) => {
    for (const one of listeners) if (one.event === event) one.listener(value)
  }
  return {
    auth,
    calls,
    sent,
    socket,
    update: (update: ConnectionUpdate) => emit('connection.update', update),
    credentials: () => emit('creds.update'),
    statuses: (updates: MessageUpdate[]) => emit('messages.update', updates),
    close: (statusCode?: number, code?: string) =>
      emit('connection.update', {
        connection: 'close',
        lastDisconnect: {
          error: Object.assign(new Error('closed'), {
            ...(statusCode && { output: { statusCode } }),
            ...(code && { data: { code } }),
          }),
        },
      }),
    open() {
      auth.creds.me = { id: '6281211112222:7@s.whatsapp.net' }
      emit('connection.update', { connection: 'open' })
    },
  }
}

/** One process: its device keeper, sockets and pending timers. */
export function aWorld(app: TestApp) {
  const sockets: ReturnType<typeof aSocket>[] = []
  const waits: { ms: number; work: () => void }[] = []
  const after: Schedule = (ms, work) => {
    const wait = { ms, work }
    waits.push(wait)
    return () => void waits.splice(waits.indexOf(wait), waits.includes(wait) ? 1 : 0)
  }
  const keeper: DeviceKeeper = createDeviceKeeper(app.services, {
    after,
    openSocket: async (auth) => {
      const one = aSocket(auth)
      sockets.push(one)
      return one.socket
    },
  })
  setDeviceKeeper(app.services, keeper)
  return {
    keeper,
    sockets,
    last: () => sockets.at(-1)!,
    waits,
    /** Runs the timer of that length. */
    pass(ms: number) {
      const found = waits.findIndex((wait) => wait.ms === ms)
      if (found < 0) throw new Error(`nothing waits ${ms} ms: ${waits.map((wait) => wait.ms)}`)
      waits.splice(found, 1)[0]!.work()
    },
  }
}
