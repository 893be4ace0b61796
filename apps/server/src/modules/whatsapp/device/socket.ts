import type { AuthenticationState } from '@whiskeysockets/baileys'

/** The parts of a "connection.update" that are used. */
export type ConnectionUpdate = {
  connection?: 'open' | 'connecting' | 'close'
  qr?: string
  lastDisconnect?: { error?: (Error & { output?: { statusCode?: number }; data?: { code?: string } }) | undefined }
  reachoutTimeLock?: { isActive?: boolean; timeEnforcementEnds?: Date }
}
export type MessageUpdate = { key: { id?: string | null }; update: { status?: number | null } }

/** The part of the library's socket that is used; tests replace only this. */
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
  /** Text of a sent message; the library asks for it when the receiver could not decrypt. */
  textOf: (providerMessageId: string) => Promise<string | undefined>,
) => Promise<DeviceSocket>

/** Loaded with the first phone, because the library is large. */
export const loadLibrary = () => import('@whiskeysockets/baileys')

const mute = () => {}
/** The library would write numbers and keys into the log. */
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
    // Leaves notifications to the phone; incoming messages are neither read nor stored here.
    markOnlineOnConnect: false,
    syncFullHistory: false,
    shouldSyncHistoryMessage: () => false,
    getMessage: async ({ id }) => {
      const text = id ? await textOf(id) : undefined
      return text === undefined ? undefined : { conversation: text }
    },
  }) as unknown as DeviceSocket
}
