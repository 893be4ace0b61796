import { useEffect, useRef, useState } from 'react'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { decodeHeic } from './decode-heic.ts'
import { isHeic } from './heic.ts'
import { photoSize, shrinkImage } from './shrink-image.ts'

/** Why a sending was aborted by leaving its page. */
export const leftPage = new Error('The page was left')

/** Progress of the file. */
export type State =
  | { step: 'idle' }
  | { step: 'preparing'; file: File }
  /** `waiting` for network, or for a busy server; sending goes on by itself. */
  | { step: 'sending'; file: File; share: number; waiting?: 'network' | 'server' | undefined }
  | { step: 'failed'; file: File; reason: string; retry: boolean }
  | { step: 'sent'; file: File }

/** Limits are shown as they were set: 5,000,000 and 5 × 1024 × 1024 are both "5 MB". */
export const megabytes = (bytes: number) => {
  const size = bytes / (bytes % 1_000_000 === 0 ? 1_000_000 : 1024 * 1024)
  return (Math.round(size * 10) / 10).toString().replace('.', ',')
}
const kindOf = (type: string) =>
  ({
    'image/jpeg': 'JPG',
    'image/png': 'PNG',
    'image/webp': 'WebP',
    'image/heic': 'HEIC',
    'application/pdf': 'PDF',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'XLSX',
    'text/csv': 'CSV',
    'text/plain': 'TXT',
    // Windows' type for CSV files once a spreadsheet program is installed.
    'application/vnd.ms-excel': 'CSV',
  })[type] ??
  type.split(/[/.]/).at(-1)?.toUpperCase() ??
  type

/** Some systems have no type for CSV and leave it empty. */
const typeOf = (file: File) => file.type || (/\.csv$/i.test(file.name) ? 'text/csv' : '')

const isAccepted = (accept: readonly string[], file: File) =>
  accept.some((one) => (one.startsWith('.') ? file.name.toLowerCase().endsWith(one) : one === typeOf(file)))

const reasonOf = (error: unknown, fallback: string) => {
  const refused = error as { message?: string; errors?: Record<string, string[]> }
  return Object.values(refused?.errors ?? {})[0]?.[0] ?? (refused?.message || fallback)
}

/** Statuses that refuse the file itself, so that sending it again is useless. */
const refusals = [400, 413, 415, 422]

/** Whether sending the same file again may succeed. */
export const isWorthSendingAgain = (error: unknown) =>
  !refusals.includes((error as { status?: number } | undefined)?.status ?? 0)

export type Accepted = {
  /** MIME types such as `image/jpeg`, and name endings such as `.sta` for files without a type. */
  accept: readonly string[]
  maxBytes: number
  /** Sends the file; throws with a sentence if refused. */
  onSend: (
    file: File,
    onProgress: (share: number, waiting?: 'network' | 'server') => void,
    signal: AbortSignal,
  ) => Promise<unknown>
  /** Shrinks photos before sending; true by default. */
  shrink?: boolean
  disabled?: boolean
  /** A file whose sending a reload interrupted: it is sent again. */
  interrupted?: File | undefined
}

/** Kinds of files by their familiar names. */
export const kindsOf = (accept: readonly string[]) => [...new Set(accept.map(kindOf))].join(', ')

/** Checks a chosen file, shrinks it, sends it and can be stopped; leaving the page stops it too. */
export function useFileSending({ accept, maxBytes, onSend, shrink = true, disabled = false, interrupted }: Accepted) {
  const { say } = useSurroundings()
  const running = useRef<AbortController | null>(null)
  const continued = useRef(false)
  const [state, setState] = useState<State>({ step: 'idle' })
  const [preview, setPreview] = useState<string | null>(null)
  useEffect(() => () => running.current?.abort(leftPage), [])
  useEffect(() => () => void (preview && URL.revokeObjectURL(preview)), [preview])
  const busy = state.step === 'preparing' || state.step === 'sending'

  const refuse = (file: File, reason: string) => setState({ step: 'failed', file, reason, retry: false })

  const send = async (chosen: File) => {
    if (disabled || busy) return
    continued.current = true
    if (chosen.size === 0) return refuse(chosen, say('file.empty', { name: chosen.name }))
    setState({ step: 'preparing', file: chosen })
    // An interrupted file has been shrunk already; other bytes would begin another upload.
    const file = shrink && chosen !== interrupted ? await shrinkImage(chosen, photoSize, decodeHeic) : chosen
    if (!isAccepted(accept, file))
      return refuse(
        chosen,
        accept.includes('image/jpeg') && (await isHeic(file))
          ? say('file.heic', { name: chosen.name })
          : say('file.wrongType', { name: chosen.name, types: kindsOf(accept) }),
      )
    if (file.size > maxBytes)
      return refuse(
        chosen,
        say('file.tooLarge', { name: chosen.name, size: megabytes(file.size), maximum: megabytes(maxBytes) }),
      )
    if (file.type.startsWith('image/')) setPreview(URL.createObjectURL(file))
    else setPreview(null)
    const controller = new AbortController()
    running.current = controller
    setState({ step: 'sending', file, share: 0 })
    try {
      await onSend(file, (share, waiting) => setState({ step: 'sending', file, share, waiting }), controller.signal)
      if (!controller.signal.aborted) setState({ step: 'sent', file })
    } catch (error) {
      if (controller.signal.aborted) return setState({ step: 'idle' })
      const reason = reasonOf(error, say('errors.unknown'))
      setState({
        step: 'failed',
        file,
        reason: say('file.failed', { name: file.name, reason }),
        retry: isWorthSendingAgain(error),
      })
    }
  }

  useEffect(() => {
    if (interrupted && !continued.current) void send(interrupted)
  })

  return { state, busy, preview, send, stop: () => running.current?.abort() }
}
