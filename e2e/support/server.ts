import { spawn } from 'node:child_process'
import path from 'node:path'

export type Server = {
  url: string
  /** What the server has printed, once it matches. */
  printed(pattern: RegExp): Promise<string>
  /** Ends the server and waits until it has ended. */
  stop(): Promise<void>
}

/** Starts the product on a data folder, on a free port, by default as a demo of the present season. */
export function startServer(dataDir: string, settings: Record<string, string> = {}): Promise<Server> {
  const child = spawn(process.execPath, [path.resolve('apps/server/src/main.ts')], {
    env: {
      ...process.env,
      ...{ DATABASE_URL: '', PMB_DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'error' },
      // Journeys look for their rows among the 300 applicants of the present season.
      ...{ GUARD_TRANSACTIONS: 'true', DEMO_HISTORY: 'false', ...settings },
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return new Promise((resolve, reject) => {
    let output = ''
    const stop = async () => {
      const ended = new Promise((resolveEnd) => child.once('exit', resolveEnd))
      child.kill('SIGTERM')
      await ended
    }
    const readers = new Set<() => void>()
    const printed = (pattern: RegExp) =>
      new Promise<string>((resolvePrinted) => {
        const look = () => {
          if (!pattern.test(output)) return
          readers.delete(look)
          resolvePrinted(output)
        }
        readers.add(look)
        look()
      })
    const read = (chunk: Buffer) => {
      output += chunk
      for (const look of readers) look()
      const address = /http:\/\/(?:127\.0\.0\.1|localhost):\d+/.exec(output)
      if (address) resolve({ url: address[0], printed, stop })
    }
    child.stdout!.on('data', read)
    child.stderr!.on('data', read)
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}:\n${output}`)))
  })
}
