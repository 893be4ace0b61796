import type { AuthenticationState } from '@whiskeysockets/baileys'

/** The fields of "connection.update" that are used. */
export type ConnectionUpdate = {
  connection?: 'open' | 'connecting' | 'close'
  qr?: string
  lastDisconnect?: { error?: (Error & { output?: { statusCode?: number }; data?: { code?: string } }) | undefined }
  reachoutTimeLock?: { isActive?: boolean; timeEnforcementEnds?: Date }
}
export type MessageUpdate = { key: { id?: string | null }; update: { status?: number | null } }

/** The part of the library's socket that is used. Tests replace only this. */
export type DeviceSocket = {
  ev: {
    on(event: 'connection.update', listener: (update: ConnectionUpdate) => void): void
    on(event: 'creds.update', listener: () => void): void
    on(event: 'messages.update', listener: (updates: MessageUpdate[]) => void): void
  }
  requestPairingCode(digits: string): Promise<string>
  onWhatsApp(digits: string): Promise<{ jid: string; exists: boolean }[] | undefined>
  sendMessage(
    jid: string,
    content: { text: string; linkPreview: null },
    options: { messageId: string },
  ): Promise<{ key: { id?: string | null } } | undefined>
  logout(): Promise<void>
  end(error: undefined): void | Promise<void>
}

export type OpenSocket = (
  auth: AuthenticationState,
  /** Text of a sent message. The library asks for it if the receiver could not decrypt the message. */
  textOf: (providerMessageId: string) => Promise<string | undefined>,
) => Promise<DeviceSocket>

/** Loaded only when a phone is connected, because the library is large. */
export const loadLibrary = () => import('@whiskeysockets/baileys')

const mute = () => {}
/** The library's own logger would write phone numbers and keys into the log. */
const silent = {
  level: 'silent',
  child: () => silent,
  trace: mute,
  debug: mute,
  info: mute,
  warn: mute,
  error: mute,
}

export const openSocket: OpenSocket = async (auth, textOf) => {
  const { makeWASocket, Browsers } = await loadLibrary()
  return makeWASocket({
    auth,
    logger: silent,
    browser: Browsers.ubuntu('Chrome'),
    connectTimeoutMs: 20_000,
    // Leaves notifications to the phone. Incoming messages are neither read nor stored here.
    markOnlineOnConnect: false,
    syncFullHistory: false,
    shouldSyncHistoryMessage: () => false,
    getMessage: async ({ id }) => {
      const text = id ? await textOf(id) : undefined
      return text === undefined ? undefined : { conversation: text }
    },
  }) as unknown as DeviceSocket
}
