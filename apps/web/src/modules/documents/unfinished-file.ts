import { useEffect, useRef, useState } from 'react'
import { uploadLifetimeMs } from '#domain/uploads/pieces.ts'
import { ApiError } from '#web/api/client.ts'
import { findSnapshot, forgetSnapshot, keepSnapshot } from '#web/offline/snapshots.ts'
import { leftPage } from '#web/ui/form/use-file-sending.ts'

/** `version` of the document when the file was chosen. */
type Kept = { file: File; version: number }

/** Whether a kept file may go on without a tap: not if the document has changed since, or after a day. */
export const mayContinue = ({ data, savedAt }: { data: Kept; savedAt: string }, version: number) =>
  Date.now() - Date.parse(savedAt) < uploadLifetimeMs && version <= data.version

/**
 * The file that was being sent to this address when the page was left or closed, so that opening it goes on by itself,
 * unless the document has changed since. Without storage on the device, only the upload on the server is left, and
 * choosing the file again continues it.
 */
export function useUnfinishedFile(path: string, { enabled, version }: { enabled: boolean; version: number }) {
  const key = `upload:${path}`
  const [file, setFile] = useState<File>()
  const [dropped, setDropped] = useState<string>()
  /** Sending a file again after a lost answer must not look like a newer choice. */
  const chosenAt = useRef(new WeakMap<File, number>())
  const versionNow = useRef(version)
  versionNow.current = version
  useEffect(() => {
    if (!enabled) return
    let current = true
    const read = async () => {
      const snapshot = await findSnapshot<Kept>(key)
      if (!current || !snapshot) return
      if (mayContinue(snapshot, versionNow.current)) {
        chosenAt.current.set(snapshot.data.file, snapshot.data.version)
        setFile(snapshot.data.file)
      } else {
        if (versionNow.current > snapshot.data.version) setDropped(snapshot.data.file.name)
        await forgetSnapshot(key)
      }
    }
    read().catch(() => {})
    return () => {
      current = false
    }
  }, [key, enabled])

  return {
    file,
    /** Name of a file that was not sent, because the document has changed since. */
    dropped,
    /** Keeps the file until its sending succeeds, is refused or is stopped by the person. */
    async keepWhile<T>(sent: File, send: (version: number) => Promise<T>): Promise<T> {
      const chosen = chosenAt.current.get(sent) ?? version
      chosenAt.current.set(sent, chosen)
      setDropped(undefined)
      await keepSnapshot(key, { file: sent, version: chosen } satisfies Kept).catch(() => {})
      try {
        const answer = await send(chosen)
        await forgetSnapshot(key).catch(() => {})
        return answer
      } catch (error) {
        const mayGoOn = error === leftPage || (error instanceof ApiError && (error.status === 0 || error.status >= 500))
        if (!mayGoOn) await forgetSnapshot(key).catch(() => {})
        // The person reads that the document changed; sending the file again is then a choice.
        if (error instanceof ApiError && error.code === 'document_changed') chosenAt.current.delete(sent)
        throw error
      }
    },
  }
}
