import { useEffect, useState } from 'react'
import { uploadLifetimeMs } from '#domain/uploads/pieces.ts'
import { ApiError } from '#web/api/client.ts'
import { findSnapshot, forgetSnapshot, keepSnapshot } from '#web/offline/snapshots.ts'
import { leftPage } from '#web/ui/form/use-file-sending.ts'

/**
 * The file that was being sent to this address when the page was left or closed, so that opening it goes on by itself. Without
 * storage on the device, only the upload on the server is left, and choosing the file again continues it.
 */
export function useUnfinishedFile(path: string, enabled: boolean) {
  const key = `upload:${path}`
  const [file, setFile] = useState<File>()
  useEffect(() => {
    if (!enabled) return
    let current = true
    const read = async () => {
      const snapshot = await findSnapshot<File>(key)
      if (!current || !snapshot) return
      if (Date.now() - Date.parse(snapshot.savedAt) < uploadLifetimeMs) setFile(snapshot.data)
      else await forgetSnapshot(key)
    }
    read().catch(() => {})
    return () => {
      current = false
    }
  }, [key, enabled])

  return {
    file,
    /** Keeps the file until its sending succeeds, is refused or is stopped by the person. */
    async keepWhile<T>(sent: File, send: () => Promise<T>): Promise<T> {
      await keepSnapshot(key, sent).catch(() => {})
      try {
        const answer = await send()
        await forgetSnapshot(key).catch(() => {})
        return answer
      } catch (error) {
        const mayGoOn = error === leftPage || (error instanceof ApiError && (error.status === 0 || error.status >= 500))
        if (!mayGoOn) await forgetSnapshot(key).catch(() => {})
        throw error
      }
    },
  }
}
